package io.gauze.model.track;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.model.FixedPointScore;
import io.gauze.model.ObjectiveSpec;
import java.util.Arrays;

/**
 * The public numbers of a model that is kept up to date: what is released, and all that the next
 * epoch needs. Immutable.
 *
 * <p>As whole numbers: p coefficients in steps of their grid; the noisy number of rows; the
 * variance of a coefficient and what it grows by in an epoch, both in 2^-60; the weight of the
 * ridge in 2^-30; how many epochs before its own that of its centre is, 0 if the centre is zero.
 */
public final class TrackedModel implements PublishedTrack {
  /** The numbers beside the coefficients. */
  public static final int EXTRA = 5;

  static final double LARGEST_VARIANCE = 0.25;
  static final double LEAST_VARIANCE = 0x1p-40;
  static final double LARGEST_DRIFT = 1e-2;
  static final double LEAST_DRIFT = 1e-8;

  private static final int VARIANCE_BITS = 60;

  private final long[] numbers;

  private TrackedModel(long[] numbers) {
    this.numbers = numbers;
  }

  /**
   * Reads the numbers of a release.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public static TrackedModel of(long... numbers) {
    Checks.within("numbers", numbers.length, EXTRA + 1, Integer.MAX_VALUE);
    TrackedModel model = new TrackedModel(numbers.clone());
    Checks.within("variance", model.variance(), 0.5 * LEAST_VARIANCE, LARGEST_VARIANCE);
    Checks.within("drift", model.drift(), 0.5 * LEAST_DRIFT, LARGEST_DRIFT);
    Checks.within("epochsBefore", model.epochsBefore(), 0, Long.MAX_VALUE);
    return model;
  }

  /** Creates the numbers of a release; variance and drift are cut to their ranges. */
  static TrackedModel of(
      long[] steps, long count, double variance, double drift, double ridge, long epochsBefore) {
    long[] numbers = Arrays.copyOf(steps, steps.length + EXTRA);
    numbers[steps.length] = count;
    numbers[steps.length + 1] = fixed(variance, LEAST_VARIANCE, LARGEST_VARIANCE);
    numbers[steps.length + 2] = fixed(drift, LEAST_DRIFT, LARGEST_DRIFT);
    numbers[steps.length + 3] = (long) Math.ceil(ridge * FixedPointScore.UNITS);
    numbers[steps.length + 4] = epochsBefore;
    return of(numbers);
  }

  /** Returns the nearest number within a range, in 2^-60. */
  private static long fixed(double value, double least, double largest) {
    return (long) Math.scalb(Math.max(least, Math.min(largest, value)), VARIANCE_BITS);
  }

  /** The number of coefficients. */
  public int features() {
    return numbers.length - EXTRA;
  }

  /** The coefficients in the encoded scale, cut to a size that a centre may have. */
  public DoubleVector centre(int outputBits) {
    double most = ObjectiveSpec.LARGEST_CENTRE;
    return DoubleVector.generate(
        features(),
        i -> Math.max(-most, Math.min(most, Math.scalb((double) numbers[i], -outputBits))));
  }

  /** The noisy number of rows, which may be below 0. */
  @Override
  public long count() {
    return numbers[features()];
  }

  /** The mean square by which a coefficient is off, as far as the public numbers tell. */
  public double variance() {
    return Math.scalb((double) numbers[features() + 1], -VARIANCE_BITS);
  }

  /** What the variance grows by in an epoch. */
  public double drift() {
    return Math.scalb((double) numbers[features() + 2], -VARIANCE_BITS);
  }

  /** The weight of the ridge. */
  @Override
  public double ridge() {
    return numbers[features() + 3] / FixedPointScore.UNITS;
  }

  /** How many epochs before its own that of its centre is; 0 if the centre is zero. */
  @Override
  public long epochsBefore() {
    return numbers[features() + 4];
  }

  /** Returns a copy of the numbers. */
  public long[] numbers() {
    return numbers.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TrackedModel that && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers);
  }

  @Override
  public String toString() {
    return "TrackedModel" + Arrays.toString(numbers);
  }
}
