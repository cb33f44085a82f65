package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class FrankWolfeTest {
  private static final int COLUMNS = 5; // the last is the response
  private static final RowSchema SCHEMA = Fixtures.numbers(COLUMNS, 0.5, 1.5);
  private static final int PER_UNIT = SCHEMA.grid().fractionBits();

  private static FrankWolfe mechanism(
      Budget budget, BudgetScope scope, Map<String, String> options) {
    SketchRequest sketch = new SketchRequest("s", FrankWolfe.NAME, 1.0, options);
    StreamRequest request = Fixtures.request(SCHEMA, budget, sketch).withScope(scope);
    return (FrankWolfe) StreamPlan.of(request).sketch("s").mechanism();
  }

  private static FrankWolfe mechanism(Map<String, String> options) {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    return mechanism(budget, BudgetScope.ROWS, options);
  }

  /** The range is 4 mu / sqrt(2 pi T), mu by the formula of the Gaussian mechanism. */
  @ParameterizedTest
  @CsvSource({"0.5, 0.0396090", "1, 0.0755451", "2, 0.1430877"})
  void drawsSpendTheBudget(double epsilon, double range) {
    FrankWolfe planned =
        mechanism(
            new Budget(epsilon, 1e-6, Neighbours.ADD_REMOVE),
            BudgetScope.ROWS,
            Map.of("steps", "25"));
    assertThat(planned.range()).isCloseTo(range, within(1e-6));
    double spent = Math.sqrt(25.0) * BoundedRange.mu(planned.range());
    assertThat(spent).isBetween(planned.mu() * (1.0 - 1e-9), planned.mu());
  }

  /** Vertices of one step have probabilities proportional to exp(r score / 2 d). */
  @Test
  void verticesHaveTheirLaw() {
    FrankWolfe one = mechanism(Map.of("steps", "1", "radius", "1.5"));
    long[] state = new long[one.spec().stateLength()];
    double bound = one.bounds().entry(new double[COLUMNS]);
    double[] scores = new double[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) {
      scores[k] = bound * (2.0 * k - 3.0) * 2.0;
      state[one.spec().index(k, COLUMNS)] = Math.round(scores[k] / one.momentUnit());
    }
    Entropy entropy = Randomness.insecureForTests(4).entropy("vertices");
    int draws = 40_000;
    double[] counts = new double[2 * COLUMNS];
    for (int i = 0; i < draws; i++) {
      long[] theta = one.release(state.clone(), entropy);
      int vertex = 0;
      for (int k = 0; k < COLUMNS; k++) {
        vertex = theta[k] == 0L ? vertex : 2 * k + (theta[k] > 0L ? 0 : 1);
      }
      assertThat(Arrays.stream(theta).map(Math::abs).sum()).isEqualTo(1L << 24); // 2 / 3 of 1.5
      counts[vertex]++;
    }
    double[] law = new double[2 * COLUMNS];
    Arrays.setAll(
        law, v -> Math.exp(one.range() * scores[v / 2] * (v % 2 == 0 ? 1 : -1) / (2.0 * bound)));
    double all = Arrays.stream(law).sum();
    double square = 0.0;
    double wrong = 0.0;
    for (int v = 0; v < law.length; v++) {
      double expected = draws * law[v] / all;
      square += Math.pow(counts[v] - expected, 2) / expected;
      double flat = draws * Math.sqrt(law[v]);
      wrong += flat;
    }
    assertThat(square).isLessThan(33.7); // chi-square of 9 degrees, 1e-4
    assertThat(flattened(law, counts, wrong, draws)).isGreaterThan(100.0);
  }

  /** The statistic under a law of half the range. */
  private static double flattened(double[] law, double[] counts, double sum, int draws) {
    double square = 0.0;
    for (int v = 0; v < law.length; v++) {
      double expected = draws * (draws * Math.sqrt(law[v]) / sum);
      square += Math.pow(counts[v] - expected, 2) / expected;
    }
    return square;
  }

  /** Without noise: the steps of the textbook, in doubles, as long as no two scores are alike. */
  @Test
  void withoutNoiseStepsAreThoseOfTheTextbook() {
    FrankWolfe planned = mechanism(Map.of("steps", "7", "radius", "0.8"));
    long[] state = HardThresholdingTest.moments(planned.spec(), PER_UNIT);
    long[] released =
        planned.release(state.clone(), Randomness.noiseFreeForTests(1).entropy("none"));
    double[] theta = new double[COLUMNS];
    for (int step = 1; step <= 7; step++) {
      double[] gradient = HardThresholdingTest.gradient(planned.spec(), state, theta);
      int best = 0;
      for (int k = 1; k < COLUMNS; k++) {
        best = Math.abs(gradient[k]) > Math.abs(gradient[best]) ? k : best;
      }
      double part = 2.0 / (step + 2.0);
      for (int k = 0; k < COLUMNS; k++) {
        theta[k] *= 1.0 - part;
      }
      theta[best] += part * 0.8 * Math.signum(gradient[best]);
    }
    for (int k = 0; k < COLUMNS; k++) {
      assertThat(released[k] * planned.stepSize()).isCloseTo(theta[k], within(1e-5));
    }
  }

  /** Four rows of a user in three cells: together the draws spend no more than the budget. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void usersScaleTheScores(Neighbours neighbours) {
    Budget budget = new Budget(1.0, 1e-6, neighbours);
    FrankWolfe row = mechanism(budget, BudgetScope.ROWS, Map.of("steps", "9"));
    FrankWolfe user = mechanism(budget, BudgetScope.users("customer", 4), Map.of("steps", "9"));
    double[] theta = {0.1, 0.0, -0.5, 0.2, 0.0};
    assertThat(row.rate(theta) / user.rate(theta)).isCloseTo(4.0, within(1e-9));
    assertThat(user.range()).isEqualTo(row.range());
  }

  @Test
  void stepsArePlannedAndSizesChecked() {
    assertThat(mechanism(Map.of()).steps()).isEqualTo(97); // sqrt(1e6 mu) / 5
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism(Map.of("radius", "100")))
        .withMessageContaining("radius must be a number in [0.01, 64.0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism(Map.of("steps", "0")))
        .withMessageContaining("steps must be a whole number in [1, 1000]");
  }
}
