package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A buffer of updates: what it takes, what it refuses, what it shows. */
class RowBatchTest {
  private final RowTag tag = new RowTag();

  private static EncodedRow row(int... values) {
    EncodedRow row = new EncodedRow(values.length);
    System.arraycopy(values, 0, row.values(), 0, values.length);
    return row;
  }

  @Test
  void keepsCopiesInOrderUntilItIsFull() {
    RowBatch batch = new RowBatch(2, 2);
    EncodedRow row = row(3, -4);
    tag.set(5, 6);
    batch.add(tag, row, 1);
    row.values()[0] = 32768;
    tag.set(7, 8);
    assertThat(batch.isFull()).isFalse();
    batch.add(tag, row, -1);
    assertThat(batch.isFull()).isTrue();
    assertThat(batch.values()).containsExactly(3, -4, 32768, -4);
    assertThat(batch.firstTags()).containsExactly(5, 7);
    assertThat(batch.secondTags()).containsExactly(6, 8);
    assertThat(batch.signs()).containsExactly(1, -1);
    assertThatIllegalStateException()
        .isThrownBy(() -> batch.add(tag, row, 1))
        .withMessage("batch must have at most 2 updates; clear it first");
    assertThat(batch).hasToString("RowBatch[dimension=2, 2 of 2]");
    batch.clear();
    assertThat(batch.size()).isZero();
  }

  /** Beyond this range sums in doubles would not be exact. */
  @ParameterizedTest
  @ValueSource(ints = {32769, -32769, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void entriesOffTheGridAreRefusedAndNotShown(int entry) {
    RowBatch batch = new RowBatch(3, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.add(tag, row(-32768, entry, 32768), 1))
        .withMessage(
            "entries of a row must be in [-32768, 32768]. Provided value: one beyond, not shown");
    assertThat(batch.size()).isZero();
  }

  @Test
  void otherRowsAndSignsAreRefused() {
    RowBatch batch = new RowBatch(3, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.add(tag, row(1, 2), 1))
        .withMessage("row dimension must be in [3, 3]. Provided value: 2");
    for (int sign : new int[] {0, 2, -2}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> batch.add(tag, row(1, 2, 3), sign))
          .withMessage("sign must be 1 or -1. Provided value: " + sign);
    }
    assertThat(batch.size()).isZero();
  }

  @Test
  void theShapeIsChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowBatch(0, 1))
        .withMessage("dimension must be in [1, 20000]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowBatch(4096, 4097))
        .withMessage("capacity must be in [1, 4096]. Provided value: 4097");
  }
}
