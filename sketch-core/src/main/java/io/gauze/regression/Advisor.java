package io.gauze.regression;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.Payload;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamPlan;
import io.gauze.mechanism.StreamRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What fits of each mechanism's releases can be expected to cost, before any row is read: for a
 * schema, a budget and a number of rows, with the whole budget for the one mechanism. Needs public
 * numbers only and costs no privacy.
 *
 * <p>The rows are taken for those of a {@link NominalModel}: predictions tell mechanisms apart, and
 * are no promise for data of another shape.
 */
public final class Advisor {
  /** Above this relative excess a fit is of no use. */
  private static final double USABLE = 0.5;

  private static final String SKETCH = "advised";

  private final StreamRequest stream;
  private final NominalModel model;

  private Advisor(StreamRequest stream) {
    this.stream = stream;
    int features = Math.max(1, stream.schema().dimension() - 2);
    double intercept = 1.0 / stream.schema().half(0);
    this.model = new NominalModel(features, stream.expectedRows(), intercept);
  }

  /**
   * What is said of one mechanism.
   *
   * @param mechanism its name
   * @param parameters public numbers at its best size; empty if it cannot be planned
   * @param predictedExcess the expected relative excess over the non-private fit, of the RMSE, or
   *     of the mean absolute error for a loss that bends; empty if it cannot be planned
   * @param usable whether that is at most one half
   * @param why the reason, in a sentence
   */
  public record Advice(
      String mechanism,
      Map<String, Double> parameters,
      OptionalDouble predictedExcess,
      boolean usable,
      String why) {
    /** Parameters are copied. */
    public Advice {
      parameters = Map.copyOf(parameters);
    }
  }

  /**
   * Advice on every mechanism that answers a loss, the best first.
   *
   * @param stream schema, budget and expected rows; its sketches do not matter
   * @param loss what is to be fitted
   */
  public static List<Advice> of(StreamRequest stream, Loss loss) {
    Advisor advisor = new Advisor(stream);
    boolean squared = loss instanceof Loss.Squared;
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

  /** The best of them; empty if none is usable. */
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

  /** As planned, and where numbers of buckets or rows can be chosen, powers of two. */
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

  /** Empty if the mechanism does not answer the loss. */
  private Optional<Advice> advice(String mechanism, Map<String, String> options, boolean squared) {
    SketchRequest sketch = new SketchRequest(SKETCH, mechanism, 1.0, options);
    try {
      StreamPlan plan = StreamPlan.of(stream.withSketches(List.of(sketch)));
      Payload contents = plan.payload(SKETCH);
      if (!answers(contents, squared)) {
        return Optional.empty();
      }
      Mechanism planned = plan.sketch(SKETCH).mechanism();
      double excess = Math.min(model.ignorance(), excess(contents));
      boolean usable = excess <= USABLE;
      String why = usable ? reason(contents) : useless(plan, contents);
      return Optional.of(
          new Advice(mechanism, planned.parameters(), OptionalDouble.of(excess), usable, why));
    } catch (IllegalArgumentException e) {
      String message = e.getMessage().replaceFirst("^sketch " + SKETCH + ": ", "");
      return Optional.of(new Advice(mechanism, Map.of(), OptionalDouble.empty(), false, message));
    }
  }

  private static boolean answers(Payload contents, boolean squared) {
    boolean bends = contents instanceof Payload.Strata || contents instanceof Payload.Counts;
    return squared
        ? !(contents instanceof Payload.WeightedBuckets)
        : bends || contents instanceof Payload.WeightedBuckets;
  }

  private String useless(StreamPlan plan, Payload contents) {
    List<String> warnings = plan.warnings();
    String prefix = "sketch " + SKETCH + ": ";
    return warnings.stream()
        .filter(warning -> warning.startsWith(prefix))
        .map(warning -> "useless here: " + warning.substring(prefix.length()))
        .findFirst()
        .orElse(
            contents instanceof Payload.Counts
                ? "useless here: bins are too wide, or the noise exceeds what the rows say; more rows an"
                    + " epoch, a larger epsilon or fewer columns help"
                : "useless here: the noise exceeds what the rows say; more rows an epoch, a larger"
                    + " epsilon, fewer columns or tighter ranges help");
  }

  private double excess(Payload contents) {
    if (contents instanceof Payload.Moments moments) {
      return ExpectedError.moments(model, ReleaseReader.noise(moments.noise()));
    }
    if (contents instanceof Payload.Strata strata) {
      // all strata together carry the rows, and the noise of each
      double sigma = strata.sigma() * Math.sqrt(strata.spec().strata());
      return ExpectedError.moments(model, new MomentNoise.Gaussian(sigma));
    }
    if (contents instanceof Payload.Buckets buckets) {
      return ExpectedError.countSketch(model, buckets.rows(), buckets.sigma());
    }
    if (contents instanceof Payload.WeightedBuckets buckets) {
      return l1(buckets);
    }
    if (contents instanceof Payload.Projection projection) {
      return ExpectedError.projection(model, projection.rows(), projection.ridge());
    }
    if (contents instanceof Payload.AdaptiveRidgeProjection gated) {
      return ExpectedError.projection(model, gated.rows(), gated.ridge()); // if the gate is closed
    }
    if (contents instanceof Payload.InverseMoments inverse) {
      return ExpectedError.inverseWishart(model, inverse.degrees(), inverse.ridge());
    }
    if (contents instanceof Payload.Counts counts) {
      return counts(counts);
    }
    Payload.SufficientStatistics statistics = (Payload.SufficientStatistics) contents;
    return ExpectedError.moments(model, new MomentNoise.Gaussian(statistics.momentsSigma()));
  }

  // A bucket of level 0 holds n / N rows: its residual is sqrt(n / N) times a row's. Least absolute
  // deviations on N such rows, with noise sigma |(b, -1)| on top: like least squares on as many
  // buckets, over the efficiency 2 / pi of a median.
  private double l1(Payload.WeightedBuckets buckets) {
    double squares = ExpectedError.countSketch(model, buckets.spec().buckets(), buckets.sigma());
    return 0.5 * Math.PI * squares;
  }

  // Noise: an entry of the moments sums Laplace numbers times x_i x_j over all cells, of mean
  // square 2 b^2 cells E[x^2]^2, E[x^2] = 1/3. Bins: a feature is off by a uniform number of
  // width w, which adds w^2 / 12 sum b_j^2 to the residual variance.
  private double counts(Payload.Counts counts) {
    double sigma = 2.0 * counts.scale() * Math.sqrt(counts.length()) / 3.0;
    double noise = ExpectedError.moments(model, new MomentNoise.Gaussian(sigma));
    int bins = counts.spec().axes().stream().mapToInt(axis -> axis.bins()).max().orElse(1);
    double width = 2.0 / bins;
    double residual = (1.0 - model.explained()) * model.meanSquare();
    double grid = Math.sqrt(1.0 + model.explained() * width * width / 12.0 / residual) - 1.0;
    return noise + grid;
  }

  private static String reason(Payload contents) {
    if (contents instanceof Payload.Moments) {
      return "moments answer every squared loss, for any response and features";
    }
    if (contents instanceof Payload.Strata) {
      return "strata answer least absolute deviations, every quantile, Huber and squared losses, for"
          + " any features; strata that are too coarse cost up to a percent more";
    }
    if (contents instanceof Payload.Buckets || contents instanceof Payload.Projection) {
      return "rows for any solver of squares; moments of the same budget fit better";
    }
    if (contents instanceof Payload.AdaptiveRidgeProjection) {
      return "rows for any solver of squares; at most this, less if the data need no ridge";
    }
    if (contents instanceof Payload.WeightedBuckets) {
      return "rows for least absolute deviations; strata of the same budget fit better";
    }
    if (contents instanceof Payload.Counts) {
      return "counts answer any loss where columns are few; bins blur what is in them";
    }
    return contents instanceof Payload.SufficientStatistics
        ? "one response only"
        : "moments answer every squared loss, after a debiasing";
  }
}
