package io.gauze.mechanism.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

final class WhiteningTest {
  private static final int DIMENSION = 4;
  private static final int ROWS = 10_000;
  private static final double CONSTANT = 0.5;

  /** Moments of rows with means far from 0 and a response that the features explain. */
  private static DMatrixRMaj moments() {
    SplittableRandom random = new SplittableRandom(1);
    DMatrixRMaj moments = new DMatrixRMaj(DIMENSION, DIMENSION);
    for (int i = 0; i < ROWS; i++) {
      double a = 0.8 + 0.05 * random.nextGaussian();
      double b = -0.3 + 2.0 * (a - 0.8) + 0.01 * random.nextGaussian();
      double y = 0.1 + 0.7 * (a - 0.8) - 0.4 * (b + 0.3) + 0.02 * random.nextGaussian();
      DMatrixRMaj row = new DMatrixRMaj(new double[] {CONSTANT, a, b, y});
      CommonOps_DDRM.multAddTransB(row, row, moments);
    }
    return moments;
  }

  private static DMatrixRMaj after(Whitening.Step step, DMatrixRMaj moments) {
    DMatrixRMaj half = new DMatrixRMaj(DIMENSION, DIMENSION);
    DMatrixRMaj result = new DMatrixRMaj(DIMENSION, DIMENSION);
    CommonOps_DDRM.mult(step.map(), moments, half);
    CommonOps_DDRM.multTransB(half, step.map(), result);
    CommonOps_DDRM.scale(1.0 / ROWS, result);
    return result;
  }

  @Test
  void withHardlyAnyNoiseRowsAreCentredAndWhite() {
    DMatrixRMaj moments = moments();
    Whitening whitening = new Whitening(moments, 1e-6, CONSTANT);
    assertThat(whitening.rows()).isCloseTo(ROWS, within(1e-3));
    assertThat(whitening.inflation()).isCloseTo(1.0, within(1e-4));
    DMatrixRMaj after = after(whitening.ofAll(), moments);
    for (int i = 0; i < DIMENSION; i++) {
      for (int j = 0; j < DIMENSION; j++) {
        assertThat(after.get(i, j)).isCloseTo(i == j ? 0.25 : 0.0, within(1e-4));
      }
    }
  }

  /** A weight of 3 makes its mean square 3 times that of a feature, and its sum 1 + 2 + 3. */
  @Test
  void theLastEntryIsTheWeightedResidual() {
    DMatrixRMaj moments = moments();
    DMatrixRMaj after = after(new Whitening(moments, 1e-6, CONSTANT).ofResponse(3.0), moments);
    double[] expected = {1.0 / 6, 1.0 / 6, 1.0 / 6, 0.5};
    for (int i = 0; i < DIMENSION; i++) {
      for (int j = 0; j < DIMENSION; j++) {
        assertThat(after.get(i, j)).isCloseTo(i == j ? expected[i] : 0.0, within(1e-3));
      }
    }
  }

  /** Of pure noise, too: a release of no rows has a transform. */
  @Test
  void noiseLeavesAllFinite() {
    SplittableRandom random = new SplittableRandom(3);
    for (double scale : new double[] {0.0, 1.0, 1e6}) {
      DMatrixRMaj noise = new DMatrixRMaj(DIMENSION, DIMENSION);
      for (int i = 0; i < DIMENSION; i++) {
        for (int j = i; j < DIMENSION; j++) {
          double entry = scale * random.nextGaussian();
          noise.set(i, j, entry);
          noise.set(j, i, entry);
        }
      }
      Whitening whitening = new Whitening(noise, 1.0, CONSTANT);
      assertThat(whitening.inflation()).isBetween(1.0, 20.0);
      for (Whitening.Step step :
          new Whitening.Step[] {whitening.ofAll(), whitening.ofResponse(1.0)}) {
        for (double entry : step.map().getData()) {
          assertThat(entry).isFinite();
        }
        for (int k = 0; k < DIMENSION; k++) {
          assertThat(step.map().get(k, k)).isPositive();
        }
      }
    }
  }

  @Test
  void directionsThatNoiseHidesHaveNoMoreThanTheirShare() {
    DMatrixRMaj moments = moments();
    Whitening whitening = new Whitening(moments, 5.0, CONSTANT);
    assertThat(whitening.inflation()).isGreaterThan(Tuning.ENOUGH);
    assertThat(CommonOps_DDRM.trace(after(whitening.ofAll(), moments))).isCloseTo(1.0, within(0.2));
  }

  /** One column beside the intercept, which is the response. */
  @Test
  void aResponseWithoutFeaturesIsCentred() {
    DMatrixRMaj moments = new DMatrixRMaj(2, 2, true, 250.0, 400.0, 400.0, 650.0);
    Whitening.Step step = new Whitening(moments, 1e-6, CONSTANT).ofResponse(1.0);
    DMatrixRMaj half = new DMatrixRMaj(2, 2);
    DMatrixRMaj after = new DMatrixRMaj(2, 2);
    CommonOps_DDRM.mult(step.map(), moments, half);
    CommonOps_DDRM.multTransB(half, step.map(), after);
    assertThat(after.get(0, 1)).isCloseTo(0.0, within(1e-6));
    assertThat(after.get(1, 1)).isCloseTo(500.0, within(1e-2));
  }
}
