package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.FitMessage;
import io.gauze.model.ModelRows;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.advice.Advisor;
import io.gauze.regression.rows.ExactRows;
import io.gauze.release.Release;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of the log odds of a label. */
final class LogisticModelTest {
  private static final int ROWS = 40_000;

  /** The label is won above 0.5, the middle, which is not what is encoded as 0. */
  private static final RowSchema SCHEMA =
      schema(
          new NumericColumn("a", 0, 10),
          new NumericColumn("b", -5, 5),
          new NumericColumn("won", "won", 0, 1, 0.2));

  private static RowSchema schema(Column... columns) {
    return RowSchema.of(List.of(columns), 0.5, 1.5, MissingValues.MIDPOINT);
  }

  private static StreamPlan plan(RowSchema schema, double epsilon, long rows, String response) {
    return StreamPlan.of(
        new StreamRequest(
            "s",
            schema,
            new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            rows,
            List.of(),
            List.of(new SketchRequest("m", "logistic", 1.0, Map.of("response", response)))));
  }

  private static RowsMechanism mechanism(StreamPlan plan) {
    return (RowsMechanism) plan.sketches().get(0).mechanism();
  }

  /** Log odds of 0.4 + 0.9 (a - 5) - 0.5 b; the values of the label are 0.3 and 0.6. */
  private static Release release(StreamPlan plan, Randomness randomness) throws Exception {
    RowsMechanism model = mechanism(plan);
    ModelRows rows = model.rows();
    RowEncoder encoder = new RowEncoder(SCHEMA);
    double[] scaled = new double[SCHEMA.dimension()];
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < ROWS; i++) {
      double a = 5.0 + 1.5 * random.nextGaussian();
      double b = 1.5 * random.nextGaussian();
      double odds = 0.4 + 0.9 * (a - 5.0) - 0.5 * b;
      boolean won = random.nextDouble() < 1.0 / (1.0 + Math.exp(-odds));
      encoder.begin();
      encoder.number(SCHEMA.fieldIndex("a"), a);
      encoder.number(SCHEMA.fieldIndex("b"), b);
      encoder.number(SCHEMA.fieldIndex("won"), won ? 0.6 : 0.3);
      encoder.scale(scaled);
      model.add(rows, scaled);
    }
    ReleaseId id = new ReleaseId("s", ReleaseId.ALL, ReleaseId.ALL, "m");
    long[] payload = model.fit(rows, randomness.entropy("model"));
    return Release.fromBytes(Release.of(plan, id, randomness, payload).toBytes());
  }

  private static RegressionProblem problem(Loss loss) {
    return RegressionProblem.of(SCHEMA, "won").withLoss(loss);
  }

  /** Standard errors without privacy are 0.012, 0.010 and 0.009; noise of seed 3. */
  @Test
  void coefficientsAreLogOddsInTheUnitsOfTheColumns() throws Exception {
    StreamPlan plan = plan(SCHEMA, 5.0, ROWS, "won");
    FitInput input = FitInput.of(release(plan, Randomness.insecureForTests(3)));
    Fit fit = ((FitOutcome.Fitted) Regression.fit(input, problem(Loss.LOGISTIC))).fit();
    CoefficientTable table = fit.inUserUnits(SCHEMA);
    assertThat(table.names()).containsExactly("(intercept)", "a", "b");
    assertThat(table.estimates().get(0) + 5.0 * table.estimates().get(1))
        .isCloseTo(0.4, within(0.1));
    assertThat(table.estimates().get(1)).isCloseTo(0.9, within(0.1));
    assertThat(table.estimates().get(2)).isCloseTo(-0.5, within(0.1));
    assertThat(table.standardErrors().get(1)).isNaN();
    assertThat(fit.rows()).isNaN();
    assertThat(Said.by(fit)).contains(FitMessage.MODEL, FitMessage.ODDS);
    assertThat(Said.of(FitMessage.ODDS, fit)).asString().contains("log odds of won above 0.5");
    assertThat(fit.predictedExcess()).isBetween(1e-6, 0.02);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.GOOD);
  }

  @Test
  void otherQuestionsAreRefused() throws Exception {
    FitInput input =
        FitInput.of(release(plan(SCHEMA, 5.0, ROWS, "won"), Randomness.insecureForTests(3)));
    for (Loss loss : List.of(Loss.SQUARED, Loss.ABSOLUTE, new Loss.Huber(0.1))) {
      assertThat(((FitOutcome.Refused) Regression.fit(input, problem(loss))).reason())
          .endsWith("of the log odds of won above 0.5; ask for the loss logistic");
    }
    ExactRows rows = ExactRows.create(SCHEMA.dimension(), SCHEMA.intercept());
    assertThat(((FitOutcome.Refused) Regression.fit(rows, problem(Loss.LOGISTIC))).reason())
        .contains("release a model of the mechanism logistic");
  }

  /** With as many rows of one label alone, the constant has the label's sign. */
  @ParameterizedTest
  @CsvSource({
    "number, 0.5, -1",
    "number, 0.500001, 1",
    "number, 0.2, -1",
    "number, 7, 1",
    "number, , -1",
    "code, 3, 1",
    "code, 2, -1",
    "flag, yes, 1",
    "flag, no, -1",
    "flag, , -1",
    "kind=c, c, 1",
    "kind=c, b, -1",
    "kind=c, a, -1"
  })
  void labelsAreAboveTheMiddleOfTheRange(String response, String value, int sign) throws Exception {
    RowSchema schema =
        schema(
            new NumericColumn("x", 0, 1),
            new NumericColumn("number", "number", 0, 1, 0.2),
            new NumericColumn("code", "code", 1, 4, 3),
            new IndicatorColumn("flag", "flag", "yes"),
            new CategoryColumn("kind", "kind", List.of("a", "b", "c")));
    RowsMechanism model = mechanism(plan(schema, 1.0, 1000, response));
    ModelRows rows = model.rows();
    RowEncoder encoder = new RowEncoder(schema);
    encoder.begin();
    encoder.number(schema.fieldIndex("x"), 0.5);
    String field = response.replace("=c", "");
    if (value != null && schema.numericField(schema.fieldIndex(field))) {
      encoder.number(schema.fieldIndex(field), Double.parseDouble(value));
    } else if (value != null) {
      encoder.text(schema.fieldIndex(field), value);
    }
    double[] scaled = new double[schema.dimension()];
    encoder.scale(scaled);
    for (int i = 0; i < 1000; i++) {
      model.add(rows, scaled);
    }
    long[] fitted = model.fit(rows, Randomness.noiseFreeForTests(1).entropy("model"));
    assertThat(Long.signum(fitted[0])).isEqualTo(sign);
  }

  /** The ridge is planned so that the solver ends for the rows that are expected. */
  @Test
  void aLargeEpsilonGetsALargerRidge() {
    assertThat(mechanism(plan(SCHEMA, 5.0, 1_000_000, "won")).parameters())
        .containsEntry("determinantShare", 0.3);
    assertThat(mechanism(plan(SCHEMA, 20.0, 1_000_000, "won")).parameters())
        .containsEntry("determinantShare", 0.2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(SCHEMA, 20.0, 100_000_000, "won"))
        .withMessageStartingWith("model m: expectedRows must be at most ")
        .withMessageContaining(
            "make epochs shorter or epsilon smaller. Provided value: 100,000,000");
  }

  @Test
  void aBoundThatIsTooSmallIsNamed() {
    StreamRequest request = plan(SCHEMA, 1.0, 1000, "won").request();
    Map<String, String> options = Map.of("response", "won", "featureBound", "0.1");
    SketchRequest small = new SketchRequest("m", "logistic", 1.0, options);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request.withSketches(List.of(small))))
        .withMessageStartingWith("model m: featureBound, epsilon or delta is out of range: slope");
  }

  /** A row that moves between cells of two shares costs more than epsilon. */
  @Test
  void anotherRidgeIsAnotherSeries() {
    String few = plan(SCHEMA, 15.0, 10_000, "won").series("all");
    assertThat(plan(SCHEMA, 15.0, 20_000, "won").series("all")).isEqualTo(few);
    assertThat(plan(SCHEMA, 15.0, 4_000_000, "won").series("all")).isNotEqualTo(few);
  }

  @Test
  void adviceIsForThisLossAlone() {
    StreamRequest request = plan(SCHEMA, 1.0, ROWS, "won").request();
    List<Advisor.Advice> odds = Advisor.of(request, Loss.LOGISTIC);
    assertThat(odds).extracting(Advisor.Advice::mechanism).containsExactly("logistic");
    assertThat(odds.get(0).predictedExcess().getAsDouble()).isBetween(1e-4, 0.1);
    assertThat(Advisor.recommended(odds)).isEmpty();
    assertThat(Advisor.model(odds)).isPresent();
    assertThat(Advisor.of(request, Loss.SQUARED))
        .extracting(Advisor.Advice::mechanism)
        .doesNotContain("logistic");
  }
}
