package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.testing.Alpha;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class SquaresPerturbationTest {
  private static final double UNIT = 0x1p-30;
  private static final double RADIUS = 0.75;

  private static SquaresPerturbation mechanism(
      double epsilon, Neighbours neighbours, ObjectiveNoise noise) {
    Budget budget = new Budget(epsilon, 1e-6, neighbours);
    return SquaresPerturbation.of(
        new SquaresSpec(1, RADIUS, 1.0 + RADIUS, 1.0, UNIT, budget, noise));
  }

  /**
   * What hides the solver: 2 (gamma / lambda + h / 2) / e_s for one feature, gamma at least the
   * tolerance of 2^-30, e_s a hundredth of epsilon, and half of that for replaced rows.
   */
  @ParameterizedTest
  @CsvSource({"add-remove, PURE, 0.01", "replace-one, PURE, 0.005", "add-remove, GAUSSIAN, 0.01"})
  void theSolverIsHidden(String neighbours, ObjectiveNoise noise, double epsilon) {
    SquaresPerturbation mechanism = mechanism(1.0, Neighbours.parse(neighbours), noise);
    double step = Math.scalb(1.0, -mechanism.outputBits());
    double exact = 2.0 * (0x1p-30 / mechanism.lambda() + 0.5 * step) / epsilon;
    assertThat(mechanism.output().scale() * step)
        .isEqualTo(mechanism.outputScale())
        .isBetween(exact, 1.01 * exact); // what b is off by is far below the tolerance
    assertThat(step).isLessThan(0x1p-30 / mechanism.lambda());
  }

  /**
   * In one dimension the model is (m - b) / (M + lambda), cut to the ball: both ends and 20 bins
   * within, 40,000 draws. A law whose ridge is half as large again is rejected.
   */
  @ParameterizedTest
  @EnumSource(ObjectiveNoise.class)
  void modelsHaveTheirLaw(ObjectiveNoise noise) {
    SquaresPerturbation mechanism = mechanism(4.0, Neighbours.ADD_REMOVE, noise);
    double rows = 3.0;
    double product = 0.6;
    ExactSquares squares =
        new ExactSquares(
            new long[] {Math.round(rows / UNIT)}, new long[] {Math.round(product / UNIT)});
    Entropy entropy = Randomness.insecureForTests(7).entropy(noise.label());
    double[] models = new double[40_000];
    for (int i = 0; i < models.length; i++) {
      models[i] =
          Math.scalb((double) mechanism.steps(squares, entropy)[0], -mechanism.outputBits());
    }
    ContinuousDistribution law =
        noise == ObjectiveNoise.PURE
            ? LaplaceDistribution.of(0.0, mechanism.scale())
            : NormalDistribution.of(0.0, mechanism.scale());
    double ridge = mechanism.lambda();
    assertThat(statistic(law, product, rows + ridge, models)).isLessThan(Alpha.chiSquare(21));
    assertThat(statistic(law, product, rows + 1.5 * ridge, models))
        .isGreaterThan(Alpha.chiSquare(21));
  }

  private static double statistic(
      ContinuousDistribution law, double product, double square, double... models) {
    int bins = 20;
    double width = 2.0 * RADIUS / bins;
    double[] counts = new double[bins + 2];
    for (double model : models) {
      int bin = (int) Math.floor((model + RADIUS) / width) + 1;
      boolean low = model < 1e-4 - RADIUS; // an end, and what hides the solver
      boolean high = model > RADIUS - 1e-4;
      counts[low ? 0 : high ? bins + 1 : bin]++;
    }
    double sum = 0.0;
    for (int bin = 0; bin < counts.length; bin++) {
      double from = bin == 0 ? 0.0 : below(law, product, square, (bin - 1) * width - RADIUS);
      double to = bin > bins ? 1.0 : below(law, product, square, bin * width - RADIUS);
      double expected = models.length * (to - from);
      sum += Math.pow(counts[bin] - expected, 2) / expected;
    }
    return sum;
  }

  /** P((m - b) / square < theta). */
  private static double below(
      ContinuousDistribution law, double product, double square, double theta) {
    return law.survivalProbability(product - square * theta);
  }

  @Test
  void rangesAreChecked() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SquaresSpec(1, 65.0, 1.0, 1.0, UNIT, budget, ObjectiveNoise.PURE))
        .withMessageContaining("radius must be in");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SquaresSpec(1, 1.0, 1.0, 1.0, 0.3, budget, ObjectiveNoise.PURE))
        .withMessageContaining("momentUnit must be in");
    SquaresSpec poor =
        new SquaresSpec(
            1,
            1.0,
            1.0,
            1.0,
            0x1p-60,
            new Budget(1e-3, 1e-6, Neighbours.ADD_REMOVE),
            ObjectiveNoise.PURE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SquaresPerturbation.of(poor))
        .withMessageContaining("epsilon must be so large");
  }
}
