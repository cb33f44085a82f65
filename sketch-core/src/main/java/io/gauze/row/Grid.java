package io.gauze.row;

import io.gauze.internal.Checks;
import java.io.Serializable;

/**
 * The fixed-point grid of encoded rows: an integer q stands for {@code q * 2^-fractionBits}.
 *
 * <p>For a row bound B the grid is the finest on which B is at most 2^15 steps. So a squared entry
 * of a row, or a product of two entries, is at most 2^30 in magnitude, and a {@code long} holds the
 * second moments of {@link #MAX_ROWS} rows at norm B: {@code (2^33 - 2^20) * 2^30 = 2^63 - 2^50},
 * which leaves room for a noise below 2^50 steps. Sums of more rows may wrap.
 *
 * @param fractionBits bits after the binary point, in [0, 40]
 */
public record Grid(int fractionBits) implements Serializable {
  /** The largest number of steps in a row bound. */
  public static final int MAX_ROW_STEPS = 1 << 15;

  /**
   * The number of rows at the row bound that, with a noise below 2^50 steps, never overflow a
   * sketch.
   */
  public static final long MAX_ROWS = (1L << 33) - (1L << 20);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if {@code fractionBits} is not in [0, 40]
   */
  public Grid {
    Checks.within("fractionBits", fractionBits, 0, 40);
  }

  /**
   * Returns the finest grid on which a norm of {@code rowBound} is at most 2^15 steps.
   *
   * @param rowBound in [2^-25, 2^15]
   * @throws IllegalArgumentException if the bound is outside of this range
   */
  public static Grid forRowBound(double rowBound) {
    Checks.within("rowBound", rowBound, 0x1p-25, MAX_ROW_STEPS);
    // 2^e <= rowBound < 2^(e+1), so that rowBound * 2^(15-e) is in [2^15, 2^16): one bit too many
    // unless it is 2^15
    int exponent = Math.getExponent(rowBound);
    return new Grid(rowBound == Math.scalb(1.0, exponent) ? 15 - exponent : 14 - exponent);
  }

  /** The distance between two adjacent values, 2^-fractionBits, in the encoded scale. */
  public double step() {
    return Math.scalb(1.0, -fractionBits);
  }

  /** Returns the largest value of the grid that is not above another one. */
  public double floor(double value) {
    return Math.floor(value / step()) * step();
  }

  /** The value of 1 in an encoded row, or in a sum of encoded rows: {@link #step()}. */
  public double rowUnit() {
    return step();
  }

  /** The value of 1 in a sum of products of two entries: the square of {@link #step()}. */
  public double momentUnit() {
    return Math.scalb(1.0, -2 * fractionBits);
  }
}
