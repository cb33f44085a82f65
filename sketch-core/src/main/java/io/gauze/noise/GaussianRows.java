package io.gauze.noise;

import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.accounting.WishartNoise;
import io.gauze.internal.Checks;

/**
 * Samples rows {@code N(0, M)}: a Gaussian projection of data with moments M, made from the moments
 * alone. {@link ProjectionPrivacy} accounts for it with {@code M + w^2 I}.
 *
 * <p>A row is {@code z U}, z standard normal and {@code M = U' U} (Cholesky). O(D^2) time per row.
 *
 * <p>Idealised: the law is continuous, while a sample is computed in doubles and then hidden by the
 * filling of its {@link OutputGrid}. Immutable.
 */
// Given U, an entry of column j has an error of at most
//   2^-53 (D + 3) 13 sqrt(D M_jj) / s
// fillings, s the filling's standard deviation: |z| < 13, and the column of U has norm sqrt M_jj.
// Mostly the error is 2^-53 sqrt(D M_jj) / s.
// U itself is the exact factor of a matrix with an error at (i, j) of at most
//   2^-53 (D + 6) sqrt(M_ii M_jj)
// (Higham, Accuracy and Stability, theorem 10.3, whose D + 2 grows by a reciprocal and a product
// for a division, and by two for what makes M of whole moments and a ridge), or 2^-53 8 D sqrt(M_ii
// M_jj) where a pivot counts as zero (UpperTriangle), which
// a ridge prevents unless n B^2 / w^2 > 2^50 / D. The rows still have a normal law, with a
// covariance that has this error.
public final class GaussianRows {
  private final int columns;
  private final double[] root;
  private final OutputGrid grid;

  private GaussianRows(int columns, double[] root, OutputGrid grid) {
    this.columns = columns;
    this.root = root;
    this.grid = grid;
  }

  /**
   * Creates a sampler. O(D^3) time.
   *
   * @param columns D, in [1, 4096]
   * @param upper the upper triangle of M, row by row; copied
   * @param grid the grid of the samples; from public numbers only
   * @throws IllegalArgumentException if an argument is outside its range, or M is not positive
   *     semidefinite; the message shows no entry
   */
  public static GaussianRows of(int columns, double[] upper, OutputGrid grid) {
    Checks.within("columns", columns, 1, WishartNoise.MOST_COLUMNS);
    return new GaussianRows(columns, UpperTriangle.cholesky(columns, upper), grid);
  }

  /**
   * Returns independent rows, one after the other, in steps of the grid; zeros if the entropy is
   * noise-free.
   *
   * @param rows the number of rows, in [1, 2^20], with at most 2^31 - 1 numbers in all
   * @param entropy random bits
   * @throws IllegalArgumentException if it is outside its range
   */
  public long[] sample(int rows, Entropy entropy) {
    Checks.within(
        "rows", rows, 1, Math.min(ProjectionPrivacy.MOST_ROWS, Integer.MAX_VALUE / columns));
    double[] sample = new double[rows * columns];
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < columns; k++) {
        double normal = StandardNormal.sample(entropy);
        UpperTriangle.addMultiple(columns, normal, root, k, sample, i * columns);
      }
    }
    return grid.fill(sample, entropy);
  }

  /** Shows no entry of M. */
  @Override
  public String toString() {
    return "GaussianRows[columns=" + columns + "]";
  }
}
