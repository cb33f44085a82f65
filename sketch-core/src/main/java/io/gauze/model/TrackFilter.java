package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import java.util.Optional;

/**
 * A Kalman filter with one variance for all coefficients of a model: chooses the weight of the
 * ridge of an epoch, and says how far the model may be off after it. All of it is made from public
 * numbers: those of the config, published models and noisy numbers of rows.
 *
 * @param features p, the intercept included
 * @param threshold of Huber's loss
 * @param featureBound B_x
 * @param deviation the standard deviation of the noise in an entry of the gradient
 * @param leastRidge the least weight that keeps the promise
 * @param countScale the scale of the Laplace noise in the number of rows
 * @param square the mean square of a feature, as expected
 */
public record TrackFilter(
    int features,
    double threshold,
    double featureBound,
    double deviation,
    double leastRidge,
    double countScale,
    double square) {
  /** A number of rows is used if it is so many deviations of its noise above 0. */
  private static final double SIGNIFICANT = 2.0;

  /** Of a change of unlimited size that makes a step surprising. */
  private static final double EVIDENCE = evidence(Tuning.SURPRISE, 1.0, Tuning.SURPRISE);

  /** The largest weight: 2^28 squares of the bound over the root of p, and at most 2^32. */
  private static final int LARGEST_BITS = 28;

  private static final double LARGEST_RIDGE = 0x1p32;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public TrackFilter {
    Checks.within("features", features, 1, Integer.MAX_VALUE);
    Checks.positiveFinite("threshold", threshold);
    Checks.positiveFinite("featureBound", featureBound);
    Checks.positiveFinite("deviation", deviation);
    Checks.positiveFinite("countScale", countScale);
    Checks.within("square", square, 0x1p-40, 0x1p16);
    Checks.within("ridge", leastRidge, Double.MIN_NORMAL, largest(features, featureBound));
  }

  private static double largest(int features, double bound) {
    return Math.min(LARGEST_RIDGE, Math.scalb(bound * bound, LARGEST_BITS) / Math.sqrt(features));
  }

  /** The largest weight that is chosen. */
  double largestRidge() {
    return largest(features, featureBound);
  }

  /**
   * What is known before an epoch.
   *
   * @param centre the coefficients
   * @param variance the mean square by which one of them is off
   * @param drift what that grows by in an epoch
   * @param epochsBefore how many epochs before this one the coefficients were fitted; 0: none were
   */
  record Start(DoubleVector centre, double variance, double drift, long epochsBefore) {}

  Start start(Optional<PreviousModel> before, int outputBits) {
    if (before.isEmpty()) {
      DoubleVector zero = DoubleVector.generate(features, i -> 0.0);
      return new Start(zero, TrackedModel.LARGEST_VARIANCE, Tuning.FIRST_DRIFT, 0);
    }
    TrackedModel model = before.get().model();
    Checks.length("coefficients of the model before", model.features(), features);
    double variance = model.variance() + before.get().epochsBefore() * model.drift();
    return new Start(
        model.centre(outputBits),
        Math.min(TrackedModel.LARGEST_VARIANCE, variance),
        model.drift(),
        before.get().epochsBefore());
  }

  /**
   * What the rows of an epoch say about a coefficient.
   *
   * @param amount the expected second derivative of their loss
   * @param variance that of their gradient, with the noise
   */
  record Information(double amount, double variance) {
    /** The mean square by which a coefficient of these rows alone is off. */
    double error() {
      return variance / (amount * amount);
    }
  }

  Information information(double noisyRows) {
    double significant = SIGNIFICANT * Math.sqrt(2.0) * countScale;
    double rows =
        noisyRows > significant ? noisyRows : Math.max(1.0, Tuning.OF_INSIGNIFICANT * noisyRows);
    double scores = Tuning.SCORES * threshold * threshold * rows * square;
    return new Information(Tuning.CURVED * rows * square, deviation * deviation + scores);
  }

  /** Returns the weight of the ridge of an epoch. */
  double ridge(double variance, Information rows) {
    double wanted = Math.max(rows.variance / (rows.amount * variance), Tuning.GUARD * deviation);
    return Math.max(leastRidge, Math.min(largestRidge(), wanted));
  }

  private static double gain(double ridge, Information rows) {
    return rows.amount / (rows.amount + ridge);
  }

  private static double settled(double variance, double gain, double error) {
    return (1.0 - gain) * (1.0 - gain) * variance + gain * gain * error;
  }

  /**
   * The grid of released coefficients.
   *
   * @param bits the step is {@code 2^-bits}
   * @param variance of the noise that hides the solver, which shows where the ridge allows no step
   */
  record Output(int bits, double variance) {}

  // A model that is further from its centre than expected says that the rows have changed. Then the
  // past is forgotten at once. Where hardly anything can be told from the rows, no change makes a
  // step much likelier.
  TrackedModel next(
      Start start, Information rows, long noisyRows, double ridge, Output output, long... steps) {
    double gain = gain(ridge, rows);
    double moved = 0.0;
    for (int i = 0; i < features; i++) {
      double step = Math.scalb((double) steps[i], -output.bits) - start.centre.get(i);
      moved += step * step / features;
    }
    double unsettled = moved / (gain * gain);
    double error = rows.error() + output.variance / (gain * gain);
    double expected = start.variance + error;
    double changed = Math.min(TrackedModel.LARGEST_VARIANCE, unsettled - error) + error;
    boolean forget = changed > expected && evidence(unsettled, expected, changed) >= EVIDENCE;
    double variance = forget ? unsettled : settled(start.variance, gain, error);
    double surprise = Math.min(Tuning.SURPRISE, unsettled / expected);
    double drift = start.drift * StrictMath.exp(Tuning.LEARNING * (surprise - 1.0));
    return TrackedModel.of(steps, noisyRows, variance, drift, ridge, start.epochsBefore);
  }

  /**
   * The logarithm of how much more likely a square of a normal variable is of another variance,
   * doubled.
   */
  private static double evidence(double square, double variance, double other) {
    return StrictMath.log(variance / other) + square / variance - square / other;
  }

  /**
   * Returns the variance of a coefficient that is expected after epochs of so many rows, if the
   * model of the rows stays what it is.
   */
  public double expectedVariance(double rows, int epochs) {
    Information each = information(rows);
    double variance = TrackedModel.LARGEST_VARIANCE;
    for (int epoch = 0; epoch < epochs; epoch++) {
      variance =
          Tuning.FIRST_DRIFT + settled(variance, gain(ridge(variance, each), each), each.error());
    }
    return Math.min(TrackedModel.LARGEST_VARIANCE, variance);
  }
}
