package io.gauze.mechanism.descent;

/**
 * Twice the loss of a quantile, with a round bottom: {@code (2q - 1) r + r^2 / 2k} for residuals r
 * up to the threshold k, {@code (2q - 1) r + |r| - k / 2} beyond. Of q = 0.5 it is Huber's, over k.
 *
 * @param quantile q, in (0, 1)
 * @param threshold k, positive
 */
record RoundLoss(double quantile, double threshold) {
  /** The loss of the quantile itself, without the round bottom; at least 0. */
  RoundLoss sharp() {
    return new RoundLoss(quantile, Double.MIN_VALUE);
  }

  /** The loss of a residual. */
  double of(double residual) {
    double size = Math.abs(residual);
    double round =
        size < threshold ? residual * residual / (2.0 * threshold) : size - 0.5 * threshold;
    return (2.0 * quantile - 1.0) * residual + round;
  }

  /** Its slope. */
  double slope(double residual) {
    return 2.0 * quantile - 1.0 + Math.max(-1.0, Math.min(1.0, residual / threshold));
  }

  /** The largest size of a slope. */
  double largestSlope() {
    return 1.0 + Math.abs(2.0 * quantile - 1.0);
  }

  /** The mean size of slopes of residuals of which a share of q is below 0, if k is small. */
  double meanSlope() {
    return 4.0 * quantile * (1.0 - quantile);
  }
}
