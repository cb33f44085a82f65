package io.gauze.regression.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.message.FitMessage;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many columns, of which four have slopes. */
final class SelectionFitTest {
  private static final int COLUMNS = 60;
  private static final int RESPONSE = COLUMNS;
  private static final int ROWS = 20_000;
  private static final List<Integer> SLOPES = List.of(3, 17, 40, 59);
  private static final RowSchema SCHEMA = Fixtures.numbers(COLUMNS, 0.5, 2.5);
  private static final Randomness SEEDED = Randomness.insecureForTests(5);
  private static final RegressionProblem PROBLEM = RegressionProblem.of(SCHEMA, "x59");

  private static Release release(String mechanism, Map<String, String> options) {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    StreamPlan plan =
        StreamPlan.of(
            Fixtures.request(SCHEMA, budget, new SketchRequest("s", mechanism, 1.0, options))
                .withExpectedRows(ROWS));
    Mechanism planned = plan.sketch("s").mechanism();
    Entropy entropy = SEEDED.entropy(mechanism);
    ReleaseId id = new ReleaseId("wine", ReleaseId.ALL, ReleaseId.ALL, "s");
    return Release.of(plan, id, SEEDED, payload(planned, entropy));
  }

  private static long[] payload(Mechanism planned, Entropy entropy) {
    if (planned instanceof RowsMechanism model) {
      ModelRows held = model.rows();
      rows(row -> model.add(held, row));
      return model.fit(held, entropy);
    }
    LinearSketch<?> sketch = planned.spec().zero();
    EncodedRow encoded = new EncodedRow(COLUMNS + 1);
    rows(
        row -> {
          for (int k = 0; k < row.length; k++) {
            encoded.values()[k] = (int) (row[k] / SCHEMA.grid().step());
          }
          sketch.add(new RowTag(), encoded, 1);
        });
    long[] state = sketch.state();
    planned.addNoise(state, 0, entropy);
    return planned.release(state, entropy);
  }

  private static void rows(Consumer<double[]> out) {
    SplittableRandom random = new SplittableRandom(2);
    double[] row = new double[COLUMNS + 1];
    for (int i = 0; i < ROWS; i++) {
      double y = 0.05 * random.nextGaussian();
      for (int k = 1; k < COLUMNS; k++) {
        row[k] = 0.3 * random.nextDouble(-1.0, 1.0);
        y += SLOPES.contains(k) ? (k % 2 == 0 ? 0.5 : -0.5) * row[k] : 0.0;
      }
      row[0] = 0.5;
      row[RESPONSE] = y;
      out.accept(row);
    }
  }

  private static Fit fit(Release release, RegressionProblem problem) {
    return ((FitOutcome.Fitted) Regression.fit(FitInput.of(release), problem)).fit();
  }

  private static double error(Fit fit) {
    double sum = 0.0;
    for (int i = 0; i < fit.coefficients().size(); i++) {
      int k = fit.problem().features().get(i);
      double slope = SLOPES.contains(k) && k < COLUMNS ? (k % 2 == 0 ? 0.5 : -0.5) : 0.0;
      sum += k == 0 ? 0.0 : Math.pow(fit.coefficients().get(i) - slope, 2);
    }
    return Math.sqrt(sum);
  }

  /**
   * The slopes are found, the others are 0, and all of it is closer than moments of all columns.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void selectedColumnsHaveSlopesAndOthersAreZero(String readings) {
    Release release = release("select-fit", Map.of("selected", "5", "readings", readings));
    Fit fit = fit(Release.fromBytes(release.toBytes()), PROBLEM);
    long zeros = Arrays.stream(fit.coefficients().toArray()).filter(b -> b == 0.0).count();
    assertThat(zeros).isEqualTo(COLUMNS - 1 - 5);
    assertThat(error(fit))
        .isLessThan(0.15)
        .isLessThan(0.5 * error(fit(release("noisy-moments", Map.of()), PROBLEM)));
    assertThat(fit.withheld()).hasSizeGreaterThanOrEqualTo((int) zeros);
    assertThat(Said.by(fit)).contains(FitMessage.SELECTED);
    assertThat(Said.of(FitMessage.SELECTED, fit))
        .asString()
        .contains("54 of 59 features were not selected");
    CoefficientTable table = fit.encoded();
    for (int k : List.of(3, 17, 40)) {
      double slope = k % 2 == 0 ? 0.5 : -0.5;
      assertThat(Math.abs(table.estimates().get(k) - slope))
          .isLessThan(5.0 * table.standardErrors().get(k));
    }
    assertThat(table.standardErrors().get(1)).isNaN();
  }

  @Test
  void leastAbsoluteDeviationsAndFewerFeatures() {
    Release release = release("select-fit", Map.of("selected", "5"));
    Fit lad = fit(release, PROBLEM.withLoss(new Loss.Quantile(0.5)));
    assertThat(error(lad)).isLessThan(0.15);
    Fit few = fit(release, RegressionProblem.of(SCHEMA, "x59", List.of("x39", "x1")));
    assertThat(few.coefficients().get(1)).isBetween(0.3, 0.7);
    assertThat(few.coefficients().get(2)).isZero();
    assertThat(FitInput.of(release).ignorance(few).getAsDouble()).isBetween(0.05, 0.5);
  }

  /** What it predicts leaves out features, so that its fits are not called good. */
  @Test
  void fitsWithoutSomeFeaturesAreDoubtful() {
    FitInput input = FitInput.of(release("select-fit", Map.of("selected", "5")));
    Fit all = ((FitOutcome.Fitted) Regression.fit(input, PROBLEM)).fit();
    assertThat(input.hasFeatures(PROBLEM)).isFalse();
    assertThat(FitQuality.of(input, all)).isEqualTo(FitQuality.DOUBTFUL);
    RegressionProblem selected = RegressionProblem.of(SCHEMA, "x59", List.of("x2", "x39"));
    assertThat(input.hasFeatures(selected)).isTrue();
    Fit few = ((FitOutcome.Fitted) Regression.fit(input, selected)).fit();
    assertThat(FitQuality.of(input, few))
        .as("rows may be shortened")
        .isEqualTo(FitQuality.DOUBTFUL);
    RowSchema whole = RowSchema.of(SCHEMA.columns(), 0.5);
    RegressionProblem ofWhole = RegressionProblem.of(whole, "x59", List.of("x2", "x39"));
    Fit good = ((FitOutcome.Fitted) Regression.fit(input, ofWhole)).fit();
    assertThat(FitQuality.of(input, good)).isEqualTo(FitQuality.GOOD);
    assertThat(Regression.fit(input, RegressionProblem.of(SCHEMA, "x59", List.of("x1", "x4"))))
        .isInstanceOfSatisfying(
            FitOutcome.Refused.class,
            refused ->
                assertThat(refused.reason()).startsWith("none of the features was selected"));
  }

  @Test
  void answersForItsResponseAlone() {
    FitInput input = FitInput.of(release("select-fit", Map.of("selected", "5")));
    assertThat(Regression.fit(input, RegressionProblem.of(SCHEMA, "x1")))
        .isEqualTo(
            new FitOutcome.Refused(
                "select-fit answers for the response x59 alone; fit that, or release"
                    + " noisy-moments"));
  }
}
