package io.gauze.mechanism;

import io.gauze.internal.Checks;
import java.io.Serializable;

/**
 * The loss that a released model minimises: Huber's, for the median or another quantile, with
 * squares and absolute values at its ends.
 *
 * @param threshold where squares turn into absolute values, in the encoded scale of the response;
 *     infinite for least squares; positive
 * @param quantile the quantile of the response that is predicted, in (0, 1); 0.5 for symmetric
 *     losses
 */
public record FittedLoss(double threshold, double quantile) implements Serializable {
  /** Least squares. */
  public static final FittedLoss SQUARED = new FittedLoss(Double.POSITIVE_INFINITY, 0.5);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public FittedLoss {
    if (!(threshold > 0.0)) { // NaN too
      throw new IllegalArgumentException(
          "threshold must be positive. Provided value: " + threshold);
    }
    Checks.inOpenUnit("quantile", quantile);
  }

  /** Whether it is the squared loss. */
  public boolean isSquared() {
    return Double.isInfinite(threshold);
  }
}
