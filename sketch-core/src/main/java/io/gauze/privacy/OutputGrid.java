package io.gauze.privacy;

import java.io.Serializable;

/**
 * The multiples of a power of two, to which samplers of mechanisms that are {@code idealised} round
 * what they give: which doubles can come out at all then says nothing about the data.
 *
 * @param step a power of two in [2^-900, 2^900], from public numbers only
 */
public record OutputGrid(double step) implements Serializable {
  private static final double SMALLEST_STEP = 0x1p-900;
  private static final double LARGEST_STEP = 0x1p900;

  /**
   * Checks the step.
   *
   * @throws IllegalArgumentException if it is not a power of two in its range
   */
  public OutputGrid {
    PrivacyChecks.range("step", step, SMALLEST_STEP, LARGEST_STEP);
    if (step != Math.scalb(1.0, Math.getExponent(step))) {
      throw new IllegalArgumentException("step must be a power of two. Provided value: " + step);
    }
  }

  /**
   * The grid whose step is the largest power of two that is at most 2^-40 of a scale.
   *
   * @param scale a public number, never one from the data, in [2^-860, 2^860]
   * @throws IllegalArgumentException if it is outside its range
   */
  public static OutputGrid relativeTo(double scale) {
    PrivacyChecks.range("scale", scale, 0x1p-860, 0x1p860);
    return new OutputGrid(Math.scalb(1.0, Math.getExponent(scale) - 40));
  }

  /** The nearest multiple of the step. */
  // A division by a power of two is exact; a double of 2^52 steps or more is a multiple already;
  // adding 0 makes -0 the one zero.
  public double round(double value) {
    return Math.abs(value) >= 0x1p52 * step ? value : Math.rint(value / step) * step + 0.0;
  }

  /** Rounds all in place. */
  void round(double[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = round(values[i]);
    }
  }
}
