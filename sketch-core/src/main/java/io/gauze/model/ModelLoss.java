package io.gauze.model;

import io.gauze.internal.Checks;
import java.io.Serializable;

/**
 * The loss of a row (u, y): a convex function of {@code u'theta} and y whose derivative in the
 * first is bounded and does not change faster than a bound. Objective perturbation needs no more:
 * neither responses nor coefficients are bounded.
 */
public sealed interface ModelLoss extends Serializable permits ModelLoss.Huber, ModelLoss.Logistic {
  /** The smallest threshold, in the encoded scale of the response. */
  double LEAST_THRESHOLD = 0x1p-20;

  /** A bound on the derivative: a gradient is at most this times the norm of the features. */
  double slope();

  /** A bound on the second derivative, where there is one. */
  double curvature();

  /**
   * A bound on the loss of a row whose prediction has at most this size.
   *
   * @param prediction a bound on {@code |u'theta|}
   */
  default double largest(double prediction) {
    return 1.0 + slope() * (ModelRows.LARGEST_RESPONSE + prediction);
  }

  /**
   * Huber's loss: {@code r^2 / 2} for residuals up to the threshold, {@code k |r| - k^2 / 2}
   * beyond. A small threshold gives least absolute deviations, a large one least squares.
   *
   * @param threshold k in the encoded scale of the response, in [2^-20, 2^10]; it is cut to a
   *     multiple of 2^-30
   */
  record Huber(double threshold) implements ModelLoss {
    /**
     * Checks the threshold.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Huber {
      threshold = onGrid(threshold);
    }

    @Override
    public double slope() {
      return threshold;
    }

    @Override
    public double curvature() {
      return 1.0;
    }
  }

  /**
   * The logistic loss {@code ln(1 + exp(-y u'theta))}, y = 1 for responses above 0, y = -1 for
   * others: a label is given as the response 1 or -1. The weight of a long row makes its features
   * shorter only.
   */
  record Logistic() implements ModelLoss {
    @Override
    public double slope() {
      return 1.0;
    }

    @Override
    public double curvature() {
      return 0.25;
    }

    /** No response counts: {@code ln(1 + exp(|t|))} is below {@code 1 + |t|}. */
    @Override
    public double largest(double prediction) {
      return 1.0 + prediction;
    }
  }

  private static double onGrid(double value) {
    Checks.within("threshold", value, LEAST_THRESHOLD, 1024.0);
    return Math.floor(value * FixedPointScore.UNITS) / FixedPointScore.UNITS;
  }
}
