package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.noise.RoundedLaplace;
import java.util.Locale;
import java.util.Objects;

/** Computes and checks the size of the noise in the state of a sketch, in its grid steps. */
public final class Noise {
  /** The smallest scale of Laplace noise in sums over a grid, in grid steps. */
  private static final double LEAST_LAPLACE = 0x1p10;

  private Noise() {}

  /**
   * Returns the standard deviation in grid steps, rounded up.
   *
   * @param mechanism the name for the error message
   * @param encoded the standard deviation in the encoded scale
   * @param stepSize the size of a step in the encoded scale
   * @param smallest the narrowest noise of the mechanism over the widest, at most 1
   * @throws IllegalArgumentException if the sampler does not support one of them
   */
  public static double sigma(String mechanism, double encoded, double stepSize, double smallest) {
    double sigma = Math.nextUp(encoded / stepSize);
    double least = RoundedGaussian.SMALLEST_SIGMA / smallest;
    if (!(sigma >= least && sigma <= RoundedGaussian.LARGEST_SIGMA)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sigma of %s must be in [%.4g, %.4g] grid steps, [%.4g, %.4g] in the encoded scale."
                  + " Provided value: %.4g steps, %.4g encoded; give it %s of epsilon",
              mechanism,
              least,
              RoundedGaussian.LARGEST_SIGMA,
              least * stepSize,
              RoundedGaussian.LARGEST_SIGMA * stepSize,
              sigma,
              encoded,
              sigma < least ? "less" : "more"));
    }
    return sigma;
  }

  /**
   * Checks that noise of this size spends at most the declared mu.
   *
   * @throws IllegalArgumentException if it spends more
   */
  public static void checkSpending(double sensitivity, double mu, double sigma) {
    double needed = sensitivity / mu;
    if (!(sensitivity > 0.0 && mu > 0.0 && sigma >= needed * (1.0 - 1e-15))) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sigma must be at least sensitivity / mu = %s in the encoded scale."
                  + " Provided value: %s",
              needed,
              sigma));
    }
  }

  /**
   * Returns the Laplace noise in the sums over a grid, in grid steps.
   *
   * @param mechanism the name for the error message
   * @param encoded the scale in the encoded scale
   * @param stepSize the size of a step in the encoded scale
   * @throws IllegalArgumentException if the scale is not within [2^10, 2^40] steps, where noise is
   *     far wider than the grid
   */
  public static RoundedLaplace laplace(String mechanism, double encoded, double stepSize) {
    double scale = Math.nextUp(encoded / stepSize);
    if (!(scale >= LEAST_LAPLACE && scale <= RoundedLaplace.LARGEST_SCALE)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "scale of %s must be in [%.4g, %.4g] grid steps, [%.4g, %.4g] in the encoded scale."
                  + " Provided value: %.4g steps, %.4g encoded; give it %s of epsilon",
              mechanism,
              LEAST_LAPLACE,
              RoundedLaplace.LARGEST_SCALE,
              LEAST_LAPLACE * stepSize,
              RoundedLaplace.LARGEST_SCALE * stepSize,
              scale,
              encoded,
              scale < LEAST_LAPLACE ? "less" : "more"));
    }
    return RoundedLaplace.of(scale);
  }

  /**
   * Checks that Laplace noise of this scale spends at most the declared epsilon.
   *
   * @throws IllegalArgumentException if it spends more
   */
  public static void checkLaplace(double sensitivity, double epsilon, double scale) {
    double needed = sensitivity / epsilon;
    // written positively, so that NaN fails the test too
    if (!(sensitivity > 0.0 && epsilon > 0.0 && scale >= needed * (1.0 - 1e-15))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "scale must be at least sensitivity / epsilon = %s in the encoded scale."
                  + " Provided value: %s",
              needed,
              scale));
    }
  }

  /** Adds Laplace noise to a part of a state of the given length. */
  static void addLaplace(
      long[] block, int from, int length, RoundedLaplace noise, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, length);
    for (int i = 0; i < block.length; i++) {
      block[i] += noise.sample(entropy);
    }
  }
}
