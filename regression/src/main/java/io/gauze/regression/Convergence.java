package io.gauze.regression;

import io.gauze.internal.Checks;

/**
 * The state of a solver at its end.
 *
 * @param iterations at least 0; 0 for a direct solution
 * @param relativeGap a bound on the distance of the objective from its minimum, as a share of the
 *     objective; 0 for a direct solution
 */
public record Convergence(int iterations, double relativeGap) {
  /** The convergence of a direct solution of a system of equations. */
  public static final Convergence DIRECT = new Convergence(0, 0.0);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is negative or not finite
   */
  public Convergence {
    Checks.within("iterations", iterations, 0, Integer.MAX_VALUE);
    Checks.nonNegativeFinite("relativeGap", relativeGap);
  }
}
