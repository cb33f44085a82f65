package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ObjectivePrivacy;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ObjectivePerturbationTest {
  private static final Randomness NOISE_FREE = Randomness.noiseFreeForTests(1);

  private static ObjectiveSpec spec(int features, double epsilon) {
    return ObjectiveSpec.of(
        features,
        1.25,
        new ModelLoss.Huber(0.0625),
        new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE));
  }

  /** The shares of epsilon, worked out by hand for k = 1/16, B_x = 5/4, epsilon 1. */
  @Test
  void calibrationsSpendEpsilonOnce() {
    ObjectiveCalibration pure = ObjectiveCalibration.of(spec(3, 1.0));
    double gradient = 0.0625 * 1.25;
    assertThat(pure.scale()).isCloseTo(2.0 * gradient / 0.69, within(1e-11));
    assertThat(pure.lambda()).isCloseTo(1.5625 / Math.expm1(0.3), within(1e-8));
    assertThat(Math.log1p(1.5625 / pure.lambda())).isLessThanOrEqualTo(0.3);
    assertThat(pure.tolerance()).isCloseTo(1.5625 * 0x1p-30, within(1e-24));
    double step = Math.scalb(1.0, -pure.outputBits());
    double away = pure.tolerance() / pure.lambda() + 0.5 * step * Math.sqrt(3.0);
    assertThat(pure.output().scale() * step)
        .isBetween(2.0 * Math.sqrt(3.0) * away / 0.005, 2.1 * Math.sqrt(3.0) * away / 0.005);
    ObjectiveSpec added =
        new ObjectiveSpec(
            new ModelLoss.Huber(0.0625),
            1.25,
            new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
            ObjectiveNoise.GAUSSIAN,
            0.1,
            DoubleVector.of(0.0));
    ObjectiveCalibration gaussian = ObjectiveCalibration.of(added);
    assertThat(gaussian.scale() / gradient)
        .isCloseTo(ObjectivePrivacy.sigma(0.89, 0.1, 1e-6, Neighbours.ADD_REMOVE), within(1e-9));
    assertThat(gaussian.removalDelta(1.0)).isBetween(0.999e-6, 1e-6);
    assertThat(gaussian.additionDelta(0.9)).isBetween(0.999e-6, 1e-6);
    assertThat(gaussian.additionDelta(0.89)).isGreaterThan(1e-6);
  }

  /**
   * At epsilon 0 both directions have one total variation, and it is at least that of an empty cell
   * against one row, by quadrature.
   */
  @ParameterizedTest
  @CsvSource({"3, 0.5, 0.4380", "1, 0.5, 0.1614", "0.3, 0.3, 0.05470", "1, 0.3, 0.17447"})
  void pureCurvesMeetAtZero(double epsilon, double share, double reached) {
    ObjectiveCalibration pure =
        ObjectiveCalibration.of(
            new ObjectiveSpec(
                new ModelLoss.Huber(1.0),
                1.0,
                new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
                ObjectiveNoise.PURE,
                share,
                DoubleVector.of(0.0)));
    assertThat(pure.additionDelta(0.0)).isCloseTo(pure.removalDelta(0.0), within(1e-12));
    assertThat(pure.additionDelta(0.0)).isGreaterThan(reached);
    assertThatIllegalArgumentException().isThrownBy(() -> pure.additionDelta(-1.0));
  }

  /**
   * A row that leaves a cell and enters another one, with Gaussian noise: both losses together are
   * at most {@code m (|Z1| + |Z2|) + m^2}, whose delta is taken over squares of 0.02.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 0.3", "1, 0.1", "5, 0.5"})
  void gaussianNoiseCoversTwoCells(double epsilon, double share) {
    ObjectiveSpec spec = spec(40, epsilon).withDeterminantShare(share);
    assertThat(spec.noise()).isEqualTo(ObjectiveNoise.GAUSSIAN);
    double ratio = spec.gradientBound() / ObjectiveCalibration.of(spec).scale();
    double left = (0.99 - share) * epsilon;
    double step = 0.02;
    double delta = 0.0;
    for (double x = 0.5 * step; x < 9.0; x += step) {
      for (double y = 0.5 * step; y < 9.0; y += step) {
        double over = ratio * (x + y) + ratio * ratio - left;
        double density = 4.0 * Math.exp(-0.5 * (x * x + y * y)) / (2.0 * Math.PI);
        delta += over > 0.0 ? -Math.expm1(-over) * density * step * step : 0.0;
      }
    }
    assertThat(delta).isBetween(1e-14, 1e-6);
  }

  /**
   * Without noise a fit is the exact minimiser; with a weak ridge the true model, outliers or not.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void fitsWithoutNoiseAreExact(Neighbours neighbours) {
    ObjectivePerturbation mechanism =
        ObjectivePerturbation.of(
            ObjectiveSpec.of(
                3, 1.25, new ModelLoss.Huber(0.05), new Budget(8.0, 1e-6, neighbours)));
    ModelRows rows = mechanism.rows();
    for (int i = 0; i < 5000; i++) {
      double x = Math.sin(i);
      double z = Math.cos(1.7 * i);
      double outlier = i % 25 == 0 ? 3.0 : 0.0;
      rows.add(new double[] {0.5, x, z}, 0.1 + 0.4 * x - 0.2 * z + outlier);
    }
    FittedModel model = mechanism.fit(rows, NOISE_FREE, "fit");
    assertThat(model.isPrivate()).isFalse();
    double[] theta = model.coefficients().toArray();
    // the outliers draw the constant by k / 24
    assertThat(0.5 * theta[0]).isCloseTo(0.1 + 0.05 / 24.0, within(1e-3));
    assertThat(theta[1]).isCloseTo(0.4, within(1e-3));
    assertThat(theta[2]).isCloseTo(-0.2, within(1e-3));
  }

  /**
   * Long rows weigh less, and the model stays that of the short ones: the response is not clipped.
   */
  @Test
  void clippingLongRowsLeavesALinearModelTrue() {
    ObjectivePerturbation mechanism = ObjectivePerturbation.of(spec(2, 20.0));
    ModelRows rows = mechanism.rows();
    for (int i = 0; i < 2000; i++) {
      double x = (i % 200 - 100) / 10.0; // up to 8 times the bound
      rows.add(new double[] {0.5, x}, 0.2 + 2.0 * x);
    }
    double[] theta = mechanism.fit(rows, NOISE_FREE, "fit").coefficients().toArray();
    assertThat(theta[1]).isCloseTo(2.0, within(1e-3));
    assertThat(0.5 * theta[0]).isCloseTo(0.2, within(2e-3));
  }

  @Test
  void logisticModelsFindTheOdds() {
    ObjectivePerturbation mechanism =
        ObjectivePerturbation.of(
            ObjectiveSpec.of(
                1, 1.0, new ModelLoss.Logistic(), new Budget(5.0, 1e-6, Neighbours.ADD_REMOVE)));
    ModelRows rows = mechanism.rows();
    for (int i = 0; i < 20_000; i++) {
      rows.add(new double[] {1.0}, i % 5 == 0 ? -1.0 : 1.0);
    }
    double theta = mechanism.fit(rows, Randomness.insecureForTests(4), "fit").coefficients().get(0);
    assertThat(theta).isCloseTo(Math.log(4.0), within(0.01));
  }

  /** Without rows the centre is what the ridge draws to. */
  @Test
  void aCentreIsWhereNothingIsLearnt() {
    ObjectiveSpec centred = spec(2, 1.0).withCentre(DoubleVector.of(0.25, -3.0));
    ObjectivePerturbation mechanism = ObjectivePerturbation.of(centred);
    double[] theta = mechanism.fit(mechanism.rows(), NOISE_FREE, "fit").coefficients().toArray();
    assertThat(theta[0]).isCloseTo(0.25, within(1e-10));
    assertThat(theta[1]).isCloseTo(-3.0, within(1e-10));
  }

  /** The same entropy gives the same model, another purpose another one; always on the grid. */
  @Test
  void releasesAreOnTheirGrid() {
    ObjectivePerturbation mechanism = ObjectivePerturbation.of(spec(4, 1.0));
    ModelRows rows = ObjectiveSolverTest.rows(mechanism, 300, 5);
    Randomness seeded = Randomness.insecureForTests(6);
    DoubleVector model = mechanism.fit(rows, seeded, "a").coefficients();
    assertThat(mechanism.fit(rows, seeded, "a").coefficients()).isEqualTo(model);
    assertThat(mechanism.fit(rows, seeded, "b").coefficients()).isNotEqualTo(model);
    int bits = mechanism.calibration().outputBits();
    assertThat(Arrays.stream(model.toArray()).map(x -> Math.scalb(x, bits)))
        .allMatch(steps -> steps == Math.rint(steps));
  }

  /** The noise of coefficients is that of the output grid, when b is taken out. */
  @Test
  void coefficientsCarryTheOutputNoise() {
    ObjectivePerturbation mechanism = ObjectivePerturbation.of(spec(1, 1.0));
    ModelRows rows = mechanism.rows();
    double scale =
        Math.scalb(mechanism.calibration().output().scale(), -mechanism.calibration().outputBits());
    double sum = 0.0;
    int fits = 2000;
    for (int i = 0; i < fits; i++) {
      Entropy entropy = Randomness.insecureForTests(i).entropy("noise");
      double b = mechanism.calibration().linear(Randomness.insecureForTests(i).entropy("noise"))[0];
      double theta = mechanism.fit(rows, entropy).get(0);
      sum += Math.abs(theta + b / mechanism.calibration().lambda());
    }
    // the mean size of a Laplace variable is its scale, with a standard error of 1 / sqrt 2000
    assertThat(sum / fits / scale).isBetween(0.88, 1.12);
  }

  @Test
  void wrongRowsAreRefused() {
    ObjectivePerturbation mechanism = ObjectivePerturbation.of(spec(2, 1.0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.fit(ModelRows.create(3, 1.25), NOISE_FREE, "fit"))
        .withMessageContaining("features of rows must have 2 entries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.fit(ModelRows.create(2, 1.26), NOISE_FREE, "fit"))
        .withMessageContaining("featureBound of rows must be in [1.25, 1.25]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.rows().add(new double[2], Double.NaN))
        .withMessage("response must be finite, in the encoded scale");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.rows().add(new double[3], 1.0))
        .withMessageContaining("features must have 2 entries");
  }

  /** A smaller ridge would not pay for the determinant. */
  @Test
  void aSmallerRidgeIsRefused() {
    ObjectivePerturbation mechanism = ObjectivePerturbation.of(spec(2, 1.0));
    double least = mechanism.calibration().lambda();
    DoubleVector centre = DoubleVector.of(0.0, 0.0);
    assertThat(mechanism.steps(mechanism.rows(), centre, least, NOISE_FREE.entropy("a")))
        .hasSize(2);
    for (double ridge : new double[] {Math.nextDown(least), 0.0, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  mechanism.steps(
                      mechanism.rows(), centre, ridge, Randomness.SYSTEM.entropy("model")))
          .withMessageStartingWith("ridge must be in [");
    }
  }

  @Test
  void impossibleSpecsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ObjectivePerturbation.of(spec(2, 60.0)))
        .withMessageContaining("delta must be above");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spec(2, 1.0).withDeterminantShare(0.95))
        .withMessage("determinantShare must be in [0.01, 0.9]. Provided value: 0.95");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ObjectivePerturbation.of(
                    ObjectiveSpec.of(
                        2,
                        1.25,
                        new ModelLoss.Huber(1000.0),
                        new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE))))
        .withMessageContaining("slope");
  }
}
