package io.gauze.mechanism.descent;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.model.HuberModel;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.mechanism.model.ObjectiveModels;
import io.gauze.mechanism.model.ResponseThreshold;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One linear model of one response, by least squares, Huber's loss or that of a quantile: noisy
 * gradient descent on rows that a first, cheap release of the same rows has centred and whitened.
 *
 * <p>First stage: the noisy moments of {@link io.gauze.mechanism.twostage.TwoStageMoments}, in one
 * round or two, give a public transform of rows and a first model by least squares. Noisy counts of
 * the norms of gradients at that model decide the norm to which gradients are shortened. Slopes of
 * a loss that is not squared are of bounded size: counts of the norms of features decide from which
 * norm on a row weighs less, and counts of residuals where the descent begins and where the slope
 * ends to grow. Second stage: steps down noisy sums of gradients; the mean of the points that whole
 * steps lead to is released. Rows are read once for each part.
 *
 * <p>Not from the literature.
 *
 * @param name the name of the mechanism
 * @param loss that is asked for, with its threshold in the encoded scale
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param rowBound the norm to which encoded rows of these columns are shortened
 * @param intercept the constant of encoded rows, on their grid
 * @param plan what each part spends
 * @param expectedRows the public guess from which an error is predicted
 */
public record DescentModel(
    String name,
    FittedLoss loss,
    EmptySketchSpec spec,
    ModelColumns columns,
    double rowBound,
    double intercept,
    DescentPlan plan,
    long expectedRows)
    implements RowsMechanism {
  /** The name in config files and releases of least squares. */
  public static final String NAME = "descent";

  /** That of robust models and of the median. */
  public static final String HUBER = "huber";

  /** That of models of a quantile. */
  public static final String QUANTILE = "quantile";

  private static final String ROW_BOUND = "rowBound";
  private static final String FIRST_SIGMA = "firstSigma";
  private static final String SECOND_SIGMA = "secondSigma";
  private static final String COUNT_SIGMA = "countSigma";
  private static final String ONE_ROUND = "stepSigmaAfterOneRound";
  private static final String TWO_ROUNDS = "stepSigmaAfterTwoRounds";

  static final MechanismKind KIND = kind(NAME, ModelColumns.OPTIONS);

  static final MechanismKind HUBER_KIND =
      kind(HUBER, List.of(ModelColumns.RESPONSE, ModelColumns.FEATURES, ResponseThreshold.OPTION));

  static final MechanismKind QUANTILE_KIND =
      kind(
          QUANTILE,
          List.of(
              ModelColumns.RESPONSE,
              ModelColumns.FEATURES,
              MechanismOption.number(QUANTILE, 0.01, 0.99)
                  .or(0.5)
                  .means("Which quantile of the response is predicted."),
              ResponseThreshold.OPTION));

  private static MechanismKind kind(String name, List<MechanismOption> options) {
    return new MechanismKind(
        name,
        options,
        false,
        DescentModel::sized,
        Optional.empty(),
        DescentModel::payload,
        MechanismKind.NO_WARNINGS,
        new MechanismKind.Proof(
            "one row of norm at most B changes second moments by at most B^2 in Frobenius norm"
                + " (replaced: sqrt 2 B^2), counts by at most 1 (sqrt 2), and a sum of gradients"
                + " of norm at most 1 by 1 (2), whatever the public transform, bound and model"
                + " are that the noisy sums before lead to; the parts compose adaptively",
            List.of(),
            false));
  }

  // PROOF-descent.md has the proof.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    String name = sketch.mechanism();
    ObjectiveModels.requireRows(stream, name);
    Checks.within("expectedRows for " + name, stream.expectedRows(), 1, ModelRows.MOST_ROWS / 2);
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    FittedLoss loss = loss(schema, columns, sketch);
    int countings = loss.isSquared() ? 1 : DescentPlan.MOST_COUNTINGS;
    int features = columns.features().size();
    double bound = bound(schema, columns);
    RowClipper clipper = RowClipper.of(features + 1, bound);
    double intercept = schema.grid().floor(schema.intercept()); // as releases say it
    EmptySketchSpec spec = new EmptySketchSpec(schema.dimension());
    int samples =
        (DescentPlan.ROUNDS + countings - 1) * NormCells.COUNT
            + DescentPlan.ROUNDS * SymmetricMatrix.length(features + 1)
            + Tuning.STEPS * features;
    return UncalibratedMechanism.gaussian(
        spec,
        samples,
        mu -> {
          Neighbours neighbours = stream.budget().neighbours();
          SecondMomentsSpec moments = new SecondMomentsSpec(features + 1);
          DescentPlan plan =
              DescentPlan.of(
                  name,
                  features + 1,
                  mu,
                  countings,
                  moments.sensitivity(bound, neighbours),
                  clipper.grid().momentUnit(),
                  moments.sensitivity(1.0, neighbours),
                  DescentPlan.gradientSensitivity(neighbours));
          return new DescentModel(
              name, loss, spec, columns, bound, intercept, plan, stream.expectedRows());
        });
  }

  private static FittedLoss loss(RowSchema schema, ModelColumns columns, SketchRequest sketch) {
    if (sketch.mechanism().equals(NAME)) {
      return FittedLoss.SQUARED;
    }
    double threshold =
        ResponseThreshold.of(schema, columns, sketch).orElse(ModelLoss.LEAST_THRESHOLD);
    return new FittedLoss(threshold, sketch.number(QUANTILE).orElse(0.5));
  }

  /** The row bound of the schema, or the largest norm of a row of these columns if it is less. */
  private static double bound(RowSchema schema, ModelColumns columns) {
    double square = schema.intercept() * schema.intercept();
    square += Math.pow(schema.reach(columns.response()), 2);
    for (int feature : columns.features()) {
      square += Math.pow(schema.reach(feature), 2);
    }
    return Math.min(schema.rowBound(), Math.sqrt(square));
  }

  private static Payload payload(PayloadParameters header) {
    Map<String, Double> parameters = header.parameters();
    if (!parameters.containsKey(FIRST_SIGMA)) {
      return HuberModel.payload(header); // of a release from before there were steps
    }
    ModelColumns columns = ModelColumns.of(header);
    FittedLoss loss =
        parameters.containsKey(QUANTILE)
            ? new FittedLoss(header.positive(ResponseThreshold.NAME), header.positive(QUANTILE))
            : FittedLoss.SQUARED;
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        loss,
        0.0,
        0.0,
        header.positive(EXPECTED_ROWS),
        new FitMethod.Steps(
            List.of(header.deviation(FIRST_SIGMA), header.deviation(SECOND_SIGMA)),
            header.deviation(COUNT_SIGMA),
            List.of(header.deviation(ONE_ROUND), header.deviation(TWO_ROUNDS)),
            !loss.isSquared()));
  }

  private FitMethod.Steps noise() {
    return new FitMethod.Steps(
        List.of(plan.first().deviation(), plan.second().deviation()),
        plan.countDeviation(),
        List.of(plan.stepDeviation(1), plan.stepDeviation(2)),
        !loss.isSquared());
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(plan.mu());
  }

  @Override
  public double stepSize() {
    return DescentRelease.OUTPUT_UNIT;
  }

  /** What the noise of a step moves a coefficient of the whitened rows by, if there is one row. */
  @Override
  public double sigma() {
    return plan.stepDeviation(DescentPlan.ROUNDS) / DescentRelease.OUTPUT_UNIT;
  }

  @Override
  public int payloadLength() {
    return columns.features().size() + noise().numbers();
  }

  @Override
  public ModelRows rows() {
    return ModelRows.ofUnitEntries(columns.features().size() + 1);
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    double[] entries = Arrays.copyOf(columns.features(scaled), columns.features().size() + 1);
    entries[entries.length - 1] = scaled[columns.response()];
    rows.add(entries, 0.0);
  }

  @Override
  public long[] fit(ModelRows rows, Entropy entropy) {
    return numbers(sums(rows, entropy));
  }

  /**
   * Returns the noisy sums of which a release of some rows is made. Each call spends budget.
   *
   * @param entropy random bits that are used for nothing else
   */
  public DescentSums sums(ModelRows rows, Entropy entropy) {
    return new NoisyDescentSums(
        RowClipper.of(columns.features().size() + 1, rowBound),
        plan,
        intercept,
        new RowProducts(rows),
        entropy);
  }

  /** Returns the payload that some sums lead to, a function of what they answer alone. */
  public long[] numbers(DescentSums sums) {
    return new DescentRelease(columns.features().size(), noise(), intercept, loss).numbers(sums);
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters =
        new TreeMap<>(
            Map.of(
                EXPECTED_ROWS,
                (double) expectedRows,
                "mu",
                plan.mu(),
                ROW_BOUND,
                rowBound,
                FIRST_SIGMA,
                plan.first().deviation(),
                SECOND_SIGMA,
                plan.second().deviation(),
                COUNT_SIGMA,
                plan.countDeviation(),
                ONE_ROUND,
                plan.stepDeviation(1),
                TWO_ROUNDS,
                plan.stepDeviation(2)));
    if (!loss.isSquared()) {
      parameters.put(ResponseThreshold.NAME, loss.threshold());
      parameters.put(QUANTILE, loss.quantile());
    }
    return parameters;
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** The features, and the bits of the numbers that decide a row's part. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(columns.features().size()));
    shape.addAll(ObjectiveModels.bits(rowBound, intercept));
    if (!loss.isSquared()) {
      shape.addAll(ObjectiveModels.bits(loss.threshold(), loss.quantile()));
    }
    return shape;
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%s, in the first moments; in those of a second round %s; normal noise of standard"
            + " deviation %s in each count, and in each entry of a sum of gradients of norm 1, in"
            + " each of %d steps, %s, or after a second round %s",
        plan.first().law(),
        plan.second().law(),
        plan.countDeviation(),
        Tuning.STEPS,
        plan.stepDeviation(1),
        plan.stepDeviation(2));
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }

  /** Registers the mechanism of robust models. */
  public static final class HuberProvider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return HUBER_KIND;
    }

    @Override
    public boolean isRecommended() {
      return true;
    }
  }

  /** Registers the mechanism of models of a quantile. */
  public static final class QuantileProvider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return QUANTILE_KIND;
    }
  }
}
