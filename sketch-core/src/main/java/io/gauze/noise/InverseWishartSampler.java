package io.gauze.noise;

import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.accounting.WishartNoise;
import io.gauze.internal.Checks;

/**
 * Samples the inverse Wishart law with scale matrix X and nu degrees of freedom: V such that {@code
 * V^-1} has the law {@code W_D(X^-1, nu)}, that is, {@code V = (G' G)^-1} for nu rows G of {@code
 * N(0, X^-1)}. Its mean is {@code X / (nu - D - 1)}.
 *
 * <p>With {@code X = M + psi I}, M the moments, it is the mechanism of O. Sheffet, <a
 * href="https://proceedings.mlr.press/v98/sheffet19a.html">Old techniques in differentially private
 * linear regression</a>, ALT 2019, algorithm 3. V is a function of nu samples of {@code N(0, X^-1)}
 * and discloses as much as they do: {@link ProjectionPrivacy} with {@code r = nu} and {@code w^2 =
 * psi}. Differs from the paper in the degrees of freedom: nu counts the samples, and must not
 * depend on the data.
 *
 * <p>X is factored, never inverted: with {@code X = U' U} and Bartlett's factor R of {@code W_D(I,
 * nu)}, see {@link WishartSampler}, {@code V = Y' Y} for {@code R' Y = U}. O(D^3) time and O(D^2)
 * memory per sample.
 *
 * <p>Idealised: the law is continuous, while a sample is computed in doubles and then hidden by the
 * filling of its {@link OutputGrid}. With the filling V may fail to be positive definite if its
 * least eigenvalue is below some {@code 2 sqrt(D)} fillings. Immutable.
 */
// Given U, a row of Y has an error of 2^-53 (D + 2) |R^-1| |R| |Y|, entry by entry (Higham, theorem
// 8.5), so that V_ij has one of some 2^-52 D c sqrt(V_ii V_jj), c the condition number of R. It is
// near 1 for nu far above D. For nu near D it has a heavy tail, from small chi-square numbers on
// R's diagonal: with D = 3, nu = 7, epsilon 1 and 10^9 rows mu (see OutputGrid) had a median of
// 5e-6, was above 3e-4 once in 1,000 samples, and 1.4e-3 at most in 12,000.
// U is the exact factor of a matrix close to X, see GaussianRows, and V has the law of that matrix.
public final class InverseWishartSampler {
  private final int columns;
  private final int degrees;
  private final double[] root;
  private final OutputGrid grid;

  private InverseWishartSampler(int columns, int degrees, double[] root, OutputGrid grid) {
    this.columns = columns;
    this.degrees = degrees;
    this.root = root;
    this.grid = grid;
  }

  /**
   * Creates a sampler. O(D^3) time.
   *
   * @param columns D, in [1, 4096]
   * @param degrees nu, in [columns, 2^24]
   * @param upper the upper triangle of {@code X = M + psi I}, row by row; copied
   * @param grid the grid of the samples; from public numbers only
   * @throws IllegalArgumentException if an argument is outside its range, or X is not positive
   *     semidefinite; the message shows no entry
   */
  public static InverseWishartSampler of(
      int columns, int degrees, double[] upper, OutputGrid grid) {
    Checks.within("columns", columns, 1, WishartNoise.MOST_COLUMNS);
    Checks.within("degreesOfFreedom", degrees, columns, ChiSquare.MOST_DEGREES);
    double[] root = UpperTriangle.cholesky(columns, upper);
    return new InverseWishartSampler(columns, degrees, root, grid);
  }

  /**
   * Returns the upper triangle of one sample, row by row, in steps of the grid. If the entropy is
   * noise-free, it is {@code X / nu}: the inverse of the mean of {@code V^-1}.
   */
  public long[] sample(Entropy entropy) {
    double[] factor = WishartSampler.bartlett(columns, degrees, entropy);
    double[] solved = solve(factor);
    double[] sample = new double[root.length];
    for (int i = 0; i < columns; i++) {
      UpperTriangle.addOuter(columns, solved, i * columns, 0, sample);
    }
    return grid.fill(sample, entropy);
  }

  /** Returns Y with {@code R' Y = U}, row by row, by forward substitution. */
  private double[] solve(double[] factor) {
    double[] solved = new double[columns * columns];
    for (int i = 0; i < columns; i++) {
      int at = i * columns;
      UpperTriangle.addMultiple(columns, 1.0, root, i, solved, at);
      for (int k = 0; k < i; k++) {
        double weight = factor[UpperTriangle.row(columns, k) + i];
        for (int j = 0; j < columns; j++) {
          solved[at + j] -= weight * solved[k * columns + j];
        }
      }
      double scale = 1.0 / factor[UpperTriangle.row(columns, i) + i];
      for (int j = 0; j < columns; j++) {
        solved[at + j] *= scale;
      }
    }
    return solved;
  }

  /** Shows no entry of X. */
  @Override
  public String toString() {
    return "InverseWishartSampler[columns=" + columns + ", degrees=" + degrees + "]";
  }
}
