package io.gauze.release;

import io.gauze.privacy.RoundedGaussian;
import java.util.Locale;

/** The size of the noise in the state of a sketch, in its grid steps. */
final class Noise {
  private Noise() {}

  /**
   * The standard deviation in grid steps.
   *
   * @param mechanism for the message
   * @param encoded the standard deviation in the encoded scale
   * @param unit what a step is in the encoded scale
   * @param smallest the narrowest noise of the mechanism over the widest, at most 1
   * @throws IllegalArgumentException if the sampler cannot make one of them
   */
  static double sigma(String mechanism, double encoded, double unit, double smallest) {
    double sigma = Math.nextUp(encoded / unit);
    double least = RoundedGaussian.SMALLEST_SIGMA / smallest;
    if (!(sigma >= least && sigma <= RoundedGaussian.LARGEST_SIGMA)) { // NaN too
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sigma of %s must be in [%.4g, %.4g] grid steps, [%.4g, %.4g] in the encoded scale."
                  + " Provided value: %.4g steps, %.4g encoded; give it %s of epsilon",
              mechanism,
              least,
              RoundedGaussian.LARGEST_SIGMA,
              least * unit,
              RoundedGaussian.LARGEST_SIGMA * unit,
              sigma,
              encoded,
              sigma < least ? "less" : "more"));
    }
    return sigma;
  }

  /**
   * Checks that noise of this size spends what it says, and no more.
   *
   * @throws IllegalArgumentException if not
   */
  static void checkSpending(double sensitivity, double mu, double sigma) {
    double needed = sensitivity / mu;
    if (!(sensitivity > 0.0 && mu > 0.0 && sigma >= needed * (1.0 - 1e-15))) { // NaN too
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sigma must be at least sensitivity / mu = %s in the encoded scale."
                  + " Provided value: %s",
              needed,
              sigma));
    }
  }
}
