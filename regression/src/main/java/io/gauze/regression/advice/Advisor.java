package io.gauze.regression.advice;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.mechanism.moments.NoisyHistogram;
import io.gauze.mechanism.moments.StratifiedMomentsNoise;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.PayloadRegistry;
import io.gauze.regression.Prospect;
import io.gauze.regression.model.ExpectedLogisticError;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Predicts the error of fits of each mechanism's releases before any row is read, for a schema, a
 * budget and a number of rows, with the whole budget for the one mechanism. Needs public numbers
 * only and costs no privacy.
 *
 * <p>A fit is compared with the fit without privacy and with knowing nothing, the best constant.
 *
 * <p>The rows are assumed to be those of a {@link AssumedDataModel}: predictions serve to compare
 * mechanisms, and are no promise for data of another shape.
 */
public final class Advisor {
  /** Mechanisms that cut the ranges of columns into parts, which must be full. */
  private static final Set<String> CUTS_RANGES =
      Set.of(StratifiedMomentsNoise.NAME, NoisyHistogram.NAME);

  private static final Set<String> ONE_RESPONSE =
      Stream.concat(Stream.of(TwoStageStrata.NAME, SelectFit.NAME), Mechanisms.models().stream())
          .collect(Collectors.toUnmodifiableSet());

  /** Models of several epochs, and of another quantile: the predictions are for one median. */
  private static final Set<String> SERIES =
      Set.of(DescentModel.QUANTILE, HuberTrack.NAME, IrlsTrack.NAME);

  private static final String SKETCH = "advised";

  private final StreamRequest stream;
  private final AssumedDataModel model;

  private Advisor(StreamRequest stream, double explained) {
    this.stream = stream;
    this.model = AssumedDataModel.of(stream.schema(), (double) stream.expectedRows(), explained);
  }

  /**
   * The advice on one mechanism.
   *
   * @param mechanism its name
   * @param parameters public numbers at its best size; empty if it cannot be planned
   * @param predictedExcess the expected relative excess over the non-private fit, of the RMSE, or
   *     of the mean absolute error for losses of residuals that are not squared, or of the mean
   *     logistic loss; empty if it cannot be planned
   * @param gainKept the share of the way from the error of the best constant to that of the
   *     non-private fit, in [0, 1]; 0 if it cannot be planned
   * @param verdict what both mean
   * @param why the reason, in a sentence
   */
  public record Advice(
      String mechanism,
      Map<String, Double> parameters,
      OptionalDouble predictedExcess,
      double gainKept,
      FitQuality verdict,
      String why) {
    /** Copies the parameters. */
    public Advice {
      parameters = Map.copyOf(parameters);
    }

    /** Whether a fit is expected to be clearly better than a constant. */
    public boolean usable() {
      return verdict != FitQuality.USELESS;
    }
  }

  /**
   * Returns advice on every mechanism that supports a loss, the best first, for {@link
   * AssumedDataModel#EXPLAINED}.
   *
   * @param stream schema, budget and expected rows; its sketches are ignored
   * @param loss the loss to fit
   */
  public static List<Advice> of(StreamRequest stream, Loss loss) {
    return of(stream, loss, AssumedDataModel.EXPLAINED);
  }

  /**
   * Returns advice on every mechanism that supports a loss, the best first.
   *
   * @param stream schema, budget and expected rows; its sketches are ignored
   * @param loss the loss to fit
   * @param explained a public guess of the share of the response's variance that the features
   *     explain, in (0, 1)
   * @throws IllegalArgumentException if explained is out of range
   */
  public static List<Advice> of(StreamRequest stream, Loss loss, double explained) {
    List<Advice> all = new ArrayList<>();
    for (String mechanism : Mechanisms.names()) {
      of(stream, mechanism, loss, explained).ifPresent(all::add);
    }
    all.sort(
        Comparator.comparing((Advice advice) -> !advice.usable())
            .thenComparingDouble(Advisor::excess));
    return List.copyOf(all);
  }

  /** Returns what is recommended of all advice on a stream, see {@link #recommended(List)}. */
  public static Optional<Advice> recommended(StreamRequest stream, Loss loss) {
    return recommended(of(stream, loss));
  }

  /**
   * Returns the first usable advice on a mechanism that people should take; on another one if none
   * of them is usable; empty if none is at all. Mechanisms for one response are never recommended,
   * however small their error: others answer for every response, and their releases of several
   * epochs add up.
   */
  public static Optional<Advice> recommended(List<Advice> all) {
    List<Advice> usable =
        all.stream()
            .filter(advice -> advice.usable() && !ONE_RESPONSE.contains(advice.mechanism()))
            .toList();
    return usable.stream()
        .filter(Advisor::isRecommended)
        .findFirst()
        .or(() -> usable.stream().findFirst());
  }

  private static boolean isRecommended(Advice advice) {
    return Mechanisms.recommended().contains(advice.mechanism());
  }

  /**
   * Returns the advice to show if nobody asks for all: on mechanisms that people should take, on
   * those that were named, and on the one that is recommended.
   */
  public static List<Advice> shown(List<Advice> all, Set<String> named) {
    Optional<Advice> best = recommended(all);
    return all.stream()
        .filter(
            advice ->
                isRecommended(advice)
                    || named.contains(advice.mechanism())
                    || best.equals(Optional.of(advice)))
        .toList();
  }

  /**
   * Returns the first usable advice on a model that people should take; empty if there is none, or
   * if the advice that {@link #recommended(List)} returns promises as little error and answers more
   * questions.
   */
  public static Optional<Advice> model(List<Advice> all) {
    double others = recommended(all).map(Advisor::excess).orElse(Double.POSITIVE_INFINITY);
    return all.stream()
        .filter(advice -> advice.usable() && Mechanisms.models().contains(advice.mechanism()))
        .filter(advice -> isRecommended(advice) && excess(advice) < others)
        .findFirst();
  }

  /**
   * Returns the usable model of the least predicted excess for a loss, one that people should take
   * if there is one, and one of a paper only if there is no other; empty if no model is usable.
   *
   * @param stream schema, budget and expected rows; its sketches are ignored
   * @param options the options that all models share, such as the response
   * @throws IllegalArgumentException if an option does not fit the schema
   */
  public static Optional<Advice> bestModel(
      StreamRequest stream, Loss loss, Map<String, String> options) {
    Advisor advisor = new Advisor(stream, AssumedDataModel.EXPLAINED);
    return Mechanisms.models().stream()
        .filter(mechanism -> !SERIES.contains(mechanism))
        .flatMap(mechanism -> advisor.advice(mechanism, options, loss).stream())
        .filter(Advice::usable)
        .min(
            Comparator.comparing((Advice advice) -> !isRecommended(advice))
                .thenComparing(advice -> Mechanisms.ofPapers().contains(advice.mechanism()))
                .thenComparingDouble(Advisor::excess));
  }

  /** Returns the advice on one mechanism; empty if it does not support the loss. */
  static Optional<Advice> of(StreamRequest stream, String mechanism, Loss loss, double explained) {
    StreamRequest encoded = CUTS_RANGES.contains(mechanism) ? unscaled(stream) : stream;
    return new Advisor(encoded, explained).advice(mechanism, loss);
  }

  // A config with such a mechanism is read without factors. Here the spreads are not known any
  // more, but the factors make them equal: the squares of the columns grow by 1 / factor^2.
  /** Returns about the stream that a config has whose columns are not encoded smaller. */
  private static StreamRequest unscaled(StreamRequest stream) {
    RowSchema schema = stream.schema();
    if (!schema.isScaled()) {
      return stream;
    }
    double squares = 0.0;
    for (double factor : schema.factors()) {
      squares += 1.0 / (factor * factor);
    }
    double growth = Math.sqrt(squares / schema.factors().size());
    double largest = RowSchema.largestNorm(schema.columns(), growth * schema.intercept());
    RowSchema whole =
        RowSchema.of(
            schema.columns(),
            growth * schema.intercept(),
            Math.min(largest, growth * schema.rowBound()),
            schema.missing());
    return new StreamRequest(
        stream.stream(),
        whole,
        stream.budget(),
        stream.scope(),
        stream.expectedRows(),
        stream.assumptions(),
        stream.sketches(),
        stream.checkpointLeaks());
  }

  private Optional<Advice> advice(String mechanism, Loss loss) {
    Optional<Advice> best = Optional.empty();
    for (Map<String, String> options : sizes(mechanism)) {
      Optional<Advice> next = advice(mechanism, options, loss);
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
  private Optional<Advice> advice(String mechanism, Map<String, String> options, Loss loss) {
    SketchRequest sketch = new SketchRequest(SKETCH, mechanism, 1.0, options);
    try {
      StreamPlan plan = StreamPlan.of(stream.withSketches(List.of(sketch)));
      Prospect prospect = PayloadRegistry.prospect(plan.payload(SKETCH), model);
      if (prospect.of(loss).isEmpty()) {
        return Optional.empty();
      }
      Prospect.Way way = prospect.of(loss).get();
      Mechanism planned = plan.sketch(SKETCH).mechanism();
      double excess = Math.min(ignorance(loss), way.excess().getAsDouble());
      FitQuality verdict = FitQuality.of(excess, ignorance(loss));
      return Optional.of(
          new Advice(
              mechanism,
              planned.parameters(),
              OptionalDouble.of(excess),
              FitQuality.gainKept(excess, ignorance(loss)),
              verdict,
              verdict == FitQuality.USELESS ? useless(plan, prospect) : way.reason()));
    } catch (IllegalArgumentException e) {
      String message = e.getMessage().replaceFirst("^sketch " + SKETCH + ": ", "");
      return Optional.of(
          new Advice(
              mechanism, Map.of(), OptionalDouble.empty(), 0.0, FitQuality.USELESS, message));
    }
  }

  private double ignorance(Loss loss) {
    return loss.equals(Loss.LOGISTIC)
        ? ExpectedLogisticError.of(model).ignorance()
        : model.ignorance();
  }

  private static String useless(StreamPlan plan, Prospect prospect) {
    String prefix = "Sketch " + SKETCH + ": ";
    return plan.warnings().stream()
        .filter(warning -> warning.message().startsWith(prefix))
        .map(warning -> "useless here: " + warning.text().substring(prefix.length()))
        .findFirst()
        .orElse(prospect.useless());
  }
}
