package io.gauze.payload;

import io.gauze.internal.Checks;

/**
 * The law of the noise in released moments: a mechanism adds it, a solver reads it. The noise is
 * symmetric and independent of the rows; solvers subtract its mean first. All numbers are in
 * encoded units.
 */
public sealed interface MomentNoise {
  /**
   * Returns the law of the sum of two independent noises.
   *
   * @throws IllegalArgumentException if they are of different kinds
   */
  MomentNoise plus(MomentNoise other);

  /** Calls the reader's method for this kind of noise. */
  <T> T accept(Reader<T> reader);

  /**
   * A visitor with one method for each kind of noise, so that a reader that lacks one does not
   * compile.
   *
   * @param <T> the result
   */
  interface Reader<T> {
    /** Reads {@link Gaussian}. */
    T gaussian(Gaussian gaussian);

    /** Reads {@link Laplace}. */
    T laplace(Laplace laplace);

    /** Reads {@link Wishart}. */
    T wishart(Wishart wishart);
  }

  /** The variance of an entry of the diagonal. */
  double diagonalVariance();

  /** The variance of an entry off the diagonal. */
  double offDiagonalVariance();

  /** The mean of the diagonal of the noise, which a release still contains. */
  default double mean() {
    return 0.0;
  }

  /**
   * Checks that moments with this number of columns can have this noise.
   *
   * @throws IllegalArgumentException if they cannot
   */
  default void checkColumns(int columns) {}

  /**
   * Returns the mean squared norm of a row of the noise matrix less one variance v off the
   * diagonal, but at least m v. It is m v if the diagonal's variance is 2 v.
   */
  default double rowVariance(int size) {
    return Math.max(
        size * offDiagonalVariance(), (size - 2) * offDiagonalVariance() + diagonalVariance());
  }

  // Wigner's semicircle has radius 2 sqrt(m v), v off the diagonal.
  /** Returns the edge of the spectrum of the noise less its mean, for a matrix of this size. */
  default double edge(int size) {
    return 2.0 * Math.sqrt(rowVariance(size));
  }

  // Tracy and Widom: edge (1 + t m^(-2/3) / 2), t = 3.3.
  /**
   * Returns the value that the largest eigenvalue of the noise less its mean exceeds with
   * probability 0.001.
   */
  default double reach(int size) {
    return edge(size) * (1.0 + 1.65 * Math.pow(size, -2.0 / 3.0));
  }

  // Tracy and Widom's law of the largest eigenvalue of a Gaussian matrix exceeds 3.3 with
  // probability 0.001. W(I, r) has
  //   mean (sqrt r + sqrt m)^2,
  //   unit (sqrt r + sqrt m) (1 / sqrt r + 1 / sqrt m)^(1/3);
  // Johnstone, Annals of Statistics 29 (2001).
  /**
   * Returns the value that the largest eigenvalue of W(I, degrees) - degrees I exceeds with
   * probability 0.001.
   */
  static double wishartReach(double degrees, int size) {
    double sum = Math.sqrt(degrees) + Math.sqrt(size);
    double spread = sum * Math.cbrt(1.0 / Math.sqrt(degrees) + 1.0 / Math.sqrt(size));
    return sum * sum - degrees + 3.3 * spread;
  }

  /**
   * Independent N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) above it: the law of (Z + Z') /
   * 2 for a matrix Z of independent N(0, sigma^2).
   *
   * @param sigma standard deviation on the diagonal; positive
   */
  record Gaussian(double sigma) implements MomentNoise {
    /**
     * Checks the argument.
     *
     * @throws IllegalArgumentException if sigma is not positive and finite
     */
    public Gaussian {
      Checks.positiveFinite("sigma", sigma);
    }

    @Override
    public double diagonalVariance() {
      return sigma * sigma;
    }

    @Override
    public double offDiagonalVariance() {
      return 0.5 * sigma * sigma;
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.gaussian(this);
    }

    @Override
    public Gaussian plus(MomentNoise other) {
      return new Gaussian(Math.hypot(sigma, same(Gaussian.class, this, other).sigma));
    }
  }

  /**
   * Independent sums of {@code terms} Laplace variables, one sum for each pair of columns: the
   * noise of the functional mechanism, and of sums over its epochs.
   *
   * @param diagonalScale scale b of each term on the diagonal, of variance 2 b^2; positive
   * @param offDiagonalScale scale b of each term above the diagonal; positive
   * @param terms at least 1. A whole number if the added noises had equal scales; else a number in
   *     between, which keeps the variances exact and the fourth cumulant off the diagonal
   */
  record Laplace(double diagonalScale, double offDiagonalScale, double terms)
      implements MomentNoise {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if a scale is not positive and finite, or terms below 1
     */
    public Laplace {
      Checks.positiveFinite("diagonalScale", diagonalScale);
      Checks.positiveFinite("offDiagonalScale", offDiagonalScale);
      Checks.positiveFinite("terms", terms);
      Checks.atLeast("terms", terms, 1.0);
    }

    /** The noise of one release: a single Laplace variable for each pair. */
    public Laplace(double diagonalScale, double offDiagonalScale) {
      this(diagonalScale, offDiagonalScale, 1.0);
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.laplace(this);
    }

    // Cumulants add: 2 K b^2 and 12 K b^4 for K terms of scale b. So K = (sum K b^2)^2 / sum K b^4.
    @Override
    public Laplace plus(MomentNoise noise) {
      Laplace other = same(Laplace.class, this, noise);
      double a = offDiagonalScale * offDiagonalScale;
      double b = other.offDiagonalScale * other.offDiagonalScale;
      double second = terms * a + other.terms * b;
      double fourth = terms * a * a + other.terms * b * b;
      double sum = Math.max(1.0, second * second / fourth);
      double diagonal = 0.5 * (diagonalVariance() + other.diagonalVariance());
      return new Laplace(Math.sqrt(diagonal / sum), Math.sqrt(second / sum), sum);
    }

    @Override
    public double diagonalVariance() {
      return 2.0 * terms * diagonalScale * diagonalScale;
    }

    @Override
    public double offDiagonalVariance() {
      return 2.0 * terms * offDiagonalScale * offDiagonalScale;
    }

    // A diagonal entry t moves the largest eigenvalue to t + m v / t; an entry off the diagonal
    // moves it, whatever its sign. One of N Laplace variables exceeds b ln(N / 0.001). For sums of
    // K of them, b (L + sqrt(4 (K - 1) L)) has both that limit and the Gaussian limit sqrt(2 (2 K
    // b^2) L).
    @Override
    public double reach(int size) {
      double pairs = 0.5 * size * (size - 1.0);
      double t =
          Math.max(diagonalScale * tail(0.5 * size), offDiagonalScale * tail(Math.max(1.0, pairs)));
      return Math.max(MomentNoise.super.reach(size), t + size * offDiagonalVariance() / t);
    }

    private double tail(double numbers) {
      double log = Math.log(1000.0 * numbers);
      return log + Math.sqrt(4.0 * (terms - 1.0) * log);
    }
  }

  /**
   * The Wishart law W(scale I, degrees) less its mean, {@code degrees scale I}.
   *
   * @param degrees k, at least the number of columns. A whole number if the added noises had equal
   *     scales; else a number in between, which keeps mean and covariance exact
   * @param scale s, the variance of an entry of the k noise rows; positive
   */
  record Wishart(double degrees, double scale) implements MomentNoise {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if scale is not positive and finite, or degrees below 1
     */
    public Wishart {
      Checks.positiveFinite("degreesOfFreedom", degrees);
      Checks.atLeast("degreesOfFreedom", degrees, 1.0);
      Checks.positiveFinite("scale", scale);
    }

    @Override
    public double diagonalVariance() {
      return 2.0 * degrees * scale * scale;
    }

    @Override
    public double offDiagonalVariance() {
      return degrees * scale * scale;
    }

    @Override
    public double mean() {
      return degrees * scale;
    }

    @Override
    public void checkColumns(int columns) {
      Checks.atLeast("degreesOfFreedom", degrees, columns);
    }

    // Marchenko and Pastur's law ends at s (sqrt k + sqrt m)^2; the mean k s is subtracted.
    @Override
    public double edge(int size) {
      return MomentNoise.super.edge(size) + scale * size;
    }

    @Override
    public double reach(int size) {
      return scale * wishartReach(degrees, size);
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.wishart(this);
    }

    // Means add to k s and covariances to k s^2.
    @Override
    public Wishart plus(MomentNoise noise) {
      Wishart other = same(Wishart.class, this, noise);
      if (scale == other.scale) {
        return new Wishart(degrees + other.degrees, scale);
      }
      double mean = degrees * scale + other.degrees * other.scale;
      double square = degrees * scale * scale + other.degrees * other.scale * other.scale;
      return new Wishart(mean * mean / square, square / mean);
    }
  }

  private static <N extends MomentNoise> N same(
      Class<N> kind, MomentNoise mine, MomentNoise other) {
    if (!kind.isInstance(other)) {
      throw new IllegalArgumentException(
          "merged releases must have noise of one kind. Provided value: " + mine + " and " + other);
    }
    return kind.cast(other);
  }
}
