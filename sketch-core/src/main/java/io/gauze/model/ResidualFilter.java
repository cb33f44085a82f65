package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import java.util.List;
import java.util.Optional;

/**
 * Keeps one model up to date from statistics of residuals: one epoch. The statistics are taken at
 * the model and the threshold of an earlier release, and the model of the epoch is a function of
 * the statistics, with their noise, and of that release. Nothing else of the rows enters.
 *
 * <p>An earlier release must have been published: after a crash the statistics of rows whose
 * release was not may be made again, with other noise. Immutable.
 */
public final class ResidualFilter {
  private static final double FIRST_THRESHOLD = 1.0;

  private final ResidualStatisticsSpec spec;
  private final Optional<ResidualTrack> before;
  private final long since;
  private final DoubleVector centre;
  private final double threshold;

  private ResidualFilter(ResidualStatisticsSpec spec, Optional<ResidualTrack.Earlier> earlier) {
    this.spec = spec;
    this.before = earlier.map(ResidualTrack.Earlier::track);
    this.since = earlier.map(ResidualTrack.Earlier::epochsBefore).orElse(0L);
    this.centre =
        before
            .map(ResidualTrack::coefficients)
            .orElseGet(() -> DoubleVector.generate(spec.features(), i -> 0.0));
    this.threshold = before.map(ResidualTrack::threshold).orElse(FIRST_THRESHOLD);
    Checks.length("coefficients of the model before", centre.size(), spec.features());
  }

  /**
   * Begins an epoch.
   *
   * @param earlier a published release; empty if there is none
   * @throws IllegalArgumentException if it has another number of features
   */
  public static ResidualFilter of(
      ResidualStatisticsSpec spec, Optional<ResidualTrack.Earlier> earlier) {
    return new ResidualFilter(spec, earlier);
  }

  /** Returns the statistics of no row, with their noise: see {@link ResidualStatistics#create}. */
  public ResidualStatistics statistics(Entropy entropy) {
    return ResidualStatistics.create(spec, centre, threshold, entropy);
  }

  /**
   * Returns the release of the epoch. O(p^3) time.
   *
   * @param statistics with their noise, as {@link ResidualStatistics#numbers()}
   * @throws IllegalArgumentException if they have another length
   */
  public ResidualTrack next(long... statistics) {
    Checks.length("statistics", statistics.length, spec.entries());
    EpochResiduals epoch = new EpochResiduals(spec, centre.toArray(), threshold, statistics);
    List<DiscountedStatistics> memories =
        before
            .map(ResidualTrack::memories)
            .orElseGet(
                () ->
                    Tuning.KEPT.stream()
                        .map(any -> new DiscountedStatistics(spec.features()))
                        .toList());
    long epochs = before.map(ResidualTrack::epochs).orElse(0L);
    for (int k = 0; k < Tuning.KEPT.size(); k++) {
      memories.get(k).judge(epoch);
      memories.get(k).add(epoch, kept(Tuning.KEPT.get(k), epochs), spec.noise());
    }
    return written(chosen(memories, epochs), epochs + 1, memories, statistics);
  }

  // The first epochs are forgotten sooner: their statistics are of a model that is far off.
  private double kept(double factor, long epochs) {
    double share = epochs / (epochs + 1.0);
    return Math.min(StrictMath.pow(factor, (double) since), share * share);
  }

  private static int chosen(List<DiscountedStatistics> memories, long epochs) {
    int chosen = Tuning.KEPT.size() - 1;
    for (int k = 0; k < Tuning.KEPT.size() && epochs >= Tuning.SCORED; k++) {
      chosen = memories.get(k).score() < memories.get(chosen).score() ? k : chosen;
    }
    return chosen;
  }

  private ResidualTrack written(
      int chosen, long epochs, List<DiscountedStatistics> memories, long... statistics) {
    int features = spec.features();
    DiscountedStatistics best = memories.get(chosen);
    double median =
        Math.min(ResidualTrack.LARGEST_THRESHOLD, best.threshold(threshold, spec.noise()));
    long[] numbers = new long[ResidualTrack.length(features)];
    int next = write(numbers, 0, best.model());
    numbers[next++] = ResidualTrack.steps(median);
    numbers[next++] = epochs;
    numbers[next++] = since;
    numbers[next++] = chosen;
    next = write(numbers, next, centre.toArray());
    numbers[next++] = ResidualTrack.steps(threshold);
    System.arraycopy(statistics, 0, numbers, next, statistics.length);
    next += statistics.length;
    for (DiscountedStatistics memory : memories) {
      memory.write(numbers, next);
      next += DiscountedStatistics.length(features);
    }
    return ResidualTrack.of(features, numbers);
  }

  private static int write(long[] numbers, int from, double... vector) {
    for (int i = 0; i < vector.length; i++) {
      numbers[from + i] = ResidualTrack.steps(vector[i]);
    }
    return from + vector.length;
  }

  /**
   * Returns the standard deviation by which the noise of the gradient of a first epoch moves a
   * coefficient in the direction where it moves it most.
   */
  // (1 - (f / e)^2) / e is largest at e = sqrt 3 f.
  public static double largestDeviation(ResidualNoise noise) {
    double drowned =
        DiscountedStatistics.drowned(noise.features(), noise.hessian() * noise.hessian());
    return FIRST_THRESHOLD * noise.gradient() * 2.0 / (3.0 * Math.sqrt(3.0) * drowned);
  }

  /**
   * Returns the variance of a coefficient that is expected after epochs of so many rows, if the
   * model of the rows stays what it is.
   *
   * @param rows of an epoch
   * @param square the mean square of a feature, as expected
   * @param median of the sizes of residuals, as expected
   */
  // Half of the rows are within the median, the mean square of clip(r / tau) is about 2 / 3, and
  // the Hessian is relaxed by about 3 / 4.
  public static double expectedVariance(
      ResidualNoise noise, double rows, double square, double median) {
    double curved = Tuning.REMEMBERED * 0.5 * rows * square;
    double relaxed = 0.75 * noise.hessian();
    double scores = noise.gradient() * noise.gradient() + rows * square / 1.5;
    return DiscountedStatistics.variance(
        curved,
        DiscountedStatistics.drowned(noise.features(), Tuning.REMEMBERED * relaxed * relaxed),
        Tuning.REMEMBERED * median * median * scores);
  }
}
