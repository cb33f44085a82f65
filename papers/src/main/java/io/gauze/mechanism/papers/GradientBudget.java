package io.gauze.mechanism.papers;

import io.gauze.accounting.BoundedRange;
import io.gauze.internal.Checks;
import java.io.Serializable;

/**
 * How steps down a gradient divide a mu: {@code curvature^2 + steps (values^2 + draws
 * BoundedRange.mu(range)^2)} is at most its square.
 *
 * @param curvature the mu of the bound on the curvature; positive
 * @param values the mu of the values of the gradient in each step; positive
 * @param range of each draw; 0 if nothing is drawn
 */
public record GradientBudget(double curvature, double values, double range)
    implements Serializable {
  private static final double DOWN = 1.0 - 0x1p-45; // covers rounding

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public GradientBudget {
    Checks.positiveFinite("curvature", curvature);
    Checks.positiveFinite("values", values);
    Checks.nonNegativeFinite("range", range);
  }

  static GradientBudget of(double mu, int steps, int draws) {
    double each = (1.0 - Tuning.CURVATURE) / steps;
    double drawn = draws == 0 ? 0.0 : Tuning.DRAWS;
    return new GradientBudget(
        DOWN * mu * Math.sqrt(Tuning.CURVATURE),
        DOWN * mu * Math.sqrt((1.0 - drawn) * each),
        draws == 0 ? 0.0 : BoundedRange.range(DOWN * mu * Math.sqrt(drawn * each / draws)));
  }
}
