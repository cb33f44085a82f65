package io.gauze.noise;

import io.gauze.internal.Checks;

/**
 * Samples vectors of density proportional to {@code exp(-|x| / s)}, |x| the Euclidean norm: a
 * radius of law Gamma(p) times s, in a uniform direction. In one dimension it is the Laplace law.
 *
 * <p>The radius is half a chi-square number of 2 p degrees of freedom, {@link ChiSquare}, the
 * direction p normal numbers over their norm, {@link StandardNormal}. Idealised: except for an
 * event of probability {@link #TOTAL_VARIATION}, a sample is within {@link #error()} of a draw of
 * the exact law; the source contains the derivation. Samples are not on a grid, so who releases
 * something made of one must cover the error. Immutable.
 */
// With u = 2^-53, except where said for each sample:
//  - Radius. ChiSquare gives X with |sqrt X^ - sqrt X| <= u (4 sqrt X + 61), but for 2^-90. So X/2
//    is off by at most u (4.5 X + 62 sqrt X), and times s by u s X more.
//  - Direction, p > 1. A normal number is within u |Z| + 2^-104 of a normal Z, all p of them but
//    for p 2^-100 <= 2^-88. |Z| < 2^-45 has a probability below 2^-90. Otherwise the vector is off
//    by at most (u + sqrt p 2^-59) |Z| <= 2 u |Z|, p <= 4096, and its direction by 4 u. The norm
//    has p + 1 roundings in a square root, (p/2 + 2) u, and the quotient and the product one each.
//  - Direction, p = 1: the sign, exact.
// The sum is at most u s X (p/4 + 9.5) + 62 u s sqrt X; more is claimed. The probabilities add up
// to less than 2^-87.
public final class SphericalLaplace {
  /** A bound on the probability that a sample is not near a draw of the exact law. */
  public static final double TOTAL_VARIATION = 0x1p-87;

  /** The largest dimension. */
  public static final int MOST_DIMENSIONS = 4096;

  private static final double LARGEST_NORMAL = 13.0;

  private final int dimension;
  private final double scale;
  private final ChiSquare twiceRadius;

  private SphericalLaplace(int dimension, double scale) {
    this.dimension = dimension;
    this.scale = scale;
    this.twiceRadius = ChiSquare.of(2 * dimension);
  }

  /**
   * Creates a sampler.
   *
   * @param dimension p, in [1, 4096]
   * @param scale s, the mean of the norm over p; finite, above 0
   * @throws IllegalArgumentException if one is out of range
   */
  public static SphericalLaplace of(int dimension, double scale) {
    Checks.within("dimension", dimension, 1, MOST_DIMENSIONS);
    return new SphericalLaplace(dimension, Checks.positiveFinite("scale", scale));
  }

  /** Returns one sample of p entries; zeros if the entropy is noise-free. O(p) time. */
  public double[] sample(Entropy entropy) {
    double[] sample = new double[dimension];
    if (entropy.noiseFree()) {
      return sample;
    }
    double square = 0.0;
    for (int i = 0; i < dimension; i++) {
      sample[i] = StandardNormal.sample(entropy);
      square += sample[i] * sample[i];
    }
    double length = scale * (0.5 * twiceRadius.sample(entropy)) / Math.sqrt(square);
    for (int i = 0; i < dimension; i++) {
      sample[i] *= length;
    }
    return sample;
  }

  /** Returns a bound on the norm of all samples. */
  public double largest() {
    return 0.5 * scale * largestChiSquare();
  }

  /** Returns a bound on the distance of a sample from a draw of the exact law. */
  public double error() {
    double x = largestChiSquare();
    return 0x1p-53 * scale * (x * (0.25 * dimension + 12.0) + 80.0 * Math.sqrt(x));
  }

  // A sample is 2 d (1 + c x)^3, d = p - 1/3 and c = 1 / sqrt(9 d), for a normal x below 13.
  private double largestChiSquare() {
    double shift = dimension - 1.0 / 3.0;
    double root = 1.0 + LARGEST_NORMAL / Math.sqrt(9.0 * shift);
    return 2.001 * shift * root * root * root;
  }

  @Override
  public String toString() {
    return "SphericalLaplace[dimension=" + dimension + ", scale=" + scale + "]";
  }
}
