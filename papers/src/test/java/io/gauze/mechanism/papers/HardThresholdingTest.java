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
import io.gauze.sketch.SecondMomentsSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HardThresholdingTest {
  private static final int COLUMNS = 5; // the last is the response
  private static final RowSchema SCHEMA = Fixtures.numbers(COLUMNS, 0.5, 1.5);
  private static final int PER_UNIT = SCHEMA.grid().fractionBits();
  private static final Entropy NONE = Randomness.noiseFreeForTests(1).entropy("none");

  private static HardThresholding mechanism(
      String name, Budget budget, BudgetScope scope, Map<String, String> options) {
    SketchRequest sketch = new SketchRequest("s", name, 1.0, options);
    StreamRequest request = Fixtures.request(SCHEMA, budget, sketch).withScope(scope);
    return (HardThresholding) StreamPlan.of(request).sketch("s").mechanism();
  }

  private static HardThresholding mechanism(String name, Map<String, String> options) {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    return mechanism(name, budget, BudgetScope.ROWS, options);
  }

  /** A thousand rows' moments of equally correlated columns, of slopes 0.5 and -0.4. */
  static long[] moments(SecondMomentsSpec spec, int bits) {
    double[] slopes = {0.2, 0.5, 0.0, -0.4, 0.0};
    double[][] m = new double[COLUMNS + 1][COLUMNS + 1];
    for (int i = 0; i < COLUMNS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        m[i][j] = i == j ? 100.0 : i > 0 && j > 0 ? 80.0 : 0.0;
        m[i][COLUMNS] += m[i][j] * slopes[j];
      }
    }
    long[] state = new long[spec.stateLength()];
    for (int i = 0; i <= COLUMNS; i++) {
      for (int j = i; j <= COLUMNS; j++) {
        state[spec.index(i, j)] = Math.round(Math.scalb(m[i][j], 2 * bits));
      }
    }
    return state;
  }

  static double[] gradient(SecondMomentsSpec spec, long[] state, double... theta) {
    double[] gradient = new double[theta.length];
    for (int j = 0; j < theta.length; j++) {
      gradient[j] = state[spec.index(j, theta.length)];
      for (int k = 0; k < theta.length; k++) {
        gradient[j] -= theta[k] * state[spec.index(j, k)];
      }
    }
    return gradient;
  }

  /** The parts by the formula of the Gaussian mechanism: all of them together are the budget. */
  @ParameterizedTest
  @CsvSource({
    "iht, 0.5, 0.0248212, 0.0496425, 0",
    "iht, 1, 0.0473409, 0.0946818, 0",
    "peeling, 1, 0.0473409, 0.0669501, 0.0616823"
  })
  void partsSpendTheBudget(
      String name, double epsilon, double curvature, double values, double range) {
    Budget budget = new Budget(epsilon, 1e-6, Neighbours.ADD_REMOVE);
    HardThresholding planned =
        mechanism(name, budget, BudgetScope.ROWS, Map.of("steps", "6", "nonzero", "3"));
    GradientBudget parts = planned.parts();
    assertThat(parts.curvature()).isCloseTo(curvature, within(1e-6));
    assertThat(parts.values()).isCloseTo(values, within(1e-6));
    assertThat(parts.range()).isCloseTo(range, within(1e-6));
    double draws = range == 0.0 ? 0.0 : 3 * Math.pow(BoundedRange.mu(parts.range()), 2);
    double spent = Math.pow(parts.curvature(), 2) + 6 * (Math.pow(parts.values(), 2) + draws);
    assertThat(Math.sqrt(spent)).isBetween(planned.mu() * (1.0 - 1e-9), planned.mu());
  }

  /**
   * Without noise the loss never rises, for columns of any dependence, and the slopes are found: a
   * step of the size that suits independent columns diverges here.
   */
  @ParameterizedTest
  @ValueSource(strings = {"iht", "peeling"})
  void stepsNeverDiverge(String name) {
    double last = Double.POSITIVE_INFINITY;
    for (int steps : new int[] {1, 2, 3, 5, 10, 20, 50, 100}) {
      HardThresholding planned =
          mechanism(name, Map.of("nonzero", "2", "steps", Integer.toString(steps)));
      long[] state = moments(planned.spec(), PER_UNIT);
      long[] theta = planned.release(state.clone(), NONE);
      double[] encoded = ExactGradient.encoded(theta);
      double[] gradient = gradient(planned.spec(), state, encoded);
      double loss = 0.0; // minus theta'(m + gradient) / 2, but for a constant
      for (int k = 0; k < COLUMNS; k++) {
        loss -= 0.5 * encoded[k] * (state[planned.spec().index(k, COLUMNS)] + gradient[k]);
      }
      assertThat(loss).isLessThanOrEqualTo(last);
      last = loss;
      if (steps == 100) {
        assertThat(encoded[1]).isCloseTo(0.5, within(0.05));
        assertThat(encoded[3]).isCloseTo(-0.4, within(0.05));
        assertThat(encoded[0]).isCloseTo(0.2, within(0.02));
      }
    }
  }

  /** One step from 0 is the noisy gradient over the curvature; a noise 5 % off is rejected. */
  @ParameterizedTest
  @ValueSource(strings = {"iht", "peeling"})
  void valuesHaveTheirNoise(String name) {
    HardThresholding one = mechanism(name, Map.of("nonzero", "4", "steps", "1"));
    long[] state = new long[one.spec().stateLength()];
    double curvature = 1e7 / one.momentUnit(); // its own noise is nothing beside
    for (int k = 0; k < COLUMNS; k++) {
      state[one.spec().index(k, k)] = (long) curvature;
    }
    double sensitivity = one.bounds().entries(4, new double[COLUMNS]);
    double sigma = sensitivity / one.parts().values() / one.momentUnit();
    Entropy entropy = Randomness.insecureForTests(8).entropy(name);
    double sum = 0.0;
    int runs = 4_000;
    for (int i = 0; i < runs; i++) {
      for (long value : one.release(state.clone(), entropy)) {
        sum += Math.pow(value * one.stepSize() * (curvature + one.curvatureMargin()) / sigma, 2);
      }
    }
    int samples = runs * COLUMNS;
    assertThat(sum / samples).isCloseTo(1.0, within(5.0 * Math.sqrt(2.0 / samples)));
  }

  /** The feature that is kept has the probability of the exponential mechanism. */
  @Test
  void drawsHaveTheirLaw() {
    HardThresholding one = mechanism("peeling", Map.of("nonzero", "1", "steps", "1"));
    long[] state = new long[one.spec().stateLength()];
    double bound = one.bounds().entry(new double[COLUMNS]);
    double[] scores = {0.0, 2.0, -12.0, 6.0, 0.0};
    for (int k = 0; k < COLUMNS; k++) {
      scores[k] *= bound;
      state[one.spec().index(k, COLUMNS)] = Math.round(scores[k] / one.momentUnit());
      state[one.spec().index(k, k)] = 1L << 40;
    }
    double range = one.parts().range();
    double[] law = new double[COLUMNS];
    double all = 0.0;
    for (int k = 1; k < COLUMNS; k++) {
      law[k] = Math.exp(range * Math.abs(scores[k]) / (2.0 * bound));
      all += law[k];
    }
    int draws = 30_000;
    double[] counts = new double[COLUMNS];
    Entropy entropy = Randomness.insecureForTests(6).entropy("draws");
    for (int i = 0; i < draws; i++) {
      long[] theta = one.release(state.clone(), entropy);
      for (int k = 1; k < COLUMNS; k++) {
        counts[k] += theta[k] == 0L ? 0.0 : 1.0;
      }
    }
    double square = 0.0;
    for (int k = 1; k < COLUMNS; k++) {
      double expected = draws * law[k] / all;
      square += Math.pow(counts[k] - expected, 2) / expected;
    }
    assertThat(square).isLessThan(21.1); // chi-square of 3 degrees, 1e-4
    assertThat(law[2] / all).isGreaterThan(0.3); // far from 1 / 4
  }

  /** Noise follows the model: a step at a larger one has more. The ball bounds it. */
  @Test
  void sensitivitiesFollowTheModel() {
    HardThresholding planned = mechanism("iht", Map.of("radius", "1.5"));
    GradientBounds bounds = planned.bounds();
    double atZero = bounds.entries(4, new double[COLUMNS]);
    double atEnd = bounds.entries(4, 0.0, 0.0, 0.0, 0.0, 1.5);
    double square = planned.bounds().rowBound() * planned.bounds().rowBound();
    assertThat(atZero).isLessThanOrEqualTo(square * (1.0 + 1e-9));
    assertThat(atEnd / atZero).isBetween(1.5, 1.5 + Math.sqrt(1.0 + 2.25));
    long[] state = new long[planned.spec().stateLength()];
    for (int k = 1; k < COLUMNS; k++) {
      state[planned.spec().index(k, COLUMNS)] = 1L << 60; // no curvature, huge gradient
    }
    double[] theta = ExactGradient.encoded(planned.release(state, NONE));
    double length = 0.0;
    for (int k = 1; k < COLUMNS; k++) {
      length += theta[k] * theta[k];
    }
    assertThat(Math.sqrt(length)).isCloseTo(1.5, within(1e-6));
  }

  @Test
  void sizesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("iht", Map.of("nonzero", "5")))
        .withMessageContaining("nonzero must be at most 4, the features beside the intercept.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("peeling", Map.of("response", "(intercept)")))
        .withMessageContaining("response must not be the intercept.");
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    for (String name : new String[] {"iht", "peeling"}) {
      HardThresholding row = mechanism(name, budget, BudgetScope.ROWS, Map.of());
      HardThresholding user = mechanism(name, budget, BudgetScope.users("customer", 4), Map.of());
      assertThat(user.sigma() / row.sigma()).isCloseTo(4.0, within(1e-9));
      assertThat(user.curvatureMargin() / row.curvatureMargin()).isCloseTo(4.0, within(1e-6));
    }
  }
}
