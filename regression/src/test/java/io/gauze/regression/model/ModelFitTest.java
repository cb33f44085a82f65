package io.gauze.regression.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.FitMessage;
import io.gauze.model.ModelRows;
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
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Releases of one model answer the question that they were made for, and no other. */
final class ModelFitTest {
  private static final List<Column> COLUMNS =
      List.of(
          new NumericColumn("a", 0, 10),
          new NumericColumn("b", -5, 5),
          new NumericColumn("y", -20, 20));
  static final RowSchema SCHEMA = RowSchema.of(COLUMNS, 0.5, 1.7, MissingValues.REJECT);
  private static final int ROWS = 20_000;

  static StreamPlan plan(String mechanism, Map<String, String> options) {
    return StreamPlan.of(
        new StreamRequest(
            "s",
            SCHEMA,
            new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(new SketchRequest("m", mechanism, 1.0, options))));
  }

  /** y = 1 + 1.2 (a - 5) - 0.8 b + an error of mean 0 that is 20 times too large in 5 % of rows. */
  static Release release(StreamPlan plan) throws Exception {
    Mechanism mechanism = plan.sketches().get(0).mechanism();
    RowsMechanism model = (RowsMechanism) mechanism;
    ModelRows rows = model.rows();
    RowEncoder encoder = new RowEncoder(SCHEMA);
    double[] scaled = new double[SCHEMA.dimension()];
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < ROWS; i++) {
      double a = 5.0 + 1.5 * random.nextGaussian();
      double b = 1.5 * random.nextGaussian();
      double error = 0.5 * random.nextGaussian() * (i % 20 == 0 ? 20.0 : 1.0);
      encoder.begin();
      encoder.number(SCHEMA.fieldIndex("a"), a);
      encoder.number(SCHEMA.fieldIndex("b"), b);
      encoder.number(SCHEMA.fieldIndex("y"), 1 + 1.2 * (a - 5) - 0.8 * b + error);
      encoder.scale(scaled);
      model.add(rows, scaled);
    }
    Randomness randomness = Randomness.insecureForTests(3);
    long[] payload = model.fit(rows, randomness.entropy("model"));
    ReleaseId id = new ReleaseId("s", ReleaseId.ALL, ReleaseId.ALL, "m");
    return Release.fromBytes(Release.of(plan, id, randomness, payload).toBytes());
  }

  static RegressionProblem problem(Loss loss) {
    return RegressionProblem.of(SCHEMA, "y").withLoss(loss);
  }

  static Fit fitted(FitInput input, RegressionProblem problem) {
    return ((FitOutcome.Fitted) Regression.fit(input, problem)).fit();
  }

  static String refused(FitInput input, RegressionProblem problem) {
    return ((FitOutcome.Refused) Regression.fit(input, problem)).reason();
  }

  @Test
  void aHuberModelIsTheMedianOfRowsWithOutliers() throws Exception {
    FitInput input = FitInput.of(release(plan("huber", Map.of())));
    Fit fit = fitted(input, problem(Loss.ABSOLUTE));
    CoefficientTable table = fit.inUserUnits(SCHEMA);
    assertThat(table.names()).containsExactly("(intercept)", "a", "b");
    assertThat(table.estimates().get(0)).isCloseTo(-5.0, within(0.15));
    assertThat(table.estimates().get(1)).isCloseTo(1.2, within(0.03));
    assertThat(table.estimates().get(2)).isCloseTo(-0.8, within(0.03));
    assertThat(fit.rows()).as("nothing paid for it").isNaN();
    for (int k = 0; k < 3; k++) {
      assertThat(table.standardErrors().get(k)).isNaN();
    }
    assertThat(Said.by(fit)).contains(FitMessage.MODEL);
    assertThat(Said.of(FitMessage.MODEL, fit)).asString().contains("and no number of rows");
    assertThat(fit.predictedExcess()).isBetween(1e-7, 0.01);
  }

  @Test
  void aQuantileIsAboveTheMedian() throws Exception {
    FitInput input =
        FitInput.of(release(plan("quantile", Map.of("quantile", "0.9", "threshold", "0.1"))));
    CoefficientTable upper = fitted(input, problem(new Loss.Quantile(0.9))).inUserUnits(SCHEMA);
    assertThat(upper.estimates().get(1)).isCloseTo(1.2, within(0.1));
    double atMean = upper.estimates().get(0) + 5.0 * upper.estimates().get(1);
    assertThat(atMean).isCloseTo(1.0 + 1.28 * 0.5 * 1.1, within(0.2)); // errors of 5 % are wider
    assertThat(refused(input, problem(Loss.ABSOLUTE))).contains("of the quantile 0.9");
  }

  @Test
  void otherQuestionsAreRefused() throws Exception {
    FitInput input = FitInput.of(release(plan("huber", Map.of("threshold", "1.5"))));
    assertThat(refused(input, problem(Loss.SQUARED)))
        .contains("Huber's loss with the threshold 1.500 (0.07500 in the encoded scale)");
    assertThat(refused(input, RegressionProblem.of(SCHEMA, "a").withLoss(Loss.ABSOLUTE)))
        .contains("one model, of the response y");
    RegressionProblem fewer =
        RegressionProblem.of(SCHEMA, "y", List.of("a")).withLoss(Loss.ABSOLUTE);
    assertThat(refused(input, fewer)).contains("of the features a, b");
    assertThat(refused(input, problem(Loss.ABSOLUTE).withLambda(1.0))).contains("leave lambda out");
    assertThat(fitted(input, problem(new Loss.Huber(0.075))).warnings()).isNotEmpty();
    assertThat(refused(input, problem(new Loss.Huber(0.08)))).contains("ask for the loss lad");
  }

  @Test
  void featuresThatAModelLacksAreZeroAndSaidSo() throws Exception {
    FitInput input = FitInput.of(release(plan("huber", Map.of("features", "a"))));
    Fit fit = fitted(input, problem(Loss.ABSOLUTE));
    assertThat(fit.inUserUnits(SCHEMA).estimates().get(2)).isZero();
    assertThat(Said.by(fit)).contains(FitMessage.LACKS);
    assertThat(Said.of(FitMessage.LACKS, fit)).asString().contains("without 1 of", ": b.");
    assertThat(input.hasFeatures(fit.problem())).isFalse();
    assertThat(FitQuality.of(input, fit)).isNotEqualTo(FitQuality.GOOD);
  }

  @Test
  void modelsDoNotAddUp() throws Exception {
    Release release = release(plan("huber", Map.of()));
    assertThat(FitInput.of(release).addsUp()).isFalse();
  }

  @Test
  void wrongColumnsAndUnitsAreErrors() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("huber", Map.of("features", "a,y")))
        .withMessageContaining("features must be distinct and not the response");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("huber", Map.of("features", "a,z")))
        .withMessageContaining("features must be one of ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("huber", Map.of("threshold", "1e9")))
        .withMessageContaining("threshold must be in [");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("huber-track", Map.of("threshold", "20000")))
        .withMessageContaining(
            "model m: threshold, featureBound or epsilon is out of range: slope");
    assertThat(plan("huber-track", Map.of("featureBound", "0.015625")).sketches()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("quantile", Map.of("quantile", "1")))
        .withMessageContaining("quantile must be a number in [0.01, 0.99]. Provided value: 1");
  }
}
