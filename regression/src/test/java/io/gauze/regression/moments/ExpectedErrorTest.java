package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.Draws;
import io.gauze.regression.Fit;
import io.gauze.regression.FitRandom;
import io.gauze.regression.Simulation;
import io.gauze.regression.rows.MomentsInput;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected errors against the median excess of 41 simulated releases, which is known to a tenth;
 * the prediction is of the mean, which is above it: within a factor of two.
 */
class ExpectedErrorTest {
  private static final int RELEASES = 41;

  @ParameterizedTest
  @CsvSource({"10, 65536, 50", "10, 16384, 100", "5, 16384, 200", "20, 16384, 60"})
  void ofNoisyMoments(int features, int rows, double sigma) {
    MomentNoise noise = new MomentNoise.Gaussian(sigma);
    double expected = ExpectedError.moments(model(features, rows), noise);
    check(expected, features, rows, (m, random) -> Draws.additive(m, noise, random));
  }

  @ParameterizedTest
  @CsvSource({"10, 65536, 100, 20", "10, 65536, 200, 100", "6, 16384, 30, 80"})
  void ofLaplaceNoise(int features, int rows, double diagonal, double other) {
    MomentNoise noise = new MomentNoise.Laplace(diagonal, other);
    double expected = ExpectedError.moments(model(features, rows), noise);
    check(expected, features, rows, (m, random) -> Draws.additive(m, noise, random));
  }

  @ParameterizedTest
  @CsvSource({"10, 65536, 1000, 2", "10, 16384, 16, 20", "6, 16384, 100, 10"})
  void ofWishartNoise(int features, int rows, double degrees, double scale) {
    MomentNoise noise = new MomentNoise.Wishart(degrees, scale);
    double expected = ExpectedError.moments(model(features, rows), noise);
    check(expected, features, rows, (m, random) -> Draws.additive(m, noise, random));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 65536, 10240, 20000",
    "10, 65536, 256, 2000",
    "6, 16384, 64, 500",
    "6, 9999, 40, 0"
  })
  void ofProjections(int features, int rows, int projected, double ridge) {
    double expected = ExpectedError.projection(model(features, rows), projected, ridge);
    check(expected, features, rows, (m, random) -> Draws.projection(m, projected, ridge, random));
  }

  /** The law of a CountSketch is that of a projection, for many rows. */
  @ParameterizedTest
  @CsvSource({"6, 65536, 512, 3", "10, 65536, 64, 5"})
  void ofCountSketches(int features, int rows, int buckets, double sigma) {
    double expected = ExpectedError.countSketch(model(features, rows), buckets, sigma);
    Simulation simulation = new Simulation(features, 0.9, 3);
    double[] excess = new double[RELEASES];
    for (int i = 0; i < RELEASES; i++) {
      ReleasedRows release =
          Draws.countSketch(simulation, rows, buckets, sigma, simulation.random());
      SymmetricMatrix many = Draws.moments(simulation, 1 << 24, Draws.random(1));
      excess[i] = Draws.excess(many, Simulation.fit(release, simulation.problem()));
    }
    assertRatio(expected, Draws.median(excess));
  }

  static void check(
      double expected,
      int features,
      int rows,
      BiFunction<SymmetricMatrix, FitRandom, MomentsInput> release) {
    Simulation simulation = new Simulation(features, 0.9, 3);
    FitRandom random = Draws.random(2);
    double[] excess = new double[RELEASES];
    for (int i = 0; i < RELEASES; i++) {
      SymmetricMatrix exact = Draws.moments(simulation, rows, random);
      Fit fit = Simulation.fit(release.apply(exact, random), simulation.problem());
      excess[i] = Draws.excess(exact, fit);
    }
    assertRatio(expected, Draws.median(excess));
  }

  private static void assertRatio(double expected, double median) {
    assertThat(median).isBetween(0.0001, 0.5);
    assertThat(expected / median).isBetween(0.6, 2.0);
  }

  static AssumedDataModel model(int features, int rows) {
    return new AssumedDataModel(features, rows, Simulation.INTERCEPT, 1.0 / 9.0, 0.9);
  }

  /** sigma^2 [(|b|^2 + 1) tr M^-1 + b'M^-1 b] / (4 n^2 s2), up to the square of it and a ridge. */
  @Test
  void formulaOfNoisyMoments() {
    double rows = 1e6;
    double sigma = 50;
    double formula =
        sigma * sigma * (1.9 * (4.0 + 90.0) + 0.9 * 9.0) / (4.0 * rows * rows * 0.1 / 9.0);
    AssumedDataModel model = new AssumedDataModel(10, rows, 0.5, 1.0 / 9.0, 0.9);
    assertThat(ExpectedError.moments(model, new MomentNoise.Gaussian(sigma)))
        .isCloseTo(formula, within(0.001 * formula));
  }

  /** A fit that knows nothing has the whole response for its residual. */
  @Test
  void neverWorseThanIgnorance() {
    AssumedDataModel model = new AssumedDataModel(10, 1000, 0.5, 0.1, 0.75);
    MomentNoise noise = new MomentNoise.Gaussian(1e9);
    assertThat(ExpectedError.moments(model, noise)).isCloseTo(1.0, within(1e-12));
    assertThat(ExpectedError.projection(model, 12, 1.0)).isCloseTo(1.0, within(1e-12));
    assertThat(ExpectedError.projection(model, 1 << 20, 0.0)).isLessThan(1e-4);
  }

  @Test
  void argumentsAreChecked() {
    AssumedDataModel model = new AssumedDataModel(10, 1000, 0.5, 1.0 / 9.0, 0.9);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AssumedDataModel(10, 1000, 0.5, 0.1, 1.0))
        .withMessageContaining("explained");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AssumedDataModel(0, 1000, 0.5, 1.0 / 9.0, 0.9))
        .withMessage("features must be in [1, 4094]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExpectedError.inverseWishart(model, 15, 1.0))
        .withMessage("degreesOfFreedom must be in [16, 16777216]. Provided value: 15");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExpectedError.countSketch(model, 64, 0.0))
        .withMessage("sigma must be > 0 and finite. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExpectedError.projection(model, 64, Double.NaN))
        .withMessage("ridge must be >= 0 and finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExpectedError.projection(model, 0, 1.0))
        .withMessage("rows must be in [1, 1048576]. Provided value: 0");
  }
}
