package io.gauze.mechanism.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/**
 * One linear model of one response, by Huber's loss or that of a quantile: the minimiser of an
 * objective with a random linear term, see {@link ObjectivePerturbation}.
 *
 * @param name the name of the mechanism
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param loss what the model minimises
 * @param objective the public numbers of the objective
 * @param expectedRows the public guess from which an error is predicted
 */
public record HuberModel(
    String name,
    EmptySketchSpec spec,
    ModelColumns columns,
    FittedLoss loss,
    ObjectiveSpec objective,
    long expectedRows)
    implements ObjectiveMechanism {
  /** The mechanism of robust and median models. */
  public static final String HUBER = "huber";

  /** The mechanism of models of a quantile. */
  public static final String QUANTILE = "quantile";

  private static final String THRESHOLD = "threshold";
  private static final String CENTRE = "centre";
  private static final double LARGEST_THRESHOLD = 1024.0;

  /** The largest coefficient to which a ridge may draw. */
  private static final double LARGEST_CENTRE = 64.0;

  static final MechanismKind KIND =
      kind(
          HUBER,
          List.of(
              ModelColumns.RESPONSE, ModelColumns.FEATURES, threshold(), ObjectiveModels.bound()));

  static final MechanismKind QUANTILE_KIND =
      kind(
          QUANTILE,
          List.of(
              ModelColumns.RESPONSE,
              ModelColumns.FEATURES,
              MechanismOption.number(QUANTILE, 0.01, 0.99)
                  .or(0.5)
                  .means("Which quantile of the response is predicted."),
              threshold(),
              ObjectiveModels.bound()));

  public static MechanismOption threshold() {
    return MechanismOption.number(THRESHOLD, Double.MIN_NORMAL, Double.MAX_VALUE)
        .means(
            "The residual from which the loss is linear, no longer square; in the response's own"
                + " unit.");
  }

  private static MechanismKind kind(String name, List<MechanismOption> options) {
    return new MechanismKind(
        name,
        options,
        false,
        HuberModel::sized,
        Optional.empty(),
        HuberModel::payload,
        MechanismKind.NO_WARNINGS,
        ObjectiveModels.PROOF);
  }

  // ObjectivePerturbation has the proof: (epsilon, delta) for an added, removed or replaced row,
  // which may also leave a cell and enter another one. The models of all cells are drawn
  // independently given the rows, so for all of them together a row costs what it costs in the
  // cells that it touches. That is the cost of this mechanism over all cells, by epsilon and delta
  // alone, and composes as such. All cells of a series have the same share of the determinant: the
  // shape has it.
  static UncalibratedMechanism sized(StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.check(stream, sketch.mechanism());
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    double quantile = sketch.number(QUANTILE).orElse(0.5);
    OptionalDouble threshold = threshold(schema, columns, sketch);
    HuberPlan plan = HuberPlan.of(stream, columns, quantile);
    double bound = sketch.number(ObjectiveModels.FEATURE_BOUND).orElseGet(plan::featureBound);
    double mostSlope = ObjectiveCalibration.largestSlope(bound);
    EmptySketchSpec spec = new EmptySketchSpec(schema.dimension());
    boolean pure = columns.features().size() <= ObjectiveSpec.MOST_PURE;
    double own = ObjectiveModels.ownDelta(stream, sketch, pure);
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Approximate(own),
        0.0, // in the delta of the objective
        cost -> {
          MechanismCost.Approximate mine = (MechanismCost.Approximate) cost;
          Budget budget = new Budget(mine.epsilon(), mine.delta(), stream.budget().neighbours());
          DoubleVector centre = centre(columns, plan.centre(schema, columns));
          DoubleFunction<ObjectiveSpec> objective =
              k -> objective(centre, new FittedLoss(k, quantile), bound, budget);
          double least = sketch.mechanism().equals(HUBER) ? Tuning.LESS_DECAY : Tuning.DECAY;
          double planned = threshold.orElseGet(() -> plan.threshold(objective, mostSlope, least));
          ObjectiveSpec usual = objective.apply(planned);
          checkCalibration(usual, stream.expectedRows());
          List<Double> shares = ObjectiveModels.shares(stream, Tuning.SHARES);
          ObjectiveSpec shared = plan.shared(usual, planned, least, shares);
          checkCalibration(shared, stream.expectedRows());
          return new HuberModel(
              sketch.mechanism(),
              spec,
              columns,
              new FittedLoss(planned, quantile),
              shared,
              stream.expectedRows());
        });
  }

  private static void checkCalibration(ObjectiveSpec objective, long expectedRows) {
    ObjectiveCalibration calibration;
    try {
      calibration = ObjectiveCalibration.of(objective);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "threshold, featureBound or epsilon is out of range: " + e.getMessage(), e);
    }
    if (expectedRows > calibration.mostRows() / 2) {
      throw ObjectiveModels.tooManyExpected(calibration.mostRows() / 2, expectedRows);
    }
  }

  /** The threshold that the config gives, in the encoded scale; empty if it gives none. */
  public static OptionalDouble threshold(
      RowSchema schema, ModelColumns columns, SketchRequest sketch) {
    OptionalDouble given = sketch.number(THRESHOLD);
    if (given.isEmpty()) {
      return given;
    }
    double half = schema.half(columns.response());
    double threshold = given.getAsDouble() / half;
    if (!(threshold >= ModelLoss.LEAST_THRESHOLD && threshold <= LARGEST_THRESHOLD)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "threshold must be in [%.4g, %.4g], in units of %s. Provided value: %s",
              ModelLoss.LEAST_THRESHOLD * half,
              LARGEST_THRESHOLD * half,
              columns.responseName(),
              given.getAsDouble()));
    }
    return OptionalDouble.of(threshold);
  }

  private static DoubleVector centre(ModelColumns columns, double ofIntercept) {
    double within = Math.max(-LARGEST_CENTRE, Math.min(LARGEST_CENTRE, ofIntercept));
    return DoubleVector.generate(columns.features().size(), k -> k == 0 ? within : 0.0);
  }

  private static ObjectiveSpec objective(
      DoubleVector centre, FittedLoss loss, double bound, Budget budget) {
    ModelLoss convex =
        loss.quantile() == 0.5
            ? new ModelLoss.Huber(loss.threshold())
            : new ModelLoss.Quantile(loss.quantile(), loss.threshold());
    return ObjectiveSpec.of(centre.size(), bound, convex, budget).withCentre(centre);
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    double centre = header.parameters().getOrDefault(CENTRE, 0.0);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        new FittedLoss(header.positive(THRESHOLD), header.positive(QUANTILE)),
        header.positive(ObjectiveModels.GRADIENT),
        header.positive(ObjectiveModels.RIDGE),
        header.positive(EXPECTED_ROWS),
        new FitMethod.Minimum(Checks.within(CENTRE, centre, -LARGEST_CENTRE, LARGEST_CENTRE)));
  }

  /** The coefficient of the intercept to which the ridge draws. */
  private double centre() {
    return objective.centre().get(0);
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    rows.add(columns.features(scaled), scaled[columns.response()]);
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = ObjectiveMechanism.super.parameters();
    parameters.put(THRESHOLD, loss.threshold());
    parameters.put(QUANTILE, loss.quantile());
    if (centre() != 0.0) { // releases of models that are drawn to 0 do not say it
      parameters.put(CENTRE, centre());
    }
    return parameters;
  }

  /** The features, and the bits of the numbers that decide the objective. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(columns.features().size()));
    shape.addAll(ObjectiveModels.bits(loss.threshold(), loss.quantile(), objective.featureBound()));
    double share = objective.determinantShare();
    if (share != ObjectiveSpec.DETERMINANT_SHARE) {
      shape.addAll(ObjectiveModels.bits(centre(), share));
    } else if (centre() != 0.0) {
      shape.addAll(ObjectiveModels.bits(centre()));
    }
    return shape;
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }

    @Override
    public boolean isRecommended() {
      return true;
    }
  }

  /** Registers the mechanism. */
  public static final class QuantileProvider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return QUANTILE_KIND;
    }
  }
}
