package io.gauze.regression.model;

import static io.gauze.regression.model.ModelFitTest.fitted;
import static io.gauze.regression.model.ModelFitTest.problem;
import static io.gauze.regression.model.ModelFitTest.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.twostage.ExpectedDescent;
import io.gauze.release.Release;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fits of releases of {@code descent}. */
final class DescentFitTest {
  private static final int ROWS = 20_000;
  private static final double RESIDUAL = 0.05;

  private static StreamPlan plan(double epsilon) {
    return plan(ModelFitTest.SCHEMA, epsilon, Map.of("response", "y"));
  }

  private static StreamPlan plan(RowSchema schema, double epsilon, Map<String, String> options) {
    return plan(DescentModel.NAME, schema, epsilon, options);
  }

  private static StreamPlan plan(
      String mechanism, RowSchema schema, double epsilon, Map<String, String> options) {
    return StreamPlan.of(
        new StreamRequest(
            "s",
            schema,
            new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(new SketchRequest("m", mechanism, 1.0, options))));
  }

  /** Encoded y is 0.05 + 0.3 a - 0.2 b and a residual, in so many rows. */
  private static ModelRows rows(DescentModel model, int count) {
    ModelRows rows = model.rows();
    SplittableRandom random = new SplittableRandom(count);
    for (int i = 0; i < count; i++) {
      double a = 0.1 + 0.3 * random.nextGaussian();
      double b = 0.3 * random.nextGaussian();
      double y = 0.05 + 0.3 * a - 0.2 * b + RESIDUAL * random.nextGaussian();
      model.add(rows, 0.5, a, b, y);
    }
    return rows;
  }

  private static Release release(StreamPlan plan, int count) {
    DescentModel model = (DescentModel) plan.sketches().get(0).mechanism();
    return released(plan, rows(model, count));
  }

  private static Release released(StreamPlan plan, ModelRows rows) {
    DescentModel model = (DescentModel) plan.sketches().get(0).mechanism();
    Randomness randomness = Randomness.insecureForTests(3);
    long[] payload = model.fit(rows, randomness.entropy("model"));
    ReleaseId id = new ReleaseId("s", ReleaseId.ALL, ReleaseId.ALL, "m");
    return Release.fromBytes(Release.of(plan, id, randomness, payload).toBytes());
  }

  @Test
  void itIsLeastSquaresAndSaysHowExact() {
    FitInput input = FitInput.of(release(plan(2.0), ROWS));
    Fit fit = fitted(input, problem(Loss.SQUARED));
    CoefficientTable table = fit.encoded();
    assertThat(table.names()).containsExactly("(intercept)", "a", "b");
    assertThat(table.estimates().get(0)).isCloseTo(0.05, within(0.01));
    assertThat(table.estimates().get(1)).isCloseTo(0.3, within(0.02));
    assertThat(table.estimates().get(2)).isCloseTo(-0.2, within(0.02));
    assertThat(fit.predictedExcess()).isBetween(1e-7, 0.01);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.GOOD);
    for (int k = 0; k < 3; k++) {
      assertThat(table.standardErrors().get(k)).isNaN();
    }
    assertThat(refused(input, problem(Loss.ABSOLUTE))).contains("ridge");
  }

  /** The constant is that of the release, whichever columns the model has: not on every grid. */
  @Test
  void theInterceptIsThatOfTheRelease() {
    List<Column> columns =
        IntStream.range(0, 40)
            .mapToObj(k -> (Column) new NumericColumn("c" + k, "c" + k, -1, 1))
            .toList();
    RowSchema schema = RowSchema.of(columns, 0.0332, 6.0, MissingValues.REJECT);
    StreamPlan plan = plan(schema, 8.0, Map.of("response", "c39", "features", "c0"));
    DescentModel model = (DescentModel) plan.sketches().get(0).mechanism();
    ModelRows rows = model.rows();
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 100_000; i++) {
      double[] row = new double[41];
      row[0] = schema.intercept();
      row[1] = 0.3 * random.nextGaussian();
      row[40] = 0.8 + 0.1 * row[1] + 0.005 * random.nextGaussian();
      model.add(rows, row);
    }
    RegressionProblem problem = RegressionProblem.of(schema, "c39", List.of("c0"));
    Fit fit = fitted(FitInput.of(released(plan, rows)), problem);
    assertThat(fit.inUserUnits(schema).estimates().get(0)).isCloseTo(0.8, within(1e-3));
  }

  /** Where noise hides where rows lie, steps may not arrive, whatever else the release says. */
  @Test
  void aModelOfHiddenRowsIsNotGood() {
    for (int count : new int[] {0, 1, 300}) {
      isNotGood(plan(0.1), count, Loss.SQUARED);
      isNotGood(plan(DescentModel.HUBER, 0.1, Map.of()), count, Loss.ABSOLUTE);
    }
  }

  private static void isNotGood(StreamPlan plan, int count, Loss loss) {
    FitInput input = FitInput.of(release(plan, count));
    Fit fit = fitted(input, problem(loss));
    assertThat(FitQuality.of(input, fit)).isNotEqualTo(FitQuality.GOOD);
    assertThat(fit.predictedExcess()).isNotNegative();
  }

  private static StreamPlan plan(String mechanism, double epsilon, Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.put("response", "y");
    return plan(mechanism, ModelFitTest.SCHEMA, epsilon, all);
  }

  /** Noise hides b - a, on which the response depends most. */
  @Test
  void farQuantilesOfHiddenDirectionsAreNotGood() {
    StreamPlan plan = plan(DescentModel.QUANTILE, 4.0, Map.of("quantile", "0.98"));
    DescentModel model = (DescentModel) plan.sketches().get(0).mechanism();
    ModelRows rows = model.rows();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < ROWS; i++) {
      double a = 0.3 * random.nextGaussian();
      double apart = 0.002 * random.nextGaussian();
      model.add(rows, 0.5, a, a + apart, 0.5 * a + 10 * apart + 0.004 * random.nextGaussian());
    }
    FitInput input = FitInput.of(released(plan, rows));
    Fit fit = fitted(input, problem(new Loss.Quantile(0.98)));
    assertThat(fit.predictedExcess()).isGreaterThan(0.01);
    assertThat(FitQuality.of(input, fit)).isNotEqualTo(FitQuality.GOOD);
  }

  /** Beyond it are 20 rows, and noise counts more. */
  @Test
  void quantilesOfFewRowsAreNotGood() {
    StreamPlan plan = plan(DescentModel.QUANTILE, 1.0, Map.of("quantile", "0.99"));
    isNotGood(plan, 2_000, new Loss.Quantile(0.99));
  }

  /** What it says of its excess is of Huber's loss, and a wide one is far from absolute values. */
  @Test
  void aWideThresholdIsNotGoodForMedians() {
    FitInput input = FitInput.of(release(plan(DescentModel.HUBER, 2.0, WIDE), ROWS));
    Fit median = fitted(input, problem(Loss.ABSOLUTE));
    assertThat(FitQuality.of(input, median)).isEqualTo(FitQuality.DOUBTFUL);
    Fit huber = fitted(input, problem(new Loss.Huber(0.3)));
    assertThat(FitQuality.of(input, huber)).isEqualTo(FitQuality.GOOD);
  }

  /** In the response's unit, which is a twentieth of an encoded one. */
  private static final Map<String, String> WIDE = Map.of("threshold", "6");

  /** The model is that of a wider loss than was asked for, and says so. */
  @Test
  void aNarrowThresholdIsWidened() {
    Map<String, String> narrow = Map.of("threshold", "0.001");
    FitInput input = FitInput.of(release(plan(DescentModel.HUBER, 2.0, narrow), ROWS));
    assertThat(refused(input, problem(new Loss.Huber(0.001)))).contains("0.0119");
    Fit median = fitted(input, problem(Loss.ABSOLUTE));
    assertThat(FitQuality.of(input, median)).isEqualTo(FitQuality.GOOD);
  }

  @Test
  void aMedianAnswersForItsLossAlone() {
    FitInput input = FitInput.of(release(plan(DescentModel.HUBER, 2.0, Map.of()), ROWS));
    Fit fit = fitted(input, problem(Loss.ABSOLUTE));
    assertThat(fit.encoded().estimates().get(1)).isCloseTo(0.3, within(0.02));
    assertThat(fit.encoded().estimates().get(2)).isCloseTo(-0.2, within(0.02));
    assertThat(fit.predictedExcess()).isBetween(1e-7, 0.01);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.GOOD);
    assertThat(refused(input, problem(Loss.SQUARED))).contains("ask for the loss lad");
    assertThat(refused(input, problem(new Loss.Huber(0.5)))).contains("the threshold");
  }

  @Test
  void aThresholdIsAnsweredAsItWasAskedFor() {
    StreamPlan plan = plan(DescentModel.HUBER, 2.0, Map.of("threshold", "2"));
    FitInput input = FitInput.of(release(plan, ROWS));
    double encoded = plan.sketches().get(0).mechanism().parameters().get("threshold");
    assertThat(fitted(input, problem(new Loss.Huber(encoded))).predictedExcess()).isLessThan(0.01);
    assertThat(refused(input, problem(new Loss.Huber(0.9 * encoded)))).contains("threshold 2.000");
  }

  /** Labels of 0 and 1, most of which are 0: the median of all is 0, whatever the features say. */
  @ParameterizedTest
  @CsvSource({"huber, 1.0", "huber, 8.0", "quantile, 1.0", "quantile, 8.0"})
  void aModelOfHeapsIsNotGood(String mechanism, double epsilon) {
    StreamPlan plan = plan(mechanism, epsilon, Map.of());
    DescentModel model = (DescentModel) plan.sketches().get(0).mechanism();
    ModelRows rows = model.rows();
    SplittableRandom random = new SplittableRandom(12);
    for (int i = 0; i < ROWS; i++) {
      double a = 0.1 + 0.3 * random.nextGaussian();
      double b = 0.3 * random.nextGaussian();
      boolean isOne = random.nextDouble() < 0.2 + 0.2 * a;
      model.add(rows, 0.5, a, b, isOne ? 0.5 : -0.5);
    }
    FitInput input = FitInput.of(released(plan, rows));
    Fit fit = fitted(input, problem(Loss.ABSOLUTE));
    assertThat(FitQuality.of(input, fit)).isNotEqualTo(FitQuality.GOOD);
  }

  /** What is expected before there are rows, beside 60 releases of rows of just that kind. */
  @ParameterizedTest
  @CsvSource({"descent, 0.5, 0", "huber, 0.5, 0", "quantile, 0.9, 1.2816"})
  void simulatedReleasesErrAsRealOnesDo(String mechanism, double quantile, double above) {
    Map<String, String> options =
        quantile == 0.5 ? Map.of() : Map.of("quantile", Double.toString(quantile));
    StreamPlan plan = plan(mechanism, 1.0, options);
    AssumedDataModel nominal =
        AssumedDataModel.of(ModelFitTest.SCHEMA, (double) ROWS, AssumedDataModel.EXPLAINED);
    Payload.Model payload = (Payload.Model) plan.payload("m");
    double expected =
        new ExpectedDescent((FitMethod.Steps) payload.origin(), payload.loss(), nominal).excess();
    DescentModel model = (DescentModel) plan.sketches().get(0).mechanism();
    ModelRows rows = nominalRows(model, nominal);
    Entropy entropy = Randomness.insecureForTests(4).entropy("releases");
    double[] excesses = new double[60];
    for (int k = 0; k < excesses.length; k++) {
      long[] numbers = model.fit(rows, entropy);
      double square = 0.0;
      double[] off = new double[nominal.features() + 1];
      for (int j = 0; j < off.length; j++) {
        off[j] = numbers[j] * model.stepSize() - nominal.coefficients().get(j);
      }
      off[0] -= above * Math.sqrt(nominal.residual() / nominal.rows()) / nominal.intercept();
      for (int i = 0; i < off.length; i++) {
        for (int j = 0; j < off.length; j++) {
          square += off[i] * off[j] * nominal.moments().get(i, j);
        }
      }
      excesses[k] = Math.sqrt(1.0 + square / nominal.residual()) - 1.0;
    }
    Arrays.sort(excesses);
    assertThat(expected / excesses[excesses.length / 2]).isBetween(0.4, 2.5);
  }

  /** Normal rows of the nominal moments. */
  private static ModelRows nominalRows(DescentModel model, AssumedDataModel nominal) {
    int size = nominal.features() + 2;
    double[][] root = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = nominal.moments().get(i, j) / nominal.rows();
        for (int k = 0; k < j; k++) {
          sum -= root[i][k] * root[j][k];
        }
        root[i][j] = i == j ? Math.sqrt(sum) : sum / root[j][j];
      }
    }
    ModelRows rows = model.rows();
    SplittableRandom random = new SplittableRandom(9);
    double[] row = new double[size];
    double[] drawn = new double[size];
    for (int n = 0; n < ROWS; n++) {
      drawn[0] = 1.0;
      for (int k = 1; k < size; k++) {
        drawn[k] = random.nextGaussian();
      }
      for (int i = 0; i < size; i++) {
        row[i] = 0.0;
        for (int j = 0; j <= i; j++) {
          row[i] += root[i][j] * drawn[j];
        }
        row[i] = Math.max(-1.0, Math.min(1.0, row[i]));
      }
      model.add(rows, row);
    }
    return rows;
  }
}
