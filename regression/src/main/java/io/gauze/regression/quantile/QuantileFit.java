package io.gauze.regression.quantile;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import java.util.Objects;

/**
 * A fit of a quantile, or of least absolute deviations.
 *
 * @param coefficients p, in the order of the columns
 * @param objective {@code sum w_i rho_tau(y_i - x_i'b)} at the coefficients; for least absolute
 *     deviations {@code sum w_i |y_i - x_i'b|}
 * @param relativeGap at least 0: a bound on the distance of the objective from the minimum, by
 *     linear programming duality and up to rounding. It is a share of the objective, or of {@code
 *     1e-5 sum w_i (|y_i| + sum_j |x_ij b_j|)} if that is larger, which matters for nearly exact
 *     fits
 * @param iterations of the interior point method
 * @param pivots exchanges of rows after it
 */
public record QuantileFit(
    DoubleVector coefficients, double objective, double relativeGap, int iterations, int pivots) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is negative or not finite
   */
  public QuantileFit {
    Objects.requireNonNull(coefficients, "coefficients");
    Checks.nonNegativeFinite("objective", objective);
    Checks.nonNegativeFinite("relativeGap", relativeGap);
    Checks.within("iterations", iterations, 0, Integer.MAX_VALUE);
    Checks.within("pivots", pivots, 0, Integer.MAX_VALUE);
  }
}
