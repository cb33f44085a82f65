package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.sketch.Updates.Update;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianProjectionTest extends LinearSketchContract<GaussianProjection> {
  /** More rows than one strip of the batched product has. */
  private static final GaussianProjectionSpec SPEC = new GaussianProjectionSpec(DIMENSION, 131, 7);

  @Override
  GaussianProjection create() {
    return GaussianProjection.create(SPEC);
  }

  @Override
  List<GaussianProjection> incompatible() {
    return List.of(
        GaussianProjection.create(new GaussianProjectionSpec(DIMENSION, 131, 8)),
        GaussianProjection.create(new GaussianProjectionSpec(DIMENSION, 132, 7)),
        GaussianProjection.create(new GaussianProjectionSpec(DIMENSION + 1, 131, 7)));
  }

  @Override
  GaussianProjection fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, GaussianProjection.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    long[] state = new long[SPEC.stateLength()];
    double[] g = new double[SPEC.rows()];
    for (Update update : updates) {
      new RowGaussians(7, g.length).fill(update.tag.first(), update.tag.second(), g, 0);
      for (int j = 0; j < g.length; j++) {
        for (int i = 0; i < DIMENSION; i++) {
          state[SPEC.index(j, i)] += update.sign * (long) g[j] * update.row.values()[i];
        }
      }
    }
    return state;
  }

  /** The coefficients of a row do not depend on how many there are. */
  @Test
  void fewerRowsAreTheFirstOnes() {
    for (int rows : new int[] {1, 2, 130}) {
      GaussianProjection fewer =
          GaussianProjection.create(new GaussianProjectionSpec(DIMENSION, rows, 7));
      GaussianProjection more = create();
      for (Update update : Updates.random(50, DIMENSION, 3)) {
        update.to(fewer);
        update.to(more);
      }
      assertThat(more.state()).startsWith(fewer.state());
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "20001, 1", "1, 0", "1, 16385"})
  void rangesAreChecked(int dimension, int rows) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GaussianProjectionSpec(dimension, rows, 0))
        .withMessageContaining("Provided value: ");
  }

  @Test
  void sizes() {
    assertThat(new GaussianProjectionSpec(4096, 1 << 14, 0).stateLength()).isEqualTo(1 << 26);
    assertThat(SPEC.bucketsTouched()).isEqualTo(131);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> SPEC.index(131, 0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> SPEC.index(0, DIMENSION));
  }
}
