package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.PositiveSystem;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.model.ObjectiveNoise;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SquaresModelTest {
  private static final int COLUMNS = 5; // the last is the response
  private static final RowSchema SCHEMA = Fixtures.numbers(COLUMNS, 0.5, 1.5);

  private static SquaresModel mechanism(
      RowSchema schema, BudgetScope scope, Map<String, String> options) {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    SketchRequest sketch = new SketchRequest("s", SquaresModel.NAME, 1.0, options);
    StreamRequest request = Fixtures.request(schema, budget, sketch).withScope(scope);
    return (SquaresModel) StreamPlan.of(request).sketch("s").mechanism();
  }

  private static SquaresModel mechanism(Map<String, String> options) {
    return mechanism(SCHEMA, BudgetScope.ROWS, options);
  }

  /**
   * Five features of at most .5 and 1, cut to a norm of 1.5: beta is 2.25, and the gradient at most
   * 2.25 (R + sqrt(1 + R^2)) / 2 or 1.5 (1 + 1.5 R), whichever is smaller.
   */
  @Test
  void boundsAreThoseOfRows() {
    SquaresModel planned = mechanism(Map.of());
    assertThat(planned.squares().radius()).isEqualTo(1.5);
    assertThat(planned.squares().curvatureBound()).isCloseTo(2.25, within(1e-9));
    assertThat(planned.squares().gradientBound())
        .isCloseTo(1.125 * (1.5 + Math.sqrt(3.25)), within(1e-9));
    assertThat(mechanism(Map.of("radius", "0.25")).squares().gradientBound())
        .isCloseTo(1.125 * (0.25 + Math.sqrt(1.0625)), within(1e-9));
    MechanismCost.Approximate cost = (MechanismCost.Approximate) planned.cost();
    assertThat(cost.epsilon()).isBetween(0.99, 1.01);
    assertThat(cost.delta()).isBetween(planned.perturbation().samplerDelta(), 1e-6);
  }

  /** Pure noise up to 18 features, Gaussian noise beyond or where it is asked for. */
  @Test
  void noiseIsPlanned() {
    assertThat(mechanism(Map.of()).squares().noise()).isEqualTo(ObjectiveNoise.PURE);
    SquaresModel gaussian = mechanism(Map.of("noise", "gaussian"));
    assertThat(gaussian.squares().noise()).isEqualTo(ObjectiveNoise.GAUSSIAN);
    assertThat(gaussian.noiseLaw()).contains("Gaussian with standard deviation");
    assertThat(gaussian.shape()).isNotEqualTo(mechanism(Map.of()).shape());
    assertThat(
            mechanism(Fixtures.numbers(20, 0.5, 1.5), BudgetScope.ROWS, Map.of()).squares().noise())
        .isEqualTo(ObjectiveNoise.GAUSSIAN);
  }

  /** Without noise the model is the ridge of the moments; in a small ball its nearest point. */
  @Test
  void withoutNoiseModelsAreMinimisers() {
    SquaresModel planned = mechanism(Map.of());
    long[] state = HardThresholdingTest.moments(planned.spec(), SCHEMA.grid().fractionBits());
    double[] exact = new double[COLUMNS * COLUMNS];
    double[] right = new double[COLUMNS];
    double unit = SCHEMA.grid().momentUnit();
    for (int j = 0; j < COLUMNS; j++) {
      right[j] = state[planned.spec().index(j, COLUMNS)] * unit;
      for (int k = 0; k < COLUMNS; k++) {
        double ridge = j == k ? planned.perturbation().lambda() : 0.0;
        exact[j * COLUMNS + k] = state[planned.spec().index(j, k)] * unit + ridge;
      }
    }
    double[] expected = PositiveSystem.of(COLUMNS, exact).orElseThrow().solve(right);
    double[] found = released(planned, state);
    double square = 0.0;
    for (int k = 0; k < COLUMNS; k++) {
      assertThat(found[k]).isCloseTo(expected[k], within(1e-6));
      square += expected[k] * expected[k];
    }
    double half = 0.5 * Math.sqrt(square);
    double[] cut = released(mechanism(Map.of("radius", Double.toString(half))), state);
    double length = 0.0;
    for (double entry : cut) {
      length += entry * entry;
    }
    assertThat(Math.sqrt(length)).isCloseTo(half, within(1e-6));
  }

  private static double[] released(SquaresModel planned, long... state) {
    long[] steps = planned.release(state.clone(), Randomness.noiseFreeForTests(1).entropy("none"));
    double[] theta = new double[steps.length];
    for (int k = 0; k < theta.length; k++) {
      theta[k] = steps[k] * planned.stepSize();
    }
    return theta;
  }

  @Test
  void sizesAndUnitsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism(Map.of("radius", "100")))
        .withMessageContaining("radius must be a number in [0.01, 64.0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism(SCHEMA, BudgetScope.users("customer", 4), Map.of()))
        .withMessageContaining("whose ridge hides the curvature of one row");
  }
}
