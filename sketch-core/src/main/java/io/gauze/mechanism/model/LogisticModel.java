package io.gauze.mechanism.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One logistic model of a label: the log odds that the response is above the middle of its public
 * range. The minimiser of an objective with a random linear term, see {@link
 * ObjectivePerturbation}.
 *
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param middle of the response's range, in the encoded scale: labels of larger responses are 1, of
 *     others -1
 * @param objective the public numbers of the objective
 * @param expectedRows the public guess from which an error is predicted
 */
public record LogisticModel(
    EmptySketchSpec spec,
    ModelColumns columns,
    double middle,
    ObjectiveSpec objective,
    long expectedRows)
    implements ObjectiveMechanism {
  /** The name of the mechanism. */
  public static final String NAME = "logistic";

  /** The encoder's rounding errors are far below this: the middle itself is not above it. */
  private static final double ROUNDING = 0x1p-40;

  /**
   * Shares of the determinant below the default. The first for which the solver is known to end for
   * twice the expected rows is taken. A small share means a large ridge.
   */
  private static final Double[] SHARES = {0.2, 0.1, 0.05, 0.02, 0.01};

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(ModelColumns.RESPONSE, ModelColumns.FEATURES, ObjectiveModels.bound()),
          false,
          LogisticModel::sized,
          Optional.empty(),
          LogisticModel::payload,
          MechanismKind.NO_WARNINGS,
          ObjectiveModels.PROOF);

  // As HuberModel: the cost over all cells is that of ObjectivePerturbation. A label is a function
  // of its row and of public numbers, so a row with its label is one row. All cells of a series
  // have the same share of the determinant: the shape has it.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.check(stream, NAME);
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    double bound =
        sketch
            .number(ObjectiveModels.FEATURE_BOUND)
            .orElseGet(() -> HuberPlan.of(stream, columns).labelledFeatureBound());
    EmptySketchSpec spec = new EmptySketchSpec(schema.dimension());
    int features = columns.features().size();
    boolean pure = features <= ObjectiveSpec.MOST_PURE;
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Approximate(ObjectiveModels.ownDelta(stream, sketch, pure)),
        0.0, // in the delta of the objective
        cost -> {
          MechanismCost.Approximate mine = (MechanismCost.Approximate) cost;
          Budget budget = new Budget(mine.epsilon(), mine.delta(), stream.budget().neighbours());
          return new LogisticModel(
              spec,
              columns,
              middle(schema, columns.response()),
              planned(
                  ObjectiveSpec.of(features, bound, new ModelLoss.Logistic(), budget),
                  ObjectiveModels.shares(stream, SHARES),
                  stream.expectedRows()),
              stream.expectedRows());
        });
  }

  private static double middle(RowSchema schema, int response) {
    return schema.encoded(response, 0.5 * schema.lower(response) + 0.5 * schema.upper(response));
  }

  private static ObjectiveSpec planned(
      ObjectiveSpec objective, List<Double> shares, long expectedRows) {
    long most = 0;
    for (double share : shares) {
      ObjectiveSpec next = objective.withDeterminantShare(share);
      long allowed = mostExpected(next);
      if (expectedRows <= allowed) {
        return next;
      }
      most = Math.max(most, allowed);
    }
    if (most == 0) {
      says(objective);
    }
    throw ObjectiveModels.tooManyExpected(most, expectedRows);
  }

  /** Throws the reason why there is no calibration. */
  private static void says(ObjectiveSpec objective) {
    try {
      ObjectiveCalibration.of(objective);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "featureBound, epsilon or delta is out of range: " + e.getMessage(), e);
    }
  }

  private static long mostExpected(ObjectiveSpec objective) {
    try {
      return ObjectiveCalibration.of(objective).mostRows() / 2;
    } catch (IllegalArgumentException e) { // a larger ridge may do
      return 0;
    }
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        FittedLoss.LOGISTIC,
        header.positive(ObjectiveModels.GRADIENT),
        header.positive(ObjectiveModels.RIDGE),
        header.positive(EXPECTED_ROWS));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    boolean above = scaled[columns.response()] - middle > ROUNDING;
    rows.add(columns.features(scaled), above ? 1.0 : -1.0);
  }

  /**
   * The features, the bits of the bound that decides the weight of a row, and those of the planned
   * share of the determinant, which must be the same in all cells of a series.
   */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(columns.features().size()));
    shape.addAll(ObjectiveModels.bits(objective.featureBound(), objective.determinantShare()));
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
}
