package io.gauze.model.track;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.model.ResidualStatistics;
import io.gauze.model.ResidualStatisticsSpec;
import io.gauze.model.Tuning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The public numbers of a model that is kept up to date by {@link ResidualStatistics}: what is
 * released, and all that the next epoch needs. Immutable.
 *
 * <p>As whole numbers: p coefficients and then the threshold, in 2^-32; the number of epochs so
 * far, this one included; how many epochs before its own that of its centre is, 0 if the centre is
 * zero; the memory from which the model is, from 0 on; the centre and the threshold at which the
 * statistics were taken, in 2^-32; the statistics, as {@link ResidualStatistics#numbers()}; six
 * memories, as bits of doubles.
 *
 * <p>All numbers but the statistics are a function of the statistics and of the release before. The
 * sums of a memory are those of the statistics with weights that fall by a factor each epoch. Which
 * memory is used is decided by how well the models of each did on the epochs after them.
 */
public final class ResidualTrack implements PublishedTrack {
  static final double LEAST_THRESHOLD = 1e-3;

  /** Bits of coefficients after the binary point. */
  public static final int OUTPUT_BITS = 32;

  static final double LARGEST_THRESHOLD = 2.0;

  /** The numbers beside coefficients, centre, statistics and memories. */
  private static final int SINGLES = 5;

  private final int features;
  private final long[] numbers;

  private ResidualTrack(int features, long[] numbers) {
    this.features = features;
    this.numbers = numbers;
  }

  /** The number of numbers of a release. */
  public static int length(int features) {
    int statistics = ResidualStatistics.BINS + features + features * (features + 1) / 2;
    return 2 * features
        + SINGLES
        + statistics
        + Tuning.KEPT.size() * DiscountedStatistics.length(features);
  }

  /**
   * Reads the numbers of a release.
   *
   * @param features p
   * @throws IllegalArgumentException if one is out of range
   */
  public static ResidualTrack of(int features, long... numbers) {
    Checks.within("features", features, 1, ResidualStatisticsSpec.MOST_FEATURES);
    Checks.length("numbers", numbers.length, length(features));
    ResidualTrack track = new ResidualTrack(features, numbers.clone());
    Checks.within("threshold", track.threshold(), 0.5 * LEAST_THRESHOLD, LARGEST_THRESHOLD);
    Checks.within("epochs", track.epochs(), 1, Long.MAX_VALUE);
    Checks.within("epochsBefore", track.epochsBefore(), 0, Long.MAX_VALUE);
    double norm = DiscountedStatistics.LARGEST_NORM + 1.0;
    for (double coefficient : track.coefficients().toArray()) {
      Checks.within("coefficient", coefficient, -norm, norm);
    }
    Checks.within("memory", numbers[features + 3], 0, track.memories().size() - 1);
    return track;
  }

  static long steps(double value) {
    return Math.round(Math.scalb(value, OUTPUT_BITS));
  }

  private DoubleVector vector(int from) {
    return DoubleVector.generate(
        features, i -> Math.scalb((double) numbers[from + i], -OUTPUT_BITS));
  }

  /** The coefficients in the encoded scale. */
  public DoubleVector coefficients() {
    return vector(0);
  }

  /** The threshold of Huber's loss: the median size of residuals, as far as it is known. */
  public double threshold() {
    return Math.scalb((double) numbers[features], -OUTPUT_BITS);
  }

  /** The number of epochs so far, this one included. */
  public long epochs() {
    return numbers[features + 1];
  }

  @Override
  public long epochsBefore() {
    return numbers[features + 2];
  }

  /** The memory from which the model is: 0 is the shortest. */
  public int memory() {
    return (int) numbers[features + 3];
  }

  /** The model at which the statistics were taken. */
  public DoubleVector centre() {
    return vector(features + SINGLES - 1);
  }

  private int statisticsAt() {
    return 2 * features + SINGLES;
  }

  /** The sum of all noisy counts. */
  @Override
  public long count() {
    long sum = 0L;
    for (int k = 0; k < ResidualStatistics.BINS; k++) {
      sum += numbers[statisticsAt() + k];
    }
    return Math.round(Math.scalb((double) sum, -ResidualStatisticsSpec.COUNT_BITS));
  }

  @Override
  public double ridge() {
    return 0.0;
  }

  /**
   * Returns the mean variance of a coefficient, as far as the public numbers tell.
   *
   * @param gradientSigma the standard deviation of the noise in an entry of the gradient
   */
  public double variance(double gradientSigma) {
    return memories().get(memory()).variance(threshold(), gradientSigma);
  }

  /** Reads the memories, which may be changed. */
  List<DiscountedStatistics> memories() {
    int each = DiscountedStatistics.length(features);
    int from = numbers.length - Tuning.KEPT.size() * each;
    List<DiscountedStatistics> memories = new ArrayList<>();
    for (int k = 0; k < Tuning.KEPT.size(); k++) {
      memories.add(DiscountedStatistics.read(features, numbers, from + k * each));
    }
    return memories;
  }

  /** Returns a copy of the numbers. */
  public long[] numbers() {
    return numbers.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResidualTrack that && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers);
  }

  @Override
  public String toString() {
    return "ResidualTrack" + Arrays.toString(numbers);
  }
}
