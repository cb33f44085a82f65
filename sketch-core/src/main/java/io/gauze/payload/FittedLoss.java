package io.gauze.payload;

import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.Objects;

/**
 * The loss that a released model minimises: Huber's, for the median or another quantile, with
 * squares and absolute values at its ends; or the logistic loss.
 *
 * @param kind squares, Huber's with a tilt, or logistic
 * @param threshold where squares turn into absolute values, in the encoded scale of the response;
 *     infinite for losses that have none; positive
 * @param quantile the quantile of the response that is predicted, in (0, 1); 0.5 for symmetric
 *     losses
 */
public record FittedLoss(Kind kind, double threshold, double quantile) implements Serializable {
  /** The form of a loss. */
  public enum Kind {
    /** Least squares. */
    SQUARED,
    /** Huber's loss, tilted to a quantile. */
    HUBER,
    /** The logistic loss of a label. */
    LOGISTIC
  }

  /** Least squares. */
  public static final FittedLoss SQUARED =
      new FittedLoss(Kind.SQUARED, Double.POSITIVE_INFINITY, 0.5);

  /** The logistic loss. */
  public static final FittedLoss LOGISTIC =
      new FittedLoss(Kind.LOGISTIC, Double.POSITIVE_INFINITY, 0.5);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public FittedLoss {
    Objects.requireNonNull(kind, "kind");
    if (!(threshold > 0.0)) { // NaN too
      throw new IllegalArgumentException(
          "threshold must be positive. Provided value: " + threshold);
    }
    Checks.inOpenUnit("quantile", quantile);
  }

  /**
   * Creates Huber's loss, which is the squared one if its threshold is infinite.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public FittedLoss(double threshold, double quantile) {
    this(Double.isInfinite(threshold) ? Kind.SQUARED : Kind.HUBER, threshold, quantile);
  }

  /** Whether it is the squared loss. */
  public boolean isSquared() {
    return kind == Kind.SQUARED;
  }

  /** Whether it is the logistic loss. */
  public boolean isLogistic() {
    return kind == Kind.LOGISTIC;
  }
}
