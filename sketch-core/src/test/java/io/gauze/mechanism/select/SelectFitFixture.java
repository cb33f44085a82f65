package io.gauze.mechanism.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** What the tests of both forms of {@code select-fit} share. */
final class SelectFitFixture {
  static final int COLUMNS = 30; // the last is the response
  static final RowSchema SCHEMA = Fixtures.numbers(COLUMNS, 0.5, 2.0);
  static final Entropy NONE = Randomness.noiseFreeForTests(1).entropy("none");

  private SelectFitFixture() {}

  static StreamRequest request(Budget budget, Map<String, String> options) {
    return Fixtures.request(SCHEMA, budget, new SketchRequest("s", SelectFit.NAME, 1.0, options));
  }

  static Mechanism planned(StreamRequest request) {
    return StreamPlan.of(request).sketch("s").mechanism();
  }

  /**
   * Draws and noise together spend the budget of epsilon 1 and delta 1e-6, and no more.
   *
   * @param share the expected mu of the moments with this noise
   */
  static void assertSpent(SelectionPlan plan, int rounds, ToDoubleFunction<SymmetricNoise> share) {
    double square = plan.selected() * Math.pow(BoundedRange.mu(plan.range()), 2);
    List<SymmetricNoise> all = new ArrayList<>(plan.fits());
    all.add(plan.noise());
    assertThat(all).hasSize(rounds);
    for (SymmetricNoise noise : all) {
      square += Math.pow(share.applyAsDouble(noise), 2);
    }
    assertThat(Math.sqrt(square)).isBetween(plan.mu() * (1.0 - 1e-6), plan.mu());
    assertThat(plan.mu()).isLessThanOrEqualTo(GaussianDp.mu(1.0, 1e-6));
  }

  /**
   * Makes rows in the encoded scale whose response is x1 - 0.8 x2, of which x2 is uncorrelated with
   * the response: only the residual of the first round shows it. x3 has a small slope.
   */
  static void correlated(int rows, Consumer<double[]> add) {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < rows; i++) {
      double[] x = new double[COLUMNS + 1];
      x[0] = 0.5;
      for (int k = 1; k < COLUMNS; k++) {
        x[k] = 0.15 * random.nextGaussian();
      }
      x[2] = 0.8 * x[1] + 0.6 * x[2];
      x[COLUMNS] = x[1] - 0.8 * x[2] + 0.1 * x[3];
      for (int k = 0; k <= COLUMNS; k++) {
        x[k] = Math.max(-1.0, Math.min(1.0, x[k]));
      }
      add.accept(x);
    }
  }

  /** Returns the intercept, the columns of a payload, which must be in order, and the response. */
  static int[] columns(int selected, double stepSize, long... payload) {
    assertThat(payload).hasSize(selected + SelectFitKind.triangle(selected));
    int[] columns = new int[selected + 2];
    for (int k = 0; k < selected; k++) {
      columns[1 + k] = (int) Math.rint(payload[k] * stepSize);
      assertThat(columns[1 + k]).isGreaterThan(columns[k]);
    }
    columns[selected + 1] = COLUMNS;
    return columns;
  }
}
