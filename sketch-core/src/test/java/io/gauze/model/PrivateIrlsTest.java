package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.testing.Effort;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class PrivateIrlsTest {
  private static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
  private static final Randomness NOISE_FREE = Randomness.noiseFreeForTests(1);
  private static final int SAMPLES = Effort.of(4_000, 100_000);

  private static PrivateIrls of(IrlsNoise noise) {
    return PrivateIrls.of(new IrlsSpec(3, 1.25, 1.0, 0.1, 3, noise));
  }

  static Stream<IrlsNoise> laws() {
    return Stream.of(
        new IrlsNoise.Pure(BUDGET),
        new IrlsNoise.Composed(BUDGET),
        new IrlsNoise.Gaussian(BUDGET),
        IrlsNoise.Wishart.of(BUDGET, 3),
        new IrlsNoise.Concentrated(
            0.1, Neighbours.ADD_REMOVE, IrlsNoise.Concentrated.Law.GAUSSIAN));
  }

  /**
   * Each entry of a release of no rows has the mean and the variance of its law, by the calibrated
   * scale; the square of the response is released under Wishart noise alone. False alarms: 1e-6.
   */
  @ParameterizedTest
  @MethodSource("laws")
  void noiseHasItsMoments(IrlsNoise law) {
    PrivateIrls mechanism = of(law);
    IrlsCalibration calibration = mechanism.calibration();
    Entropy entropy = Randomness.insecureForTests(3).entropy("noise");
    double step = Math.scalb(1.0, -2 * calibration.gridBits());
    double[] sums = new double[10];
    double[] squares = new double[10];
    for (int i = 0; i < SAMPLES; i++) {
      long[] upper = mechanism.release(mechanism.rows(), zero(), i % 3, entropy);
      for (int j = 0; j < upper.length; j++) {
        boolean diagonal = j == 0 || j == 4 || j == 7 || j == 9;
        double value = upper[j] * step - (diagonal ? calibration.mean() : 0.0);
        sums[j] += value;
        squares[j] += value * value;
      }
    }
    boolean laplace = calibration.toString().contains("noise=laplace");
    for (int j = 0; j < 10; j++) {
      boolean diagonal = j == 0 || j == 4 || j == 7 || j == 9;
      double variance = calibrationVariance(calibration, laplace, diagonal);
      if (j == 9 && !(law instanceof IrlsNoise.Wishart)) {
        assertThat(squares[j]).isZero();
      } else {
        double error = Math.sqrt((laplace ? 5.0 : 2.1) / SAMPLES);
        assertThat(squares[j] / SAMPLES / variance).isCloseTo(1.0, within(5.5 * error));
        assertThat(sums[j] / SAMPLES).isCloseTo(0.0, within(5.5 * Math.sqrt(variance / SAMPLES)));
      }
    }
  }

  private static double calibrationVariance(
      IrlsCalibration calibration, boolean laplace, boolean diagonal) {
    double scale = calibration.scale();
    if (laplace) {
      return 2.0 * scale * scale;
    }
    if (calibration.spec().noise() instanceof IrlsNoise.Wishart wishart) {
      return scale * scale * wishart.degrees() * (diagonal ? 2.0 : 1.0);
    }
    return scale * scale * (diagonal ? 1.0 : 0.5);
  }

  private static DoubleVector zero() {
    return DoubleVector.of(0.0, 0.0, 0.0);
  }

  private static ModelRows line(PrivateIrls mechanism, int count, double outlier) {
    ModelRows rows = mechanism.rows();
    for (int i = 0; i < count; i++) {
      double x = Math.sin(i);
      double z = Math.cos(1.7 * i);
      rows.add(
          new double[] {0.5, 0.7 * x, 0.7 * z},
          0.1 + 0.3 * x - 0.2 * z + (i % 20 == 0 ? outlier : 0.0));
    }
    return rows;
  }

  /** One round is least squares, more come near the line that most rows are on. */
  @ParameterizedTest
  @CsvSource({"1, 0.01, 0.07", "3, 0.0, 0.001"})
  void roundsComeNearerToLeastAbsoluteDeviations(int rounds, double least, double most) {
    IrlsSpec spec = new IrlsSpec(3, 1.25, 1.0, 0.005, rounds, new IrlsNoise.Gaussian(BUDGET));
    PrivateIrls mechanism = PrivateIrls.of(spec);
    ModelRows rows = line(mechanism, 200_000, 0.5);
    IrlsModel model = mechanism.fit(rows, NOISE_FREE, "fit");
    DoubleVector fitted = model.coefficients();
    double away =
        Math.abs(0.5 * fitted.get(0) - 0.1)
            + Math.abs(0.7 * fitted.get(1) - 0.3)
            + Math.abs(0.7 * fitted.get(2) + 0.2);
    assertThat(away).isBetween(least, most);
    assertThat(model.isPrivate()).isFalse();
  }

  /** Each law finds the line among many rows. */
  @ParameterizedTest
  @MethodSource("laws")
  void fitsUnderEveryLawAreNearTheTruth(IrlsNoise law) {
    PrivateIrls mechanism = of(law);
    ModelRows rows = line(mechanism, 300_000, 0.0);
    DoubleVector fitted = mechanism.fit(rows, Randomness.insecureForTests(9), "fit").coefficients();
    assertThat(0.5 * fitted.get(0)).isCloseTo(0.1, within(0.01));
    assertThat(0.7 * fitted.get(1)).isCloseTo(0.3, within(0.01));
    assertThat(0.7 * fitted.get(2)).isCloseTo(-0.2, within(0.01));
  }

  /** Released moments are rarely positive definite where there are no rows: a model still is. */
  @ParameterizedTest
  @MethodSource("laws")
  void noRowsGiveASmallModel(IrlsNoise law) {
    PrivateIrls mechanism = of(law);
    for (int i = 0; i < 20; i++) {
      DoubleVector fitted =
          mechanism.fit(mechanism.rows(), Randomness.insecureForTests(i), "fit").coefficients();
      for (double coefficient : fitted.toArray()) {
        assertThat(Math.abs(coefficient)).isLessThan(10.0);
      }
    }
  }

  @Test
  void systemEntropyIsFreshAndPrivate() {
    PrivateIrls mechanism = of(new IrlsNoise.Gaussian(BUDGET));
    IrlsModel one = mechanism.fit(mechanism.rows(), Randomness.SYSTEM, "fit");
    IrlsModel other = mechanism.fit(mechanism.rows(), Randomness.SYSTEM, "fit");
    assertThat(one.isPrivate()).isTrue();
    assertThat(one.coefficients()).isNotEqualTo(other.coefficients());
  }

  @Test
  void wrongRowsAreRefused() {
    PrivateIrls mechanism = of(new IrlsNoise.Gaussian(BUDGET));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.fit(ModelRows.create(2, 1.25), NOISE_FREE, "fit"))
        .withMessageContaining("features of rows must have 3 entries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.fit(ModelRows.create(3, 1.5), NOISE_FREE, "fit"))
        .withMessageContaining("featureBound of rows must be in [1.25, 1.25]");
  }
}
