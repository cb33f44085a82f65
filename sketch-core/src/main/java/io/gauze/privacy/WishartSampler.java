package io.gauze.privacy;

/**
 * Samples of the Wishart law {@code W_D(S, k)}: the moments {@code G' G} of k rows {@code N(0, S)}.
 * With {@code S = s I} it is the noise of {@link WishartNoise}.
 *
 * <p>Bartlett's decomposition (M. S. Bartlett, <a
 * href="https://doi.org/10.1017/S0370164600023063">On the theory of statistical regression</a>,
 * Proc. Royal Soc. Edinburgh 53 (1933)): the triangular factor of k rows {@code N(0, I)} has
 * independent entries, N(0, 1) above the diagonal and the root of a chi-square with {@code k - i}
 * degrees of freedom at (i, i), i from 0. A sample is the upper triangle, row by row, which is the
 * order of second moments. O(D^3) time and O(D^2) memory.
 *
 * <p>Idealised: the law is continuous and a sample is computed in doubles, then rounded. Immutable.
 */
public final class WishartSampler {
  private final int columns;
  private final int degrees;
  private final double scale;
  private final double[] root; // U with U'U = S / scale; empty for I
  private final OutputGrid grid;

  private WishartSampler(int columns, int degrees, double scale, double[] root, OutputGrid grid) {
    PrivacyChecks.range("columns", columns, 1, WishartNoise.MOST_COLUMNS);
    PrivacyChecks.range("degrees", degrees, columns, ChiSquare.MOST_DEGREES);
    this.columns = columns;
    this.degrees = degrees;
    this.scale = scale;
    this.root = root;
    this.grid = grid;
  }

  /**
   * A sampler of {@code W_D(s I, k)}; samples are multiples of the step of {@link
   * OutputGrid#relativeTo} s.
   *
   * @param columns D, in [1, 4096]
   * @param degrees k, in [columns, 2^24]
   * @param scale s, a public number, in [2^-860, 2^860]
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WishartSampler of(int columns, int degrees, double scale) {
    OutputGrid grid = OutputGrid.relativeTo(scale);
    return new WishartSampler(columns, degrees, scale, new double[0], grid);
  }

  /**
   * A sampler of {@code W_D(S, k)}. O(D^3) time.
   *
   * @param columns D, in [1, 4096]
   * @param degrees k, in [columns, 2^24]
   * @param upper the upper triangle of S, row by row; copied
   * @param grid where samples are; from public numbers only
   * @throws IllegalArgumentException if an argument is outside its range, or S is not positive
   *     semidefinite; the message shows no entry
   */
  public static WishartSampler of(int columns, int degrees, double[] upper, OutputGrid grid) {
    PrivacyChecks.range("columns", columns, 1, WishartNoise.MOST_COLUMNS);
    double[] root = UpperTriangle.cholesky(columns, upper);
    return new WishartSampler(columns, degrees, 1.0, root, grid);
  }

  /** One sample, on the grid; zeros if the entropy is noise-free. */
  public double[] sample(Entropy entropy) {
    double[] sample = exact(entropy);
    grid.round(sample);
    return sample;
  }

  /**
   * Adds {@code round(W)} to moments. For whole moments x, {@code x + round(W) = round(x + W)}, so
   * that this is a function of {@code x + W}; idealised, since W is computed in doubles: an entry
   * above 2^53 is a whole number of coarser steps.
   *
   * @param moments the upper triangle, row by row, in squared grid steps, which are the unit of the
   *     sampler's scale; added to, and wraps
   * @throws IllegalArgumentException if there are not {@code D (D + 1) / 2} of them
   */
  public void addTo(long[] moments, Entropy entropy) {
    PrivacyChecks.range(
        "moments", moments.length, UpperTriangle.length(columns), UpperTriangle.length(columns));
    double[] sample = exact(entropy);
    for (int i = 0; i < sample.length; i++) {
      moments[i] += Math.round(sample[i]);
    }
  }

  private double[] exact(Entropy entropy) {
    if (entropy.noiseFree()) {
      return new double[UpperTriangle.length(columns)];
    }
    double[] factor = bartlett(columns, degrees, entropy);
    double[] scaled = root.length == 0 ? factor : UpperTriangle.product(columns, factor, root);
    double[] sample = UpperTriangle.gram(columns, scaled);
    for (int i = 0; i < sample.length; i++) {
      sample[i] *= scale;
    }
    return sample;
  }

  /** R with {@code R' R} of the law {@code W_D(I, k)}; for no noise its mean, {@code sqrt(k) I}. */
  static double[] bartlett(int columns, int degrees, Entropy entropy) {
    double[] factor = new double[UpperTriangle.length(columns)];
    for (int i = 0; i < columns; i++) {
      int at = UpperTriangle.row(columns, i);
      double square = entropy.noiseFree() ? degrees : ChiSquare.of(degrees - i).sample(entropy);
      factor[at + i] = Math.sqrt(square);
      for (int j = i + 1; j < columns; j++) {
        factor[at + j] = StandardNormal.sample(entropy);
      }
    }
    return factor;
  }

  /** Shows no entry of S. */
  @Override
  public String toString() {
    return "WishartSampler[columns=" + columns + ", degrees=" + degrees + "]";
  }
}
