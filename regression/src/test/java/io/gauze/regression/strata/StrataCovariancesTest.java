package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.Spectrum;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

/**
 * Three strata [-3, -1], [-1, 1], [1, 3] of a residual in column 3, two features, 1,000 rows each.
 */
class StrataCovariancesTest {
  private static final double UNIFORM = 1.0 / 3.0;
  private static final double[] ROWS = {1_000, 1_000, 1_000};
  private static final DMatrixRMaj COMMON = covariance(2.0, 0.5, 1.0, 0.6);

  /** With variances of the features and the residual, and covariances of .5 and .2. */
  private static DMatrixRMaj covariance(double first, double both, double second, double own) {
    return new DMatrixRMaj(
        4, 4, true, 0, 0, 0, 0, 0, first, both, 0.2, 0, both, second, 0.0, 0, 0.2, 0.0, own);
  }

  private static DMatrixRMaj times(double factor, DMatrixRMaj matrix) {
    DMatrixRMaj scaled = matrix.copy();
    CommonOps_DDRM.scale(factor, scaled);
    return scaled;
  }

  private static List<DMatrixRMaj> of(double sigma, List<DMatrixRMaj> noisy) {
    StrataShrinkage.Shape shape =
        new StrataShrinkage.Shape(
            1.0,
            StratifyingDirection.of(3, 0.0, 0.0, 0.0, 1.0),
            new StrataNoise(sigma, 3, Double.POSITIVE_INFINITY),
            List.of(
                new StratumRange(-3, -1, 1),
                new StratumRange(-1, 1, 1),
                new StratumRange(1, 3, 1)));
    return new StrataCovariances(shape, COMMON, ROWS).of(noisy);
  }

  private static void same(DMatrixRMaj found, DMatrixRMaj wanted, double error) {
    for (int i = 0; i < wanted.getNumElements(); i++) {
      assertThat(found.get(i)).as("entry %d", i).isCloseTo(wanted.get(i), within(error));
    }
  }

  @Test
  void withoutNoiseAllIsKept() {
    List<DMatrixRMaj> exact =
        List.of(covariance(3, -0.7, 2, 0.9), covariance(1, 0.1, 1, 0.3), covariance(2, 1, 4, 0.5));
    List<DMatrixRMaj> found = of(0.0, exact);
    for (int k = 0; k < 3; k++) {
      same(found.get(k), exact.get(k), 1e-9);
    }
  }

  /** What differs from V by less than its noise is V, with the uniform variance of the residual. */
  @Test
  void underNoiseTheCommonOneIsKept() {
    DMatrixRMaj prior = COMMON.copy();
    double own = Math.sqrt(UNIFORM / COMMON.get(3, 3));
    prior.set(3, 3, UNIFORM);
    prior.set(1, 3, own * 0.2);
    prior.set(3, 1, own * 0.2);
    for (DMatrixRMaj covariance : of(1e4, List.of(COMMON, COMMON, COMMON))) {
      same(covariance, prior, 1e-9);
    }
  }

  /** A spread of the features that differs from stratum to stratum stands out of the noise. */
  @Test
  void strataKeepTheirFactor() {
    List<DMatrixRMaj> found =
        of(100.0, List.of(times(2.0, COMMON), times(0.25, COMMON), times(0.75, COMMON)));
    assertThat(found.get(0).get(1, 1)).isCloseTo(4.0, within(0.2));
    assertThat(found.get(1).get(1, 1)).isCloseTo(0.5, within(0.1));
    assertThat(found.get(2).get(1, 1)).isCloseTo(1.5, within(0.1));
  }

  /**
   * An open stratum keeps more variance than the uniform law's where noise is smaller than that.
   */
  @Test
  void openStrataMayHaveLongTails() {
    DMatrixRMaj tail = covariance(2.0, 0.5, 1.0, 4.0);
    List<DMatrixRMaj> found = of(100.0, List.of(COMMON, tail, tail));
    assertThat(found.get(2).get(3, 3)).isGreaterThan(3.5);
    assertThat(of(1e7, List.of(COMMON, tail, tail)).get(2).get(3, 3))
        .isCloseTo(UNIFORM, within(1e-6));
  }

  @Test
  void covariancesArePositive() {
    List<DMatrixRMaj> noisy =
        List.of(covariance(-3, 2, 1, 0.5), covariance(2, -5, 1, -0.5), times(3.0, COMMON));
    for (DMatrixRMaj covariance : of(300.0, noisy)) {
      DMatrixRMaj block = CommonOps_DDRM.extract(covariance, 1, 4, 1, 4);
      assertThat(Spectrum.of(block).smallest()).isPositive();
      for (int j = 0; j < 4; j++) {
        assertThat(covariance.get(0, j)).isZero();
        assertThat(covariance.get(j, 0)).isZero();
      }
    }
  }
}
