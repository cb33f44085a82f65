package io.gauze.model;

import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import java.math.BigInteger;

/**
 * A grid for released coefficients and rounded Laplace noise on it, which hide how far a computed
 * minimiser is from the exact one.
 *
 * @param bits the step of the grid is {@code 2^-bits}
 * @param noise of a coefficient, in steps
 */
record SolverErrorNoise(int bits, RoundedLaplace noise) {
  private static final BigInteger MOST_STEPS = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger LEAST_STEPS = MOST_STEPS.negate();

  // Two results on the grid, each within away + h sqrt(p) / 2 of the same minimiser, differ by at
  // most 2 sqrt(p) (away + h sqrt(p) / 2) in the l1 norm.
  /**
   * Calibrates.
   *
   * @param features p
   * @param away a bound on the Euclidean distance from the minimiser, above 0
   * @param epsilon what the noise costs
   */
  static SolverErrorNoise of(int features, double away, double epsilon) {
    double root = Math.sqrt(features);
    int bits = -Math.getExponent(away / (8.0 * root));
    double step = Math.scalb(1.0, -bits);
    return new SolverErrorNoise(
        bits,
        RoundedLaplace.of(
            ObjectiveNoiseCalibration.ROUNDED_UP
                * 2.0
                * root
                * (away / step + 0.5 * root)
                / epsilon));
  }

  /**
   * Returns a coefficient in whole steps of the grid, with noise.
   *
   * @param units in units of 2^-unitBits
   */
  long released(BigInteger units, int unitBits, Entropy entropy) {
    return onGrid(units, unitBits)
        .add(BigInteger.valueOf(noise.sample(entropy)))
        .max(LEAST_STEPS)
        .min(MOST_STEPS)
        .longValueExact();
  }

  /** Rounds to a whole number of steps, halves up. */
  private BigInteger onGrid(BigInteger units, int unitBits) {
    int coarser = unitBits - bits;
    return coarser <= 0
        ? units.shiftLeft(-coarser)
        : units.add(BigInteger.ONE.shiftLeft(coarser - 1)).shiftRight(coarser);
  }

  /** The scale of the noise in the unit of coefficients. */
  double scale() {
    return Math.scalb(noise.scale(), -bits);
  }
}
