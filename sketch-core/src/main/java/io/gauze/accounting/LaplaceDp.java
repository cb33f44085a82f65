package io.gauze.accounting;

import io.gauze.internal.Checks;
import java.util.Objects;

/**
 * Calibration of Laplace noise, and the l1 sensitivities of the moments to which the functional
 * mechanism adds it: J. Zhang, Z. Zhang, X. Xiao, Y. Yang and M. Winslett, <a
 * href="https://doi.org/10.14778/2350229.2350253">Functional mechanism: regression analysis under
 * differential privacy</a>, PVLDB 5 (2012). Differs from the paper: an entry and its mirror image
 * are one number, released once, and both neighbouring relations are supported.
 *
 * <p>The unit is one row of D columns, the intercept and the response among them. The moments are
 * {@code sum a_i a_j} over the rows, one number for each unordered pair of columns, {@code i <= j},
 * in each cell of a partition of the rows. Add-remove: a row enters or leaves one cell.
 * Replace-one: a row changes its values, and possibly its cell.
 */
public final class LaplaceDp {
  /** The largest number of columns. */
  public static final int MOST_COLUMNS = 1 << 20;

  private LaplaceDp() {}

  /**
   * Returns the least scale of Laplace noise that makes a query epsilon-private: {@code sensitivity
   * / epsilon}, rounded up.
   *
   * @param epsilon in (0, 100]
   * @param sensitivity the largest l1 distance between neighbours' answers; finite, above 0
   * @return in the unit of the sensitivity; the noise has standard deviation {@code sqrt(2)} times
   *     that
   * @throws IllegalArgumentException if an argument is outside its range, or if the scale is not
   *     finite
   */
  public static double scale(double epsilon, double sensitivity) {
    GaussianDp.checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    GaussianDp.checkPositive("sensitivity", sensitivity);
    double scale = Math.nextUp(sensitivity / epsilon);
    GaussianDp.checkPositive("scale", scale);
    return scale;
  }

  // A row adds a_i a_j to each of the D (D + 1) / 2 pairs of one cell, each of size at most 1 if
  // all |a_i| <= 1. If the l2 norm is at most B, Cauchy-Schwarz on the first sum gives
  //   sum_{i <= j} |a_i a_j| = ((sum |a_i|)^2 + sum a_i^2) / 2 <= (D B^2 + B^2) / 2,
  // with equality for equal entries. A replaced row leaves one cell and enters one: the distance is
  // at most the sum of both norms, and is that sum if the cells differ.

  /**
   * Returns the l1 sensitivity of moments of rows with entries in [-1, 1]: {@code D (D + 1) / 2},
   * twice that for replace-one. Exact; attained by entries of size 1.
   *
   * @param columns D, in [1, 2^20]
   * @throws IllegalArgumentException if columns is outside its range
   */
  public static double entrySensitivity(int columns, Neighbours neighbours) {
    Checks.within("columns", columns, 1, MOST_COLUMNS);
    return 0.5 * columns * (columns + 1.0) * rows(neighbours);
  }

  /**
   * Returns the l1 sensitivity of moments of rows of l2 norm at most B: {@code B^2 (D + 1) / 2},
   * twice that for replace-one, rounded up.
   *
   * @param columns D, in [1, 2^20]
   * @param norm B, in [1e-100, 1e100]
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double normSensitivity(int columns, double norm, Neighbours neighbours) {
    Checks.within("columns", columns, 1, MOST_COLUMNS);
    Checks.within("norm", norm, 1e-100, 1e100);
    double square = Math.nextUp(norm * norm);
    return Math.nextUp(square * (0.5 * (columns + 1.0))) * rows(neighbours);
  }

  /**
   * Returns the l1 sensitivity of moments of rows with entries in [-1, 1] and of l2 norm at most B:
   * the smaller of {@link #entrySensitivity} and {@link #normSensitivity}.
   *
   * @param columns D, in [1, 2^20]
   * @param norm B, in [1e-100, 1e100]
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double sensitivity(int columns, double norm, Neighbours neighbours) {
    return Math.min(
        entrySensitivity(columns, neighbours), normSensitivity(columns, norm, neighbours));
  }

  private static double rows(Neighbours neighbours) {
    Objects.requireNonNull(neighbours, "neighbours");
    return neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
  }
}
