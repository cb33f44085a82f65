package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.regression.Loss;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;

class StrataErrorsTest {
  /** Features that explain nothing have no law that matters; outer quantiles see more of it. */
  @Test
  void approximationGrowsWithWhatIsExplained() {
    assertThat(StrataErrors.approximation(Loss.ABSOLUTE, 0.0)).isZero();
    assertThat(StrataErrors.approximation(Loss.ABSOLUTE, 0.44)).isBetween(0.002, 0.004);
    assertThat(StrataErrors.approximation(new Loss.Quantile(0.9), 0.44)).isBetween(0.007, 0.014);
    assertThat(StrataErrors.approximation(new Loss.Huber(0.1), 0.44)).isBetween(0.0015, 0.003);
    assertThat(StrataErrors.approximation(Loss.ABSOLUTE, 0.15)).isLessThan(0.0003);
  }

  private static final StrataObjective.Around AROUND = // with a Hessian diag(2, 8)
      new StrataObjective.Around(
          1.0, DoubleVector.of(new double[] {0, 0}), DoubleVector.of(new double[] {2, 0, 0, 8}));

  @Test
  void distanceHasTheExcess() {
    DMatrixRMaj distance = StrataErrors.distance(0.01, AROUND);
    double excess = 0.5 * (2 * distance.get(0, 0) + 8 * distance.get(1, 1));
    assertThat(excess).isCloseTo(Tuning.BIAS * Tuning.BIAS * 0.01, within(1e-12));
  }

  /** Each direction alone may have all of the excess: 2 d^2 / 2 and 8 d^2 / 2 are 0.01. */
  @Test
  void farthestCoefficientsHaveTheExcessInOneDirection() {
    DMatrixRMaj farthest = StrataErrors.farthest(0.01, AROUND);
    assertThat(farthest.get(0, 0)).isCloseTo(0.01, within(1e-12));
    assertThat(farthest.get(1, 1)).isCloseTo(0.0025, within(1e-12));
  }

  /** What is hidden is uniform up to the bound 50 / 4, of the first of two directions. */
  @Test
  void whatNoiseHidesHasTheVarianceOfAUniformLaw() {
    Spectrum features = Spectrum.of(new DMatrixRMaj(2, 2, true, 1.0, 0.0, 0.0, 100.0));
    DMatrixRMaj distance = new DMatrixRMaj(2, 2);
    StrataErrors.addUnseen(distance, features, 10.0, new StrataErrors.Residual(50.0, 4.0));
    assertThat(distance.get(0, 0)).isCloseTo(12.5 / 6.0, within(1e-12));
    assertThat(distance.get(1, 1)).isZero();
  }

  private static Spectrum diagonal(double first, double second, double third) {
    return Spectrum.of(new DMatrixRMaj(3, 3, true, first, 0, 0, 0, second, 0, 0, 0, third));
  }

  @Test
  void coefficientsOfWeakDirectionsAreUnknown() {
    assertThat(StrataErrors.unknown(diagonal(1.0, 100.0, 50.0), 10.0, 3)).containsExactly(0);
    assertThat(StrataErrors.unknown(diagonal(1.0, 100.0, 50.0), 0.5, 3)).isEmpty();
  }

  @Test
  void allCoefficientsAreUnknownIfFewAreLeft() {
    assertThat(StrataErrors.unknown(diagonal(1.0, 2.0, 50.0), 10.0, 3))
        .containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void strataOfResidualsAreRightWhereTheFitStaysAtLeastSquares() {
    assertThat(StrataErrors.ofResiduals(0.0)).isZero();
    assertThat(StrataErrors.ofResiduals(0.2)).isCloseTo(0.03, within(1e-12));
  }
}
