package io.gauze.noise;

import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.Locale;

/**
 * Rounds the results of samplers of continuous laws to multiples of a power of two, after adding a
 * narrow normal noise, the filling.
 *
 * <p>A public grid alone hides nothing. An adversary who subtracts a guess of the data from a
 * release, or divides by it, recovers the sampler's numbers, and sees whether the sampler can have
 * made them: multiples of their last bit, products rounded to a double. For the right guess they
 * have this form, for another one they do not. So an independent noise, far narrower than the law
 * and far wider than the errors of doubles, is added before rounding. It is a function of the
 * sample, and costs no privacy.
 *
 * <p>The filling hides the errors of doubles. Let w be the exact values and w + e the computed
 * ones, n of them, and {@code mu = |e| / s} in Euclidean norm, s the filling's standard deviation.
 * The filling is a Gaussian mechanism on them: for every event, {@code P(w + e + F in A) <= exp(x)
 * P(w + F in A) + Phi(mu / 2 - x / mu)}, for every x. With x = 12 mu the last term is below 2^-100.
 *
 * @param step a power of two in [2^-900, 2^900], from public numbers only
 * @param filling standard deviation of the filling, in steps, in [2^10, 2^40]; from public numbers
 */
public record OutputGrid(double step, double filling) implements Serializable {
  private static final double SMALLEST_STEP = 0x1p-900;
  private static final double LARGEST_STEP = 0x1p900;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if the step is not a power of two in its range, or the filling
   *     is out of its range
   */
  public OutputGrid {
    Checks.within("step", step, SMALLEST_STEP, LARGEST_STEP);
    if (step != Math.scalb(1.0, Math.getExponent(step))) {
      throw new IllegalArgumentException("step must be a power of two. Provided value: " + step);
    }
    Checks.within(
        "filling", filling, RoundedGaussian.SMALLEST_SIGMA, RoundedGaussian.LARGEST_SIGMA);
  }

  /**
   * Returns the grid whose step is the largest power of two that is at most 2^-40 of a scale, with
   * a filling of 2^20 steps.
   *
   * @param scale a public number, never one from the data, in [2^-860, 2^860]
   * @throws IllegalArgumentException if it is outside its range
   */
  public static OutputGrid relativeTo(double scale) {
    Checks.within("scale", scale, 0x1p-860, 0x1p860);
    return new OutputGrid(Math.scalb(1.0, Math.getExponent(scale) - 40), 0x1p20);
  }

  /** Returns the values in steps, each with its own filling, rounded to whole steps. */
  // A division by a power of two is exact.
  long[] fill(double[] values, Entropy entropy) {
    RoundedGaussian sampler = RoundedGaussian.of(filling);
    long[] steps = new long[values.length];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = sampler.around(values[i] / step, entropy);
    }
    return steps;
  }

  /** Describes in words what is added to a sample. */
  public String law() {
    return String.format(
        Locale.ROOT,
        "a normal noise of standard deviation %s, which hides rounding, in whole steps of %s",
        filling * step,
        step);
  }

  /** Converts whole steps to values. */
  public double[] values(long[] steps) {
    double[] values = new double[steps.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = steps[i] * step;
    }
    return values;
  }
}
