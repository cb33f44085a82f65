package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ReferenceData;
import io.gauze.testing.Alpha;
import io.gauze.testing.Effort;
import java.io.IOException;
import org.apache.commons.numbers.gamma.RegularizedGamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ProjectionPrivacyTest {
  @ParameterizedTest
  @CsvSource({"jl_add_remove, ADD_REMOVE", "jl_replace_one, REPLACE_ONE"})
  void agreesWithTheReferenceAnswers(String name, Neighbours neighbours) throws IOException {
    JsonNode all =
        new ObjectMapper()
            .readTree(ReferenceData.folder().resolve("oracles/privacy.json").toFile());
    assertThat(all.get(name)).hasSize(9);
    for (JsonNode entry : all.get(name)) {
      Budget budget =
          new Budget(entry.get("eps").asDouble(), entry.get("delta").asDouble(), neighbours);
      double ridge = ProjectionPrivacy.ridge(budget, entry.get("r").asInt());
      assertThat(ridge / entry.get("w2_over_B2").asDouble() - 1.0).isBetween(-1e-14, 1e-10);
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "projection-delta.csv")
  void agreesWithManyDigits(String label, int rows, double epsilon, double ridge, double exact) {
    double delta = ProjectionPrivacy.delta(epsilon, Neighbours.parse(label), rows, ridge);
    assertThat(delta / exact - 1.0).isCloseTo(0.0, within(1e-12));
  }

  /** The values that the documents quote. */
  @ParameterizedTest
  @CsvSource({
    "1, 1e-6, 256, 53.4, 68.2",
    "0.1, 1e-6, 64, 250.3, 302.8",
    "1, 1e-9, 1024, 134.1, 176.6"
  })
  void givesTheQuotedRidges(double epsilon, double delta, int rows, double one, double both) {
    Budget add = new Budget(epsilon, delta, Neighbours.ADD_REMOVE);
    Budget replace = new Budget(epsilon, delta, Neighbours.REPLACE_ONE);
    assertThat(ProjectionPrivacy.ridge(add, rows)).isCloseTo(one, within(0.05));
    assertThat(ProjectionPrivacy.ridge(replace, rows)).isCloseTo(both, within(0.05));
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void isMonotoneAndSharp(Neighbours neighbours) {
    int[] all = {1, 2, 3, 4, 5, 7, 10, 16, 30, 64, 200, 1000, 30_000, 1 << 20};
    int[] rows = Effort.of(new int[] {1, 3, 64, 1 << 20}, all);
    double[] many = {0.01, 0.03, 0.1, 0.3, 1, 2, 5, 10, 20};
    double[] epsilons = Effort.of(new double[] {0.01, 1, 20}, many);
    double[] deltas = {1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.1};
    double[][][] ridges = new double[rows.length][epsilons.length][deltas.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < epsilons.length; j++) {
        for (int k = 0; k < deltas.length; k++) {
          double ridge = sharp(new Budget(epsilons[j], deltas[k], neighbours), rows[i]);
          ridges[i][j][k] = ridge;
          assertThat(ridge).isGreaterThan(i == 0 ? 0.0 : ridges[i - 1][j][k]);
          assertThat(ridge).isLessThan(j == 0 ? 1e100 : ridges[i][j - 1][k]);
          assertThat(ridge).isLessThan(k == 0 ? 1e100 : ridges[i][j][k - 1]);
        }
      }
    }
  }

  private static double sharp(Budget budget, int rows) {
    double ridge = ProjectionPrivacy.ridge(budget, rows);
    double epsilon = budget.epsilon();
    Neighbours neighbours = budget.neighbours();
    double delta = ProjectionPrivacy.delta(epsilon, neighbours, rows, ridge);
    double less = ProjectionPrivacy.delta(epsilon, neighbours, rows, ridge * (1.0 - 1e-6));
    assertThat(delta).isBetween(budget.delta() * (1.0 - 1e-9), budget.delta());
    assertThat(less).isGreaterThan(budget.delta());
    return ridge;
  }

  @ParameterizedTest
  @CsvSource({"1, 0.3", "2, 1", "7, 3", "100, 20", "100000, 300"})
  void deltaFallsWithEpsilonAndReplacingIsHarder(int rows, double ridge) {
    double[] previous = {1.0, 1.0};
    for (double epsilon = 0.0; epsilon < 12.0; epsilon += 0.25) {
      double one = ProjectionPrivacy.delta(epsilon, Neighbours.ADD_REMOVE, rows, ridge);
      double both = ProjectionPrivacy.delta(epsilon, Neighbours.REPLACE_ONE, rows, ridge);
      assertThat(one).isBetween(0.0, previous[0]).isLessThanOrEqualTo(both);
      assertThat(both).isBetween(0.0, previous[1]);
      previous = new double[] {one, both};
    }
  }

  /** The formula as it is in print, where its terms do not cancel much. */
  @ParameterizedTest
  @CsvSource({"1, 0.5, 0.2", "1, 4, 1", "2, 1, 1", "9, 0.1, 2", "40, 3, 1.5", "300, 1, 10"})
  void agreesWithTheTailsOfChiSquare(int rows, double epsilon, double ridge) {
    double a = 0.5 * rows;
    double ratio = 1.0 + 1.0 / ridge;
    double kappa = 1.0 / (1.0 + ridge);
    double up = (epsilon + a * Math.log(ratio)) / kappa;
    double down = (a * Math.log(ratio) - epsilon) / kappa;
    double present =
        RegularizedGamma.Q.value(a, up / ratio)
            - Math.exp(epsilon) * RegularizedGamma.Q.value(a, up);
    double absent =
        down <= 0.0
            ? 0.0
            : RegularizedGamma.P.value(a, down)
                - Math.exp(epsilon) * RegularizedGamma.P.value(a, down / ratio);
    double delta = ProjectionPrivacy.delta(epsilon, Neighbours.ADD_REMOVE, rows, ridge);
    assertThat(delta / Math.max(present, absent)).isCloseTo(1.0, within(1e-10));
  }

  /** Extreme leverages neither overflow nor lose the limits. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void hasTheRightLimits(Neighbours neighbours) {
    for (int rows : new int[] {1, 10, 1 << 20}) {
      assertThat(ProjectionPrivacy.delta(1.0, neighbours, rows, 1e100)).isZero();
      assertThat(ProjectionPrivacy.delta(1.0, neighbours, rows, 1e-100)).isBetween(0.99, 1.0);
      assertThat(ProjectionPrivacy.delta(0.0, neighbours, rows, 1e12)).isBetween(0.0, 1e-8);
      assertThat(ProjectionPrivacy.delta(100.0, neighbours, rows, 1e8)).isBetween(0.0, 1e-30);
    }
  }

  /**
   * z-tests of ten means over 1e6 draws of the privacy loss; together they fail with chance 1e-6.
   * One row more or less, or the other relation, is noticed.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.5, 0.3", "2, 0.2, 1", "3, 1, 0.7", "6, 0.5, 2", "10, 2, 1"})
  void agreesWithTheSimulatedPrivacyLoss(int rows, double epsilon, double ridge) {
    double critical = Alpha.z(10);
    for (Neighbours neighbours : Neighbours.values()) {
      SimulatedLoss.Estimate estimate = simulated(neighbours, rows, epsilon, 1.0 / ridge);
      assertThat(Math.abs(estimate.z(delta(neighbours, rows, epsilon, ridge))))
          .isLessThan(critical);
      assertThat(Math.abs(estimate.z(delta(neighbours, rows + 1, epsilon, ridge))))
          .isGreaterThan(critical + 5.0);
      Neighbours other =
          neighbours == Neighbours.ADD_REMOVE ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE;
      assertThat(Math.abs(estimate.z(delta(other, rows, epsilon, ridge))))
          .isGreaterThan(critical + 5.0);
    }
  }

  private static double delta(Neighbours neighbours, int rows, double epsilon, double ridge) {
    return ProjectionPrivacy.delta(epsilon, neighbours, rows, ridge);
  }

  /** The loss from the log-densities of the rows along the directions that differ. */
  private static SimulatedLoss.Estimate simulated(
      Neighbours neighbours, int rows, double epsilon, double lambda) {
    double wide = 1.0 + lambda;
    if (neighbours == Neighbours.REPLACE_ONE) {
      return SimulatedLoss.delta(
          epsilon,
          20260102,
          random -> {
            double first = wide * SimulatedLoss.chiSquare(rows, random);
            double second = SimulatedLoss.chiSquare(rows, random);
            return logRatio(rows, first, wide) - logRatio(rows, second, wide);
          });
    }
    return SimulatedLoss.Estimate.larger(
        SimulatedLoss.delta(
            epsilon,
            20260103,
            random -> logRatio(rows, wide * SimulatedLoss.chiSquare(rows, random), wide)),
        SimulatedLoss.delta(
            epsilon,
            20260104,
            random -> -logRatio(rows, SimulatedLoss.chiSquare(rows, random), wide)));
  }

  /** N(0, wide) against N(0, 1), rows samples with this sum of squares. */
  private static double logRatio(int rows, double squares, double wide) {
    return -0.5 * rows * Math.log(wide) - 0.5 * squares / wide + 0.5 * squares;
  }

  @Test
  void refusesWhatIsOutOfRange() {
    Budget budget = new Budget(1, 1e-6, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProjectionPrivacy.ridge(budget, 0))
        .withMessage("rows must be in [1, 1048576]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProjectionPrivacy.ridge(budget, (1 << 20) + 1))
        .withMessage("rows must be in [1, 1048576]. Provided value: 1048577");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProjectionPrivacy.delta(Double.NaN, Neighbours.ADD_REMOVE, 1, 1.0))
        .withMessage("epsilon must be in [0, 100]. Provided value: NaN");
    for (double ridge : new double[] {Double.NaN, 0.0, -1.0, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ProjectionPrivacy.delta(1.0, Neighbours.ADD_REMOVE, 1, ridge))
          .withMessage("ridge must be in [1.0E-100, 1.0E100]. Provided value: " + ridge);
    }
  }
}
