package io.gauze.regression.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.Arrays;
import java.util.Map;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Predictions of models of a few steps, against releases of the nominal model's own moments. */
final class ExpectedGradientErrorTest {
  private static final int FEATURES = 12;
  private static final RowSchema SCHEMA = Fixtures.numbers(FEATURES + 1, 0.5, 1.5);
  private static final int RELEASES = 15;

  @ParameterizedTest
  @CsvSource({
    "frank-wolfe, 20000, 1",
    "frank-wolfe, 1000000, 1",
    "iht, 20000, 1",
    "iht, 1000000, 1",
    "iht, 1000000, 5",
    "peeling, 100000, 1",
    "peeling, 1000000, 1",
    "objective-perturbation, 20000, 1",
    "objective-perturbation, 1000000, 1"
  })
  void predictionsAreWithinAFactorOfTwo(String name, long rows, double epsilon) {
    Budget budget = new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE);
    StreamPlan plan =
        StreamPlan.of(
            Fixtures.request(SCHEMA, budget, new SketchRequest("s", name, 1.0, Map.of()))
                .withExpectedRows(rows));
    AssumedDataModel nominal =
        AssumedDataModel.of(SCHEMA, (double) rows, AssumedDataModel.EXPLAINED);
    Mechanism mechanism = plan.sketch("s").mechanism();
    long[] state = state(nominal, mechanism);
    double[] excess = new double[RELEASES];
    ReleasedModel model = null;
    for (int i = 0; i < RELEASES; i++) {
      Randomness seeded = Randomness.insecureForTests(i);
      Entropy entropy = seeded.entropy(name);
      ReleaseId id = new ReleaseId("wine", ReleaseId.ALL, ReleaseId.ALL, "s");
      Release release = Release.of(plan, id, seeded, mechanism.release(state.clone(), entropy));
      model = (ReleasedModel) FitInput.of(release);
      excess[i] = excess(nominal, model);
    }
    Arrays.sort(excess);
    double predicted = model.expected().likely();
    assertThat(predicted).isBetween(0.5 * excess[RELEASES / 2], 2.0 * excess[RELEASES / 2]);
  }

  private static long[] state(AssumedDataModel nominal, Mechanism mechanism) {
    SecondMomentsSpec spec = (SecondMomentsSpec) mechanism.spec();
    DMatrixRMaj moments = nominal.moments();
    long[] state = new long[spec.stateLength()];
    for (int i = 0; i < spec.dimension(); i++) {
      for (int j = i; j < spec.dimension(); j++) {
        state[spec.index(i, j)] = Math.round(moments.get(i, j) / SCHEMA.grid().momentUnit());
      }
    }
    return state;
  }

  private static double excess(AssumedDataModel nominal, ReleasedModel model) {
    DMatrixRMaj moments = nominal.moments();
    DMatrixRMaj b = nominal.coefficients();
    double moved = 0.0;
    for (int k = 0; k < b.getNumElements(); k++) {
      moved += moments.get(k, k) * Math.pow(model.coefficients().get(k) - b.get(k), 2);
    }
    return Math.sqrt(1.0 + moved / nominal.residual()) - 1.0;
  }
}
