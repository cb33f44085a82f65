package io.gauze.noise;

import io.gauze.accounting.WishartNoise;
import io.gauze.internal.Checks;

/**
 * Samples the Wishart law {@code W_D(s I, k)}: the moments {@code G' G} of k rows {@code N(0, s
 * I)}. It is the noise of {@link WishartNoise}.
 *
 * <p>Bartlett's decomposition (M. S. Bartlett, <a
 * href="https://doi.org/10.1017/S0370164600023063">On the theory of statistical regression</a>,
 * Proc. Royal Soc. Edinburgh 53 (1933)): the triangular factor of k rows {@code N(0, I)} has
 * independent entries, N(0, 1) above the diagonal and the root of a chi-square with {@code k - i}
 * degrees of freedom at (i, i), i from 0. A sample is the upper triangle, row by row, which is the
 * order of second moments. O(D^3) time and O(D^2) memory.
 *
 * <p>Idealised: the law is continuous, while a sample is computed in doubles and then hidden by the
 * filling of its {@link OutputGrid}. An adversary who guesses the moments under additive noise
 * obtains W, and with it Bartlett's factor. Without a filling, its entries would have the form that
 * the sampler makes only for the right moments.
 *
 * <p>The error of doubles over the filling's standard deviation, mu, see {@link OutputGrid}, is at
 * most 5e-6 for D = 11 and 2e-4 for D = 180, for k up to 10^6; the source contains the derivation.
 * Immutable.
 */
// The filling has deviation 2^-20 s sqrt k, or more. Let u = 2^-53. Except for an event of
// probability below D 2^-90, see StandardNormal and ChiSquare, R is computed from exact draws with
// an error of at most u |R_ij| off the diagonal and u (4 R_ii + 61) on it, |R_ij| < 13,
// R_ii < sqrt k + 13, and the part of a column above the diagonal has a norm of at most
// sqrt D + 12. A sum over l <= i of R_li R_lj, times s, has an error of at most u s times
//   (D + 4) (sqrt D + 12)^2 + (8 R_ii + 80) |R_ij|   for i < j,
//   (D + 4) (sqrt D + 12)^2 + 11 R_ii^2 + 160 R_ii   for i = j,
// since the last term has few roundings. In Euclidean norm, over the filling,
//   mu <= 2^-33 ((D / sqrt 2 + sqrt D) (D + 4) (sqrt D + 12)^2 / sqrt k
//                + 75 D (1 + 25 / sqrt k) + 11 sqrt D (sqrt k + 41 + 400 / sqrt k)).
public final class WishartSampler {
  /**
   * The filling's standard deviation over that of an entry off the diagonal: 2^-40 of the variance.
   */
  private static final double FILLING = 0x1p-20;

  private final int columns;
  private final int degrees;
  private final double scale;
  private final OutputGrid grid;

  private WishartSampler(int columns, int degrees, double scale, OutputGrid grid) {
    Checks.within("columns", columns, 1, WishartNoise.MOST_COLUMNS);
    Checks.within("degreesOfFreedom", degrees, columns, ChiSquare.MOST_DEGREES);
    this.columns = columns;
    this.degrees = degrees;
    this.scale = scale;
    this.grid = grid;
  }

  /**
   * Creates a sampler.
   *
   * @param columns D, in [1, 4096]
   * @param degrees k, in [columns, 2^24]
   * @param scale s, a public number in steps; with {@code 2^-20 s sqrt k <= 2^40}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WishartSampler of(int columns, int degrees, double scale) {
    Checks.within("scale", scale, Double.MIN_NORMAL, Double.MAX_VALUE);
    double filling = FILLING * scale * Math.sqrt(degrees);
    OutputGrid grid = new OutputGrid(1.0, Math.max(RoundedGaussian.SMALLEST_SIGMA, filling));
    return new WishartSampler(columns, degrees, scale, grid);
  }

  /** The standard deviation of the filling, in steps. */
  public double filling() {
    return grid.filling();
  }

  /** Returns one sample, in steps; zeros if the entropy is noise-free. */
  public long[] sample(Entropy entropy) {
    if (entropy.noiseFree()) {
      return new long[UpperTriangle.length(columns)];
    }
    double[] sample = UpperTriangle.gram(columns, bartlett(columns, degrees, entropy));
    for (int i = 0; i < sample.length; i++) {
      sample[i] *= scale;
    }
    return grid.fill(sample, entropy);
  }

  /**
   * Adds {@code round(W + F)}, F the filling, to moments. For whole moments x, {@code x + round(W +
   * F) = round(x + W + F)}: a function of {@code x + W}, and of F, which is independent of it.
   *
   * @param moments the upper triangle, row by row, in steps; added to, and wraps
   * @param entropy random bits
   * @throws IllegalArgumentException if there are not {@code D (D + 1) / 2} of them
   */
  public void addTo(long[] moments, Entropy entropy) {
    Checks.within(
        "moments", moments.length, UpperTriangle.length(columns), UpperTriangle.length(columns));
    long[] sample = sample(entropy);
    for (int i = 0; i < sample.length; i++) {
      moments[i] += sample[i];
    }
  }

  /**
   * Returns R with {@code R' R} of the law {@code W_D(I, k)}; for noise-free entropy its mean,
   * {@code sqrt(k) I}.
   */
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

  @Override
  public String toString() {
    return "WishartSampler[columns=" + columns + ", degrees=" + degrees + "]";
  }
}
