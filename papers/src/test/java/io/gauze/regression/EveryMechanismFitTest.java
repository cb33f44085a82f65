package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.FitMessage;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowBatch;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** From rows through state, release and bytes to a fit, for every mechanism that there is. */
final class EveryMechanismFitTest {
  private static final int ROWS = 60_000;
  private static final Map<String, String> APART =
      Map.of(
          "inverse-wishart", "their noise does not add up",
          "ada-ssp", "their noise does not add up",
          "residual-strata", "the strata of each are those of a model of its own",
          "select-fit", "each of them may have selected other columns");
  private static final Map<String, Map<String, String>> OPTIONS =
      Map.of("frank-wolfe", Map.of("radius", "0.6", "steps", "200")); // the truth's radius

  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("a", 0, 10),
              new NumericColumn("b", -5, 5),
              new NumericColumn("y", -20, 20)),
          0.5,
          1.2,
          MissingValues.REJECT);

  private static Stream<String> mechanisms() {
    return Mechanisms.sketches().stream(); // ModelFitTest has the models
  }

  private static StreamPlan plan(String mechanism, Budget budget) {
    return StreamPlan.of(
        new StreamRequest(
            "all",
            SCHEMA,
            budget,
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(
                new SketchRequest(
                    "s", mechanism, 1.0, OPTIONS.getOrDefault(mechanism, Map.of())))));
  }

  /** y = 1 + 1.2 (a - 5) - 0.8 b + noise of deviation 1. */
  private static Release release(StreamPlan plan, String epoch, long seed) throws Exception {
    RowBatch rows = new RowBatch(SCHEMA.dimension(), ROWS);
    SplittableRandom random = new SplittableRandom(seed);
    RowEncoder encoder = new RowEncoder(SCHEMA);
    EncodedRow row = new EncodedRow(SCHEMA.dimension());
    RowTag tag = new RowTag();
    for (int i = 0; i < ROWS; i++) {
      double a = 5.0 + 1.5 * random.nextGaussian();
      double b = 1.5 * random.nextGaussian();
      encoder.begin();
      encoder.number(SCHEMA.fieldIndex("a"), a);
      encoder.number(SCHEMA.fieldIndex("b"), b);
      encoder.number(SCHEMA.fieldIndex("y"), 1 + 1.2 * (a - 5) - 0.8 * b + random.nextGaussian());
      encoder.encode(row);
      tag.set(random.nextLong(), random.nextLong());
      rows.add(tag, row, 1);
    }
    return Release.fromBytes(Stages.release(plan, rows, epoch, seed).toBytes());
  }

  private static RegressionProblem problem(String mechanism) {
    RegressionProblem problem = RegressionProblem.of(SCHEMA, "y", List.of("a", "b"));
    return mechanism.equals("multilevel-l1") ? problem.withLoss(Loss.ABSOLUTE) : problem;
  }

  // In user units: intercept -5, slopes 1.2 and -0.8, each within a tenth of its size and what the
  // fit says itself: 5 standard errors. Where the tenth is wide: two bins a column, and buckets for
  // least absolute deviations, of which more noise than signal is told.
  @ParameterizedTest
  @MethodSource("mechanisms")
  void answers(String name) throws Exception {
    Budget budget = new Budget(4.0, 1e-5, Neighbours.ADD_REMOVE);
    FitInput input = FitInput.of(release(plan(name, budget), ReleaseId.ALL, 11));
    FitOutcome outcome = Regression.fit(input, problem(name));
    assertThat(outcome).isInstanceOf(FitOutcome.Fitted.class);
    Fit fit = ((FitOutcome.Fitted) outcome).fit();
    CoefficientTable table = fit.inUserUnits(SCHEMA);
    double[] truth = {-5.0, 1.2, -0.8};
    double share = name.equals("histogram") ? 0.5 : 0.1;
    boolean isModel = Mechanisms.models().contains(name);
    boolean isUnknown = name.equals("ada-ssp"); // it releases too little to tell its error
    for (int k = 0; k < 3; k++) {
      double error = Math.abs(table.estimates().get(k) - truth[k]);
      double standardError = isModel || isUnknown ? 0.0 : table.standardErrors().get(k);
      if (!isModel && !isUnknown) { // the others publish what it takes
        assertThat(standardError).isFinite().isPositive();
      }
      assertThat(error)
          .as(name + " " + table.names().get(k))
          .isLessThan(
              share * Math.abs(truth[k]) + 5.0 * (name.equals("histogram") ? 0.0 : standardError));
    }
    if (!isUnknown) {
      assertThat(fit.predictedExcess()).isNotNegative();
    }
  }

  /**
   * Releases are chosen by what they promise: bins and parts of the budget that go elsewhere cost
   * more than the noise of moments. Fixed draws. Two or three bins a column blur far more than any
   * noise.
   */
  @ParameterizedTest
  @CsvSource("histogram, 100")
  void doesNotPromiseMoreThanMoments(String name, double times) throws Exception {
    Budget budget = new Budget(4.0, 1e-5, Neighbours.ADD_REMOVE);
    assertThat(excess(name, budget)).isGreaterThan(times * excess("noisy-moments", budget));
  }

  private static double excess(String name, Budget budget) throws Exception {
    FitInput input = FitInput.of(release(plan(name, budget), ReleaseId.ALL, 11));
    return ((FitOutcome.Fitted) Regression.fit(input, problem(name))).fit().predictedExcess();
  }

  /** Plans go to the workers. */
  @ParameterizedTest
  @MethodSource("mechanisms")
  void travels(String name) throws Exception {
    StreamPlan plan = plan(name, new Budget(4.0, 1e-5, Neighbours.REPLACE_ONE));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plan);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      StreamPlan read = (StreamPlan) in.readObject();
      assertThat(read).isEqualTo(plan);
      assertThat(read.series("all")).isEqualTo(plan.series("all"));
    }
  }

  /** Two epochs together are closer than one says it is; where they do not add up, it is said. */
  @ParameterizedTest
  @MethodSource("mechanisms")
  void epochsAdd(String name) throws Exception {
    StreamPlan plan = plan(name, new Budget(4.0, 1e-5, Neighbours.ADD_REMOVE));
    List<Release> releases = List.of(release(plan, "1", 21), release(plan, "2", 22));
    String apart =
        Mechanisms.models().contains(name)
            ? "each of them holds a model, and not sums"
            : APART.get(name);
    if (apart != null) {
      assertThat(
              org.assertj.core.api.Assertions.catchThrowableOfType(
                  IllegalArgumentException.class, () -> FitInput.of(releases)))
          .hasMessage("releases of " + name + " cannot be merged: " + apart + "; fit one epoch");
      return;
    }
    Fit fit = ((FitOutcome.Fitted) Regression.fit(FitInput.of(releases), problem(name))).fit();
    assertThat(fit.rows()).isBetween(0.8 * 2 * ROWS, 1.2 * 2 * ROWS);
    CoefficientTable table = fit.inUserUnits(SCHEMA);
    assertThat(Math.abs(table.estimates().get(1) - 1.2))
        .isLessThan(0.5 + 5.0 * table.standardErrors().get(1));
  }

  /** Every release of moments answers another response, fewer features, and other penalties. */
  @ParameterizedTest
  @CsvSource({
    "noisy-moments",
    "stratified-moments",
    "residual-strata",
    "two-stage-moments",
    "wishart",
    "jl",
    "count-sketch"
  })
  void oneReleaseAnswersManyQuestions(String name) throws Exception {
    FitInput input =
        FitInput.of(
            release(plan(name, new Budget(4.0, 1e-5, Neighbours.ADD_REMOVE)), ReleaseId.ALL, 31));
    List<RegressionProblem> problems =
        List.of(
            RegressionProblem.of(SCHEMA, "y"),
            RegressionProblem.of(SCHEMA, "a"),
            RegressionProblem.of(SCHEMA, "b", List.of("y")),
            RegressionProblem.of(SCHEMA, "y").withLambda(100.0).withFreeIntercept(),
            RegressionProblem.of(SCHEMA, "y")
                .withPenalty(new Penalty(OptionalDouble.of(50.0), 0.0, false)),
            RegressionProblem.of(SCHEMA, "y")
                .withPenalty(new Penalty(OptionalDouble.of(50.0), 0.5, true)));
    for (RegressionProblem problem : problems) {
      assertThat(Regression.fit(input, problem)).isInstanceOf(FitOutcome.Fitted.class);
    }
  }

  /** AdaSSP answers for its response alone. */
  @Test
  void adaSspSaysWhatItAnswers() throws Exception {
    Release release =
        release(plan("ada-ssp", new Budget(4.0, 1e-5, Neighbours.ADD_REMOVE)), ReleaseId.ALL, 41);
    FitOutcome other = Regression.fit(FitInput.of(release), RegressionProblem.of(SCHEMA, "a"));
    assertThat(((FitOutcome.Refused) other).reason())
        .startsWith("ada-ssp answers for the response y alone");
    FitOutcome lad =
        Regression.fit(
            FitInput.of(release), RegressionProblem.of(SCHEMA, "y").withLoss(Loss.ABSOLUTE));
    assertThat(((FitOutcome.Refused) lad).reason()).contains("ridge");
    FitInput input = FitInput.of(release);
    Fit fit = ((FitOutcome.Fitted) Regression.fit(input, problem("ada-ssp"))).fit();
    assertThat(fit.predictedExcess()).isNaN();
    assertThat(fit.encoded().standardErrors().toArray()).containsOnly(Double.NaN);
    assertThat(fit.encoded().intervals(0.95))
        .allSatisfy(interval -> assertThat(interval.lower()).isNaN());
    assertThat(Said.by(fit)).contains(FitMessage.SQUARE);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.DOUBTFUL);
  }
}
