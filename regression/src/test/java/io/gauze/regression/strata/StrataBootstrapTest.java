package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.Loss;
import io.gauze.regression.rows.ExpectedLoss;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;

/**
 * The best constant for the absolute loss: 3,000 responses uniform in [-1, 0] and 1,000 in [0, 1].
 * The median is -1/3, the mean -1/4.
 */
class StrataBootstrapTest {
  private static final double MEAN = -0.25;
  private static final double MEDIAN = -1.0 / 3.0;

  private static StrataBootstrap bootstrap(double sigma) {
    StrataShrinkage.Shape shape =
        new StrataShrinkage.Shape(
            1.0,
            StratifyingDirection.of(1, 2),
            new StrataNoise(sigma, 2, Double.POSITIVE_INFINITY),
            List.of(new StratumRange(-1, 0, 1), new StratumRange(0, 1, 1)));
    StrataModel model =
        StrataShrinkage.model(shape, List.of(uniform(3_000, -0.5), uniform(1_000, 0.5)));
    StrataObjective.Maker maker =
        new StrataObjective.Maker(
            ExpectedLoss.of(Loss.ABSOLUTE),
            new StrataObjective.Target(vector(0), 1, vector(1), vector(0)),
            1e-6);
    RidgeTarget centre = RidgeTarget.zero(1.0);
    return new StrataBootstrap(shape, model, maker, centre);
  }

  private static double constant(double sigma) {
    return bootstrap(sigma).constant(MEAN).b().get(0);
  }

  private static DoubleVector vector(double value) {
    return DoubleVector.of(new double[] {value});
  }

  private static DMatrixRMaj uniform(double rows, double mean) {
    double square = rows * (mean * mean + 1.0 / 12.0);
    return new DMatrixRMaj(2, 2, true, rows, rows * mean, rows * mean, square);
  }

  @Test
  void withoutNoiseTheConstantIsTheMedian() {
    assertThat(constant(0.0)).isCloseTo(MEDIAN, within(0.01));
  }

  @Test
  void whereNoiseMovesTheMedianFartherItIsTheMean() {
    assertThat(constant(3_000.0)).isEqualTo(MEAN);
  }

  /** The square of one normal variable has the mean 1 and the median .45. */
  @Test
  void halfOfTheReleasesAreBetterThanTheMedian() {
    StrataBootstrap.Deviation deviation = bootstrap(20.0).deviation(0.0, 0.0, MEDIAN);
    assertThat(deviation.median()).isPositive();
    assertThat(deviation.median() / deviation.excess()).isBetween(0.2, 0.7);
  }

  /** Of a gain of 40 %, the noise of fits has 10, then 30 %. */
  @Test
  void medianIsWithinTheGainThatIsNotNoise() {
    DMatrixRMaj none = new DMatrixRMaj(1, 1);
    assertThat(new StrataBootstrap.Deviation(none, 0.1, 0.35).within(0.4).median())
        .isCloseTo(0.3, within(1e-12));
    assertThat(new StrataBootstrap.Deviation(none, 0.3, 0.28).within(0.4).median()).isEqualTo(0.2);
    assertThat(new StrataBootstrap.Deviation(none, 0.1, 0.08).within(0.4).median()).isEqualTo(0.08);
  }

  /** Of a gain of 40 % the noise of fits has 10 %; that of the constant costs 5 % more. */
  @Test
  void constantLosesTheGainThatIsNotNoise() {
    StrataBootstrap.Deviation fits =
        new StrataBootstrap.Deviation(new DMatrixRMaj(1, 1), 0.1, 0.35);
    assertThat(fits.ofConstant(0.4, 0.05).median()).isCloseTo(1.3 * 1.05 - 1.0, within(1e-12));
  }

  @Test
  void leastSquaresMakeAPredictionLargerButNotSmaller() {
    StrataBootstrap.Deviation fits =
        new StrataBootstrap.Deviation(new DMatrixRMaj(1, 1), 0.1, 0.04);
    assertThat(fits.between(0.09).median()).isCloseTo(0.06, within(1e-12));
    assertThat(fits.between(0.01).median()).isEqualTo(0.04);
  }

  /** Three times the noise costs nine times as much, or more where the law of the rows bends. */
  @Test
  void noiseOfTheConstantCosts() {
    assertThat(bootstrap(0.0).constant().cost()).isCloseTo(0.0, within(1e-12));
    double little = bootstrap(20.0).constant().cost();
    double more = bootstrap(60.0).constant().cost();
    assertThat(little).isPositive();
    assertThat(more).isBetween(4.0 * little, 0.1);
  }

  /** The more noise, the nearer to the mean; within two deviations it is the mean. */
  @Test
  void betweenThemTheNoiseDecides() {
    double little = constant(100.0);
    double more = constant(150.0);
    assertThat(constant(20.0)).isCloseTo(MEDIAN, within(0.01));
    assertThat(little).isBetween(MEDIAN + 0.01, more - 0.01);
    assertThat(more).isLessThan(MEAN - 0.01);
    assertThat(constant(200.0)).isCloseTo(MEAN, within(1e-12));
  }
}
