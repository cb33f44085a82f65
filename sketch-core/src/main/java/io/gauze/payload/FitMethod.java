package io.gauze.payload;

import io.gauze.model.track.ResidualTrack;
import io.gauze.model.track.TrackedModel;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The method by which a model was computed, with the settings that its expected error depends on.
 */
public sealed interface FitMethod {
  /**
   * The minimum of an objective of one epoch.
   *
   * @param centre the coefficient of the intercept to which the ridge draws; it draws the others to
   *     0
   */
  record Minimum(double centre) implements FitMethod {}

  /**
   * Steps that stop before the minimum.
   *
   * @param steps their number
   * @param nonzero the largest number of features of coefficients other than 0
   * @param radius of the ball in which the coefficients are
   * @param vertices whether a step goes toward a vertex of the ball of the sum of absolute values;
   *     if not, it goes down the gradient
   * @param slack what the bound on the curvature exceeds it by, on average
   */
  record Descent(int steps, int nonzero, double radius, boolean vertices, double slack)
      implements FitMethod {}

  /**
   * Steps down noisy gradients of rows that noisy sums of one or two rounds have whitened. Three
   * numbers follow the coefficients: the relative excess that is likely, the most that it would be
   * if all that was cut off gradients pulled one way, and the square of the error of the best
   * constant over that of the model, of squares the variance of the response over that of its
   * residuals. Of a loss that is not squared the threshold is a fourth one, in the encoded scale.
   *
   * @param rounds the deviations of the moments of each round that there may be, in the encoded
   *     scale and then in that of rows of norm 1
   * @param counts the deviation of each count
   * @param steps the deviations of an entry of a sum of gradients of norm 1, by the rounds made
   * @param hasThreshold whether the loss is not squared
   */
  record Steps(List<Double> rounds, double counts, List<Double> steps, boolean hasThreshold)
      implements FitMethod {
    /** The place of the threshold after the coefficients. */
    public static final int THRESHOLD = 3;

    /** Copies the lists. */
    public Steps {
      rounds = List.copyOf(rounds);
      steps = List.copyOf(steps);
    }

    /** How many numbers follow the coefficients. */
    public int numbers() {
      return hasThreshold ? THRESHOLD + 1 : THRESHOLD;
    }
  }

  /**
   * The minimum of least squares in a ball, from the moments of one epoch.
   *
   * @param radius of the ball
   */
  record Ball(double radius) implements FitMethod {}

  /**
   * Rounds of weighted least squares with noise in their moments.
   *
   * @param rounds their number
   * @param deviation of the noise on the diagonal of a round's moments; off it {@code 1 / sqrt 2}
   */
  record Reweighting(int rounds, double deviation) implements FitMethod {}

  /**
   * Epochs, each of which begins with the model of the one before. The numbers of {@link
   * TrackedModel} follow the coefficients.
   *
   * @param variance by which a coefficient is expected to be off, squared
   */
  record Track(double variance) implements FitMethod {}

  /**
   * Epochs, each with noisy statistics of residuals under the model of the one before. The numbers
   * of {@link ResidualTrack} follow the coefficients.
   *
   * @param features p
   * @param variance by which a coefficient is expected to be off, squared
   * @param gradientSigma the standard deviation of the noise in an entry of the gradient
   */
  record Residuals(int features, double variance, double gradientSigma) implements FitMethod {}

  /** Whether it was made from sums of rows that are clipped as those of every sketch. */
  default boolean isFromMoments() {
    return this instanceof Descent || this instanceof Ball;
  }

  /** How many numbers follow the coefficients. */
  default int extraNumbers() {
    if (this instanceof Residuals residuals) {
      return ResidualTrack.length(residuals.features) - residuals.features;
    }
    if (this instanceof Steps steps) {
      return steps.numbers();
    }
    return this instanceof Track ? TrackedModel.EXTRA : 0;
  }

  /** By which a coefficient is expected to be off, squared, if it is kept up to date. */
  default OptionalDouble trackedVariance() {
    if (this instanceof Residuals residuals) {
      return OptionalDouble.of(residuals.variance);
    }
    return this instanceof Track track ? OptionalDouble.of(track.variance) : OptionalDouble.empty();
  }
}
