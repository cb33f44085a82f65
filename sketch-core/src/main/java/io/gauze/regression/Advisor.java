package io.gauze.regression;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamPlan;
import io.gauze.mechanism.StreamRequest;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicts the error of fits of each mechanism's releases before any row is read, for a schema, a
 * budget and a number of rows, with the whole budget for the one mechanism. Needs public numbers
 * only and costs no privacy.
 *
 * <p>The rows are assumed to be those of a {@link NominalModel}: predictions serve to compare
 * mechanisms, and are no promise for data of another shape.
 */
public final class Advisor {
  /** The relative excess above which a fit is of no use. */
  private static final double USABLE = 0.5;

  private static final String SKETCH = "advised";

  /** The square of a row bound over the mean square of rows, about. */
  private static final double KAPPA = 1.5;

  private final StreamRequest stream;
  private final NominalModel model;

  private Advisor(StreamRequest stream) {
    RowSchema schema = stream.schema();
    this.stream = stream;
    int features = Math.max(1, schema.dimension() - 2);
    double intercept = 1.0 / schema.half(0);
    this.model =
        NominalModel.of(
            features, (double) stream.expectedRows(), intercept, meanSquare(schema, intercept));
  }

  // A planned bound is B^2 = kappa (c0^2 + sum of mean squares), kappa from 1.15 to 3. Rows of a
  // larger mean square would be clipped.
  private static double meanSquare(RowSchema schema, double intercept) {
    double bound = schema.responses().ofFeatures(schema.rowBound());
    int columns = schema.dimension() - 1 - schema.responses().columns().size();
    double room = bound * bound - intercept * intercept;
    return columns < 1 || room <= 0.0
        ? NominalModel.MEAN_SQUARE
        : Math.min(NominalModel.MEAN_SQUARE, room / (KAPPA * columns));
  }

  /**
   * The advice on one mechanism.
   *
   * @param mechanism its name
   * @param parameters public numbers at its best size; empty if it cannot be planned
   * @param predictedExcess the expected relative excess over the non-private fit, of the RMSE, or
   *     of the mean absolute error for losses other than the squared one; empty if it cannot be
   *     planned
   * @param usable whether the excess is at most one half
   * @param why the reason, in a sentence
   */
  public record Advice(
      String mechanism,
      Map<String, Double> parameters,
      OptionalDouble predictedExcess,
      boolean usable,
      String why) {
    /** Copies the parameters. */
    public Advice {
      parameters = Map.copyOf(parameters);
    }
  }

  /**
   * Returns advice on every mechanism that supports a loss, the best first.
   *
   * @param stream schema, budget and expected rows; its sketches are ignored
   * @param loss the loss to fit
   */
  public static List<Advice> of(StreamRequest stream, Loss loss) {
    Advisor advisor = new Advisor(stream);
    boolean squared = loss.isSquared();
    List<Advice> all = new ArrayList<>();
    for (String mechanism : Mechanisms.names()) {
      advisor.advice(mechanism, squared).ifPresent(all::add);
    }
    all.sort(
        Comparator.comparing((Advice advice) -> !advice.usable())
            .thenComparingDouble(
                advice -> advice.predictedExcess().orElse(Double.POSITIVE_INFINITY)));
    return List.copyOf(all);
  }

  /** Returns the best advice; empty if none is usable. */
  public static Optional<Advice> recommended(StreamRequest stream, Loss loss) {
    return of(stream, loss).stream().filter(Advice::usable).findFirst();
  }

  private Optional<Advice> advice(String mechanism, boolean squared) {
    Optional<Advice> best = Optional.empty();
    for (Map<String, String> options : sizes(mechanism)) {
      Optional<Advice> next = advice(mechanism, options, squared);
      if (best.isEmpty() || (next.isPresent() && excess(next.get()) < excess(best.get()))) {
        best = next;
      }
    }
    return best;
  }

  private static double excess(Advice advice) {
    return advice.predictedExcess().orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Returns the options to try: the planned size, and powers of two if the number of buckets or
   * rows can be chosen.
   */
  private List<Map<String, String>> sizes(String mechanism) {
    List<Map<String, String>> sizes = new ArrayList<>(List.of(Map.of()));
    for (MechanismOption option : Mechanisms.options(mechanism)) {
      boolean chosen = option.name().equals("buckets") || option.name().equals("rows");
      if (chosen && !mechanism.equals("multilevel-l1")) {
        long least = 4L * stream.schema().dimension();
        for (long size = Long.highestOneBit(least) * 2; size <= 1 << 14; size *= 4) {
          sizes.add(Map.of(option.name(), Long.toString(size)));
        }
      }
    }
    return sizes;
  }

  /**
   * Returns the advice on one size of a mechanism; empty if the mechanism does not support the
   * loss.
   */
  private Optional<Advice> advice(String mechanism, Map<String, String> options, boolean squared) {
    SketchRequest sketch = new SketchRequest(SKETCH, mechanism, 1.0, options);
    try {
      StreamPlan plan = StreamPlan.of(stream.withSketches(List.of(sketch)));
      ExpectedFits.Prospect prospect = plan.payload(SKETCH).accept(new ExpectedFits(model));
      if (!prospect.answers(squared)) {
        return Optional.empty();
      }
      Mechanism planned = plan.sketch(SKETCH).mechanism();
      double excess = Math.min(model.ignorance(), prospect.excess().getAsDouble());
      boolean usable = excess <= USABLE;
      String why = usable ? prospect.reason() : useless(plan, prospect);
      return Optional.of(
          new Advice(mechanism, planned.parameters(), OptionalDouble.of(excess), usable, why));
    } catch (IllegalArgumentException e) {
      String message = e.getMessage().replaceFirst("^sketch " + SKETCH + ": ", "");
      return Optional.of(new Advice(mechanism, Map.of(), OptionalDouble.empty(), false, message));
    }
  }

  private static String useless(StreamPlan plan, ExpectedFits.Prospect prospect) {
    String prefix = "sketch " + SKETCH + ": ";
    return plan.warnings().stream()
        .filter(warning -> warning.startsWith(prefix))
        .map(warning -> "useless here: " + warning.substring(prefix.length()))
        .findFirst()
        .orElse(prospect.useless());
  }
}
