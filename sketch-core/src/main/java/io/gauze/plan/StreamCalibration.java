package io.gauze.plan;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.internal.Checks;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.row.Column;
import io.gauze.row.Dimensions;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The calibration of a mechanism whose noise depends on the stream that it is for: that of the plan
 * of a stream of numbers in [-1, 1], of which it is all that is released.
 */
public final class StreamCalibration {
  private static final double LEAST_BOUND = 0x1p-6;
  private static final double LARGEST_BOUND = 0x1p8;
  private static final double INTERCEPT = 0.5;
  private static final String ROWS = "rows";
  private static final String NAME = "x";

  /** A promise that all mechanisms can keep: with it, sizes alone may be out of range. */
  private static final double USUAL_EPSILON = 1.0;

  private static final double USUAL_DELTA = 1e-6;

  private StreamCalibration() {}

  /**
   * Calibrates a mechanism: {@code columns - 1} numbers beside the intercept, the last of them the
   * response where there is one, and the defaults of all options.
   *
   * @throws IllegalArgumentException if a size is out of range
   * @throws ArithmeticException if the budget needs noise that the mechanism cannot have
   */
  static Calibration of(MechanismKind kind, CalibrationRequest request) {
    Budget budget = request.budget(kind.name());
    RowSchema schema = schema(kind, request);
    StreamPlan plan = plan(kind, request, schema, budget);
    Mechanism mechanism = plan.sketches().get(0).mechanism();
    double delta =
        Composition.of(budget.neighbours(), plan.costs()).delta(budget.epsilon())
            + plan.samplerDelta();
    return new Calibration(
        kind.name(),
        mechanism.parameters(),
        Map.of("sigma", mechanism.sigma() * mechanism.stepSize()),
        delta,
        String.format(
            Locale.ROOT,
            "%s; planned for a stream of %d numbers in [-1, 1] and %,d rows, of which it is all that"
                + " is released: %s",
            kind.proof().basis(),
            schema.columns().size(),
            request.expectedRows(),
            mechanism.noiseLaw()));
  }

  private static StreamPlan plan(
      MechanismKind kind, CalibrationRequest request, RowSchema schema, Budget budget) {
    try {
      return StreamPlan.of(stream(kind, request, schema, budget));
    } catch (IllegalArgumentException e) {
      Budget usual = new Budget(USUAL_EPSILON, USUAL_DELTA, budget.neighbours());
      StreamPlan.of(stream(kind, request, schema, usual)); // throws if a size is the cause
      throw Calibration.tooLarge(kind.name(), e);
    }
  }

  private static StreamRequest stream(
      MechanismKind kind, CalibrationRequest request, RowSchema schema, Budget budget) {
    boolean published = kind.options().stream().anyMatch(option -> option.name().equals(ROWS));
    Map<String, String> options =
        published && request.rows().isPresent()
            ? Map.of(ROWS, Integer.toString(request.rows().getAsInt()))
            : Map.of();
    return new StreamRequest(
        "calibration",
        schema,
        budget,
        StreamRequest.ROW,
        request.expectedRows(),
        List.of(),
        List.of(new SketchRequest(kind.name(), kind.name(), 1.0, options)));
  }

  /** Returns a schema of which some rows reach the bound. */
  private static RowSchema schema(MechanismKind kind, CalibrationRequest request) {
    double bound =
        Checks.within("bound of " + kind.name(), request.bound(), LEAST_BOUND, LARGEST_BOUND);
    int numbers =
        Checks.within("columns of " + kind.name(), request.columns(), 2, Dimensions.MOST_CELLS) - 1;
    List<Column> columns = new ArrayList<>();
    for (int k = 1; k <= numbers; k++) {
      columns.add(new NumericColumn(NAME + k, NAME + k, -1.0, 1.0));
    }
    double longer = Math.sqrt(Math.max(0.0, bound * bound - numbers));
    double intercept = Math.max(longer, Math.min(INTERCEPT, bound));
    return RowSchema.of(columns, intercept, bound, MissingValues.REJECT);
  }
}
