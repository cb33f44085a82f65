package io.gauze.mechanism.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.internal.Checks;
import io.gauze.mechanism.MechanismOption;
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
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/**
 * One linear model of one response by Huber's loss: the minimiser of an objective with a random
 * linear term, see {@link ObjectivePerturbation}. {@link HuberTrack} makes one in each epoch.
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
  private static final String QUANTILE = "quantile";
  private static final String CENTRE = "centre";

  /** The largest coefficient to which a ridge may draw. */
  private static final double LARGEST_CENTRE = 64.0;

  /** The options of a mechanism that makes such models. */
  static final List<MechanismOption> OPTIONS =
      List.of(
          ModelColumns.RESPONSE,
          ModelColumns.FEATURES,
          ResponseThreshold.OPTION,
          ObjectiveModels.bound());

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
    OptionalDouble threshold = ResponseThreshold.of(schema, columns, sketch);
    HuberPlan plan = HuberPlan.of(stream, columns);
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
          DoubleFunction<ObjectiveSpec> objective =
              k ->
                  ObjectiveSpec.of(
                      columns.features().size(), bound, new ModelLoss.Huber(k), budget);
          double planned = threshold.orElseGet(() -> plan.threshold(objective, mostSlope));
          ObjectiveSpec usual = objective.apply(planned);
          checkCalibration(usual, stream.expectedRows());
          List<Double> shares = ObjectiveModels.shares(stream, Tuning.SHARES);
          ObjectiveSpec shared = plan.shared(usual, planned, shares);
          checkCalibration(shared, stream.expectedRows());
          return new HuberModel(
              sketch.mechanism(),
              spec,
              columns,
              new FittedLoss(planned, 0.5),
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

  /**
   * Returns the payload of a release. That of a quantile, whose ridge draws to a centre, was made
   * of models before they were made in steps.
   */
  public static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    double centre = header.parameters().getOrDefault(CENTRE, 0.0);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        new FittedLoss(header.positive(ResponseThreshold.NAME), header.positive(QUANTILE)),
        header.positive(ObjectiveModels.GRADIENT),
        header.positive(ObjectiveModels.RIDGE),
        header.positive(EXPECTED_ROWS),
        new FitMethod.Minimum(Checks.within(CENTRE, centre, -LARGEST_CENTRE, LARGEST_CENTRE)));
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    rows.add(columns.features(scaled), scaled[columns.response()]);
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = ObjectiveMechanism.super.parameters();
    parameters.put(ResponseThreshold.NAME, loss.threshold());
    parameters.put(QUANTILE, loss.quantile());
    return parameters;
  }

  /** The features, and the bits of the numbers that decide the objective. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(columns.features().size()));
    shape.addAll(ObjectiveModels.bits(loss.threshold(), loss.quantile(), objective.featureBound()));
    double share = objective.determinantShare();
    if (share != ObjectiveSpec.DETERMINANT_SHARE) {
      shape.addAll(ObjectiveModels.bits(0.0, share)); // of a ridge that draws to 0
    }
    return shape;
  }
}
