package io.gauze.accounting;

import io.gauze.internal.Checks;
import java.io.Serializable;

/**
 * Additive Wishart noise {@code W_D(c B^2 I, k)} on the moments of rows of l2 norm at most B: the
 * moments of {@code k} noise rows {@code N(0, c B^2 I)}. Its mean is {@code k c B^2 I}; the
 * standard deviation of an entry off the diagonal is {@code c B^2 sqrt(k)}.
 *
 * @param columns D, in [1, 4096]
 * @param degrees k, in [columns + 2, 10^6]
 * @param scale c, the variance of a noise entry over B^2, in [1e-18, 1e18]
 */
public record WishartNoise(int columns, int degrees, double scale) implements Serializable {
  /** The largest number of columns. */
  public static final int MOST_COLUMNS = 4096;

  /**
   * The largest number of degrees of freedom. Up to it the accounting was checked against other
   * software.
   */
  public static final int MOST_DEGREES = 1_000_000;

  static final double SMALLEST_SCALE = 1e-18;
  static final double LARGEST_SCALE = 1e18;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is outside its range
   */
  public WishartNoise {
    Checks.within("columns", columns, 1, MOST_COLUMNS);
    Checks.within("degreesOfFreedom", degrees, columns + 2, MOST_DEGREES);
    Checks.within("scale", scale, SMALLEST_SCALE, LARGEST_SCALE);
  }

  /** The standard deviation of an entry off the diagonal, over B^2: {@code c sqrt(k)}. */
  public double spread() {
    return scale * Math.sqrt(degrees);
  }

  /** The mean that the noise adds to each entry of the diagonal, over B^2: {@code k c}. */
  public double mean() {
    return scale * degrees;
  }

  /** {@code k - D + 1}. Privacy depends on this number and the scale only. */
  int freedom() {
    return degrees - columns + 1;
  }
}
