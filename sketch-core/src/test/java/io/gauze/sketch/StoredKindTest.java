package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Neighbours;
import org.junit.jupiter.api.Test;

final class StoredKindTest {
  /** A spec that nobody has entered. */
  private record Foreign(int dimension) implements SketchSpec {
    private static final long serialVersionUID = 1L;

    @Override
    public int stateLength() {
      return 1;
    }

    @Override
    public int bucketsTouched() {
      return 1;
    }

    @Override
    public double sensitivity(double rowBound, Neighbours neighbours) {
      return 1.0;
    }

    @Override
    public LinearSketch<?> zero() {
      return new EmptySketchSpec(dimension).zero();
    }
  }

  /** It is never written as a sketch of another kind. */
  @Test
  void aSketchThatIsNoEntryCannotBeStored() {
    assertThatThrownBy(() -> StoredKind.of(new Foreign(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Foreign");
  }

  @Test
  void eachNumberIsGivenOnce() {
    for (byte number : new byte[] {1, 2, 3, 4, 5, 6, 8, 9, 10}) {
      assertThat(StoredKind.of(number).number()).isEqualTo(number);
    }
    assertThatThrownBy(() -> StoredKind.of((byte) 7)).hasMessageContaining("kind 7");
    assertThatThrownBy(() -> StoredKind.of((byte) 11))
        .hasMessage(
            "sketch kind must be in [1, 10], and unused bytes zero. Provided value: kind 11");
    assertThatThrownBy(() -> StoredKind.of((byte) 0)).hasMessageContaining("kind 0");
  }
}
