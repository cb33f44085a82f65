package io.gauze.regression;

import io.gauze.internal.Checks;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;

/**
 * Random numbers for the parametric bootstrap. They are equal for equal released numbers, so that a
 * fit of a release can be repeated to the last bit.
 *
 * <p>This is NOT privacy randomness: it acts on public numbers and protects nothing.
 */
public final class FitRandom {
  private final SplittableRandom random;
  private double spare = Double.NaN;

  private FitRandom(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Creates a generator seeded by the entries of {@code released} in row-major order. */
  public static FitRandom seededBy(DMatrixRMaj released) {
    long seed = released.getNumRows();
    for (int i = 0; i < released.getNumElements(); i++) {
      // 64-bit FNV-1a by words, then a multiply-xorshift round, since low bits of the seed matter
      seed = (seed ^ Double.doubleToLongBits(released.get(i))) * 0x100000001b3L;
      seed = (seed ^ (seed >>> 32)) * 0x9e3779b97f4a7c15L;
    }
    return new FitRandom(seed);
  }

  /**
   * Returns a normal number by Marsaglia's polar method, with StrictMath, so that every machine
   * draws the same numbers.
   */
  public double nextGaussian() {
    if (!Double.isNaN(spare)) {
      double value = spare;
      spare = Double.NaN;
      return value;
    }
    double x;
    double y;
    double square;
    do {
      x = 2.0 * random.nextDouble() - 1.0;
      y = 2.0 * random.nextDouble() - 1.0;
      square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    double factor = StrictMath.sqrt(-2.0 * StrictMath.log(square) / square);
    spare = factor * y;
    return factor * x;
  }

  // Marsaglia and Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000): with
  // d = a - 1/3 and c = 1 / sqrt(9 d), d (1 + c x)^3 for a normal x is accepted against a uniform
  // number if ln u < x^2/2 + d - d v + d ln v, v = (1 + c x)^3. Below a = 1: Gamma(a) is the law of
  // Gamma(a + 1) u^(1/a).
  /** Returns a number of the Gamma law of this shape and scale 1. */
  public double nextGamma(double shape) {
    Checks.positiveFinite("shape", shape);
    if (shape < 1.0) {
      return nextGamma(shape + 1.0) * StrictMath.pow(1.0 - random.nextDouble(), 1.0 / shape);
    }
    double d = shape - 1.0 / 3.0;
    double c = 1.0 / Math.sqrt(9.0 * d);
    while (true) {
      double x = nextGaussian();
      double root = 1.0 + c * x;
      double v = root * root * root;
      double bound = 0.5 * x * x + d - d * v + d * StrictMath.log(Math.max(v, Double.MIN_NORMAL));
      if (root > 0.0 && StrictMath.log(1.0 - random.nextDouble()) < bound) {
        return d * v;
      }
    }
  }

  // Bartlett's decomposition: N(0, 1) above the diagonal, the root of a chi-square with k - i
  // degrees of freedom at (i, i).
  /**
   * Returns R, upper triangular, with {@code R'R} of the law W(I, degrees); degrees &gt; size - 1.
   */
  public DMatrixRMaj nextWishartRoot(int size, double degrees) {
    DMatrixRMaj root = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      root.set(i, i, Math.sqrt(2.0 * nextGamma(0.5 * (degrees - i))));
      for (int j = i + 1; j < size; j++) {
        root.set(i, j, nextGaussian());
      }
    }
    return root;
  }
}
