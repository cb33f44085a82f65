package io.gauze.accounting;

import java.io.Serializable;
import java.util.Objects;

/**
 * A bound on what all releases together disclose about one privacy unit: for all outcomes, {@code
 * P(outcome) <= exp(epsilon) P'(outcome) + delta} for neighbours.
 *
 * @param epsilon in (0, 100]
 * @param delta in (0, 0.1]; it should be far below one over the number of rows
 * @param neighbours the relation between the two data sets
 */
public record Budget(double epsilon, double delta, Neighbours neighbours) implements Serializable {
  /** The largest epsilon that is accepted. Even far smaller values protect nobody. */
  public static final double LARGEST_EPSILON = 100.0;

  /** The largest delta that is accepted. */
  public static final double LARGEST_DELTA = 0.1;

  /**
   * Returns the digits of a delta that is small for so many rows: the exponent of the largest of
   * 1e-6, 1e-9, ... that is at most a hundredth of one over them.
   */
  public static int digitsOfDelta(long rows) {
    int digits = 6;
    while (rows > Math.pow(10, digits - 2)) {
      digits += 3;
    }
    return digits;
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if epsilon or delta is outside its range
   */
  public Budget {
    GaussianDp.checkRange("epsilon", epsilon, LARGEST_EPSILON);
    GaussianDp.checkRange("delta", delta, LARGEST_DELTA);
    Objects.requireNonNull(neighbours, "neighbours");
  }
}
