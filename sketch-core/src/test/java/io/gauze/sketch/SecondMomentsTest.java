package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.row.EncodedRow;
import io.gauze.row.Grid;
import io.gauze.row.RowBatch;
import io.gauze.row.RowTag;
import io.gauze.sketch.Updates.Update;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecondMomentsTest extends LinearSketchContract<SecondMoments> {

  @Override
  SecondMoments create() {
    return SecondMoments.create(new SecondMomentsSpec(DIMENSION));
  }

  @Override
  List<SecondMoments> incompatible() {
    return List.of(SecondMoments.create(new SecondMomentsSpec(DIMENSION - 1)));
  }

  @Override
  SecondMoments fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, SecondMoments.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(CountSketch.create(new CountSketchSpec(DIMENSION, 2, 0)));
  }

  @Override
  long[] naive(List<Update> updates) {
    SecondMomentsSpec spec = new SecondMomentsSpec(DIMENSION);
    long[] state = new long[spec.stateLength()];
    for (int i = 0; i < DIMENSION; i++) {
      for (int j = i; j < DIMENSION; j++) {
        for (Update update : updates) {
          long product = (long) update.row.values()[i] * update.row.values()[j];
          state[spec.index(i, j)] += update.sign * product;
        }
      }
    }
    return state;
  }

  /** Frobenius' norm of the matrix. */
  @Override
  double length(SecondMoments sketch) {
    return frobenius(sketch.spec(), sketch.state(), 0);
  }

  static double frobenius(SecondMomentsSpec spec, long[] state, int from) {
    double squares = 0.0;
    for (int i = 0; i < spec.dimension(); i++) {
      for (int j = 0; j < spec.dimension(); j++) {
        squares += Math.pow((double) state[from + spec.index(i, j)], 2);
      }
    }
    return Math.sqrt(squares);
  }

  /** Rows at their extremes, in the largest blocks, of every sign: no sum is rounded. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 52, 513})
  void extremeBatchesAreExact(int dimension) {
    SecondMoments batched = SecondMoments.create(new SecondMomentsSpec(dimension));
    SecondMoments single = batched.copy();
    RowBatch batch = new RowBatch(dimension, 1500);
    EncodedRow row = new EncodedRow(dimension);
    for (int k = 0; k < 1500; k++) {
      for (int i = 0; i < dimension; i++) {
        row.values()[i] =
            (k * 31 + i * 7) % 3 == 0 ? -Grid.MAX_ROW_STEPS : Grid.MAX_ROW_STEPS - k % 2;
      }
      int sign = k % 5 == 0 ? -1 : 1;
      batch.add(new RowTag(), row, sign);
      single.add(new RowTag(), row, sign);
    }
    batched.add(batch);
    assertThat(batched).isEqualTo(single);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 4096})
  void indexIsTheUpperTriangleRowByRow(int dimension) {
    SecondMomentsSpec spec = new SecondMomentsSpec(dimension);
    int next = 0;
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        if (spec.index(i, j) != next || spec.index(j, i) != next) {
          assertThat(spec.index(i, j)).as("(%d, %d)", i, j).isEqualTo(next);
          assertThat(spec.index(j, i)).as("(%d, %d)", j, i).isEqualTo(next);
        }
        next++;
      }
    }
    assertThat(spec.stateLength()).isEqualTo(next);
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SecondMomentsSpec(0))
        .withMessage("dimension must be in [1, 4096]. Provided value: 0");
    assertThatIllegalArgumentException().isThrownBy(() -> new SecondMomentsSpec(4097));
    SecondMomentsSpec spec = new SecondMomentsSpec(3);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> spec.index(0, 3));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> spec.index(-1, 0));
  }

  @Test
  void unusedFieldsOfTheBytesAreZero() {
    byte[] buckets = SketchBytes.write(create());
    buckets[12] = 1;
    assertThatIllegalArgumentException().isThrownBy(() -> fromBytes(buckets));
    byte[] seed = SketchBytes.write(create());
    seed[20] = 1;
    assertThatIllegalArgumentException().isThrownBy(() -> fromBytes(seed));
  }

  /**
   * MAX_ROWS = 2^20 + 2^21 + ... + 2^32 rows at the bound, by doubling: 2^63 - 2^50; then one block
   * more wraps.
   */
  @Test
  void maxRowsAtTheBoundDoNotOverflow() {
    SecondMoments doubling = SecondMoments.create(new SecondMomentsSpec(1));
    doubling.add(new RowTag(), Updates.row(Grid.MAX_ROW_STEPS), 1);
    SecondMoments total = SecondMoments.create(new SecondMomentsSpec(1));
    long rows = 0;
    for (int power = 0; power <= 32; power++) {
      if (power >= 20) {
        total.merge(doubling);
        rows += 1L << power;
      }
      doubling.merge(doubling);
    }
    assertThat(rows).isEqualTo(Grid.MAX_ROWS);
    assertThat(total.state()[0]).isEqualTo(Long.MAX_VALUE - (1L << 50) + 1);
    assertThat(doubling.state()[0]).isEqualTo(Long.MIN_VALUE); // 2^33 rows
  }
}
