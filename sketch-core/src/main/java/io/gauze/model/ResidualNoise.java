package io.gauze.model;

import io.gauze.internal.Checks;

/**
 * Standard deviations of the noise in {@link ResidualStatistics}, in the encoded scale.
 *
 * @param features p
 * @param counts of a count, in rows
 * @param gradient of an entry of the gradient
 * @param hessian on the diagonal of the Hessian; off it {@code / sqrt 2}
 */
public record ResidualNoise(int features, double counts, double gradient, double hessian) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a deviation is not positive and finite
   */
  public ResidualNoise {
    Checks.positiveFinite("countSigma", counts);
    Checks.positiveFinite("gradientSigma", gradient);
    Checks.positiveFinite("hessianSigma", hessian);
  }

  ResidualNoise times(double factor) {
    return new ResidualNoise(features, factor * counts, factor * gradient, factor * hessian);
  }
}
