package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.sketch.Updates.Update;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultilevelSketchTest extends LinearSketchContract<MultilevelSketch> {
  private static final MultilevelSketchSpec SPEC =
      new MultilevelSketchSpec(DIMENSION, 12, 3, 2, 2, 7);

  @Override
  MultilevelSketch create() {
    return MultilevelSketch.create(SPEC);
  }

  @Override
  List<MultilevelSketch> incompatible() {
    return List.of(
        MultilevelSketch.create(new MultilevelSketchSpec(DIMENSION, 12, 3, 2, 2, 8)),
        MultilevelSketch.create(new MultilevelSketchSpec(DIMENSION, 12, 3, 2, 3, 7)),
        MultilevelSketch.create(new MultilevelSketchSpec(DIMENSION, 12, 3, 3, 2, 7)),
        MultilevelSketch.create(new MultilevelSketchSpec(DIMENSION, 24, 1, 2, 2, 7)),
        MultilevelSketch.create(new MultilevelSketchSpec(DIMENSION - 1, 12, 3, 2, 2, 7)));
  }

  @Override
  MultilevelSketch fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, MultilevelSketch.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    long[] state = new long[SPEC.stateLength()];
    for (Update update : updates) {
      for (int bucket : create().bucketsOf(update.tag.first(), update.tag.second())) {
        for (int i = 0; i < DIMENSION; i++) {
          state[SPEC.index(bucket, i)] += (long) update.sign * update.row.values()[i];
        }
      }
    }
    return state;
  }

  @Test
  void weightsByLevel() {
    assertThat(SPEC.rows()).isEqualTo(48);
    assertThat(SPEC.weight(0)).isEqualTo(0.5);
    assertThat(SPEC.weight(11)).isEqualTo(0.5);
    assertThat(SPEC.weight(12)).isEqualTo(2.0);
    assertThat(SPEC.weight(47)).isEqualTo(8.0);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> SPEC.weight(48));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> SPEC.index(48, 0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> SPEC.index(0, DIMENSION));
  }

  /** A row's weights, as they are expected, are 1 a level: of 4 levels, 4. */
  @Test
  void bucketsTouchedIsTheMost() {
    int most = 0;
    double weights = 0;
    List<Update> updates = Updates.random(20_000, 1, 5);
    for (Update update : updates) {
      int[] buckets = create().bucketsOf(update.tag.first(), update.tag.second());
      most = Math.max(most, buckets.length);
      for (int bucket : buckets) {
        weights += SPEC.weight(bucket);
      }
    }
    assertThat(most).isEqualTo(SPEC.bucketsTouched()).isEqualTo(4);
    // sd of a row's weights: below sqrt(1 + 1 + 7) = 3, of the mean 0.021
    assertThat(weights / updates.size()).isBetween(4 - 0.13, 4 + 0.13);
  }

  @ParameterizedTest
  @CsvSource({"0, 2, 2", "1, 2, 3", "2, 2, 4", "5, 1, 3"})
  void bucketsTouchedByLevelsAndCopies(int levels, int copies, int touched) {
    MultilevelSketchSpec spec = new MultilevelSketchSpec(3, 8, levels, 2, copies, 0);
    assertThat(spec.bucketsTouched()).isEqualTo(touched);
    assertThat(spec.rows()).isEqualTo(8 * (levels + 1));
  }

  @Test
  void sizedByTheExpectedRows() {
    assertThat(MultilevelSketchSpec.forRows(3, 2000, 327_346, 1, 9))
        .isEqualTo(new MultilevelSketchSpec(3, 1000, 1, 327, 1, 9));
    assertThat(MultilevelSketchSpec.forRows(3, 2001, 327_346, 3, 9))
        .isEqualTo(new MultilevelSketchSpec(3, 999, 1, 328, 3, 9));
    assertThat(MultilevelSketchSpec.forRows(3, 2001, 1_000, 2, 9)) // fewer rows than buckets
        .isEqualTo(new MultilevelSketchSpec(3, 2000, 0, 2, 2, 9));
    assertThat(MultilevelSketchSpec.forRows(3, 2, Long.MAX_VALUE, 1, 9).base())
        .isEqualTo(Integer.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MultilevelSketchSpec.forRows(3, 3, 1_000, 2, 9))
        .withMessage("buckets must be in [4, 1048576]. Provided value: 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MultilevelSketchSpec.forRows(3, 30, 0, 2, 9))
        .withMessageContaining("expectedRows");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 8, 2, 2, 2",
    "4097, 8, 2, 2, 2",
    "5, 0, 2, 2, 2",
    "5, 2097152, 2, 2, 2",
    "5, 8, -1, 2, 2",
    "5, 8, 49, 2, 2",
    "5, 8, 2, 1, 2",
    "5, 8, 2, 2, 0",
    "5, 32, 2, 2, 17",
    "5, 9, 2, 2, 2",
    "5, 8, 4, 4097, 2",
    "129, 1048576, 0, 2, 1",
    "128, 1048576, 1, 2, 1"
  })
  void rangesAreChecked(int dimension, int buckets, int levels, int base, int copies) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MultilevelSketchSpec(dimension, buckets, levels, base, copies, 0))
        .withMessageContaining("Provided value: ");
  }
}
