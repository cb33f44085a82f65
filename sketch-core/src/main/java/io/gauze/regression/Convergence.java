package io.gauze.regression;

import io.gauze.internal.Checks;

/**
 * How a solver ended.
 *
 * @param iterations at least 0; 0 for a direct solution
 * @param relativeGap how far the objective can be above its minimum, as a share of it; 0 for a
 *     direct solution
 */
public record Convergence(int iterations, double relativeGap) {
  /** A system of equations was solved. */
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
