package io.gauze.solve;

import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;

/**
 * Normal numbers for the parametric bootstrap, the same for the same released numbers: a fit of a
 * release can be repeated to the last bit.
 *
 * <p>This is NOT privacy randomness: it acts on what is public already, and protects nothing.
 */
final class FitRandom {
  private final SplittableRandom random;
  private double spare = Double.NaN;

  private FitRandom(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Seeded by the entries of {@code released} in row-major order. */
  static FitRandom seededBy(DMatrixRMaj released) {
    long seed = released.getNumRows();
    for (int i = 0; i < released.getNumElements(); i++) {
      // 64-bit FNV-1a by words, then a multiply-xorshift round so that low bits matter
      seed = (seed ^ Double.doubleToLongBits(released.get(i))) * 0x100000001b3L;
      seed = (seed ^ (seed >>> 32)) * 0x9e3779b97f4a7c15L;
    }
    return new FitRandom(seed);
  }

  /** Marsaglia's polar method; StrictMath, so that every machine draws the same. */
  double nextGaussian() {
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
}
