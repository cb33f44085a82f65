package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.sketch.Updates.Update;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountSketchTest extends LinearSketchContract<CountSketch> {
  private static final CountSketchSpec SPEC = new CountSketchSpec(DIMENSION, 16, 7);

  @Override
  CountSketch create() {
    return CountSketch.create(SPEC);
  }

  @Override
  List<CountSketch> incompatible() {
    return List.of(
        CountSketch.create(new CountSketchSpec(DIMENSION, 16, 8)),
        CountSketch.create(new CountSketchSpec(DIMENSION, 32, 7)),
        CountSketch.create(new CountSketchSpec(DIMENSION + 1, 16, 7)));
  }

  @Override
  CountSketch fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, CountSketch.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    CountSketch sketch = create();
    long[] state = new long[SPEC.stateLength()];
    for (int bucket = 0; bucket < SPEC.buckets(); bucket++) {
      for (Update update : updates) {
        if (sketch.bucketOf(update.tag.first()) == bucket) {
          for (int i = 0; i < DIMENSION; i++) {
            state[SPEC.index(bucket, i)] +=
                (long) update.sign * sketch.signOf(update.tag.first()) * update.row.values()[i];
          }
        }
      }
    }
    return state;
  }

  @Test
  void oneBucketIsASignedSum() {
    CountSketch sketch = CountSketch.create(new CountSketchSpec(2, 1, 3));
    long sum = 0;
    for (long hash = -50; hash < 50; hash++) {
      sketch.add(Updates.tag(hash, 0), Updates.row(3, -5), 1);
      assertThat(sketch.bucketOf(hash)).isZero();
      sum += sketch.signOf(hash);
    }
    assertThat(sketch.state()).containsExactly(3 * sum, -5 * sum);
  }

  @Test
  void theSeedMovesRows() {
    CountSketch one = CountSketch.create(new CountSketchSpec(1, 1 << 20, 1));
    CountSketch two = CountSketch.create(new CountSketchSpec(1, 1 << 20, 2));
    assertThat(one.bucketOf(99)).isNotEqualTo(two.bucketOf(99));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "20001, 1", "1, 0", "1, -2", "1, 3", "1, 2097152", "129, 1048576"})
  void rangesAreChecked(int dimension, int buckets) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CountSketchSpec(dimension, buckets, 0))
        .withMessageContaining("Provided value: ");
  }

  @Test
  void sizesAtTheirEnds() {
    assertThat(new CountSketchSpec(128, 1 << 20, 0).stateLength()).isEqualTo(1 << 27);
    assertThat(new CountSketchSpec(4096, 1 << 15, 0).stateLength()).isEqualTo(1 << 27);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> SPEC.index(16, 0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> SPEC.index(0, DIMENSION));
  }
}
