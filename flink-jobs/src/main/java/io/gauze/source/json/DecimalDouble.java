package io.gauze.source.json;

import java.math.BigInteger;

/**
 * The double that is nearest to a decimal number {@code w 10^q}, ties to even: what {@link
 * Double#parseDouble} returns for the same number, to the last bit.
 *
 * <p>If w is below 2^53 and q in [-22, 22], then w and 10^|q| are doubles, and one IEEE operation
 * rounds once. Else w, shifted to 64 bits, is multiplied by the first 128 bits of 10^q, as in D.
 * Lemire, <a href="https://doi.org/10.1002/spe.2984">Number parsing at a gigabyte per second</a>,
 * Software: Practice and Experience 51 (2021), but with a plain bound on the error: let T be these
 * 128 bits, so that the power is in [T, T + 1) of their unit. The product is in [wT, wT + w), and w
 * is below 2^64. Hence it is in [U, U + 2) in units of 2^64, where U is the product without its
 * last 64 bits. All numbers in this interval round to the same double, unless U, without the bits
 * of the double, is half a unit of its last place or one less. There is then no answer.
 */
final class DecimalDouble {
  /** No answer: the number is beyond the table, or too close to the middle of two doubles. */
  static final double UNDECIDED = Double.NaN;

  private static final long EXACT = 1L << 53;
  private static final double[] POWERS = new double[23]; // of 10 that are doubles
  private static final int LARGEST = 64; // the largest |q|: all results are normal doubles
  private static final long[] HIGH = new long[2 * LARGEST + 1]; // the first 64 bits of 10^q
  private static final long[] LOW = new long[HIGH.length]; // the next 64
  private static final int[] SCALE = new int[HIGH.length]; // the exponent of 2 of their last bit
  private static final int BITS = 128;
  private static final int MANTISSA = 52;
  private static final int BIAS = 1023;

  static {
    for (int q = 0; q < POWERS.length; q++) {
      POWERS[q] = BigInteger.TEN.pow(q).doubleValue();
    }
    for (int q = -LARGEST; q <= LARGEST; q++) {
      BigInteger power = BigInteger.TEN.pow(Math.abs(q));
      int shift = q < 0 ? BITS + power.bitLength() - 1 : BITS - power.bitLength();
      BigInteger bits =
          q < 0 ? BigInteger.ONE.shiftLeft(shift).divide(power) : power.shiftLeft(shift);
      HIGH[q + LARGEST] = bits.shiftRight(Long.SIZE).longValue();
      LOW[q + LARGEST] = bits.longValue();
      SCALE[q + LARGEST] = -shift;
    }
  }

  private DecimalDouble() {}

  /**
   * Returns the nearest double.
   *
   * @param w in [0, 2^63)
   * @param q any exponent
   * @return the double, or {@link #UNDECIDED}
   */
  static double of(long w, int q) {
    if (w < EXACT && q <= 0 && q > -POWERS.length) {
      return (double) w / POWERS[-q];
    }
    if (w < EXACT && q > 0 && q < POWERS.length) {
      return (double) w * POWERS[q];
    }
    if (w == 0 || q == 0) {
      return (double) w; // rounded once
    }
    return q < -LARGEST || q > LARGEST ? UNDECIDED : product(w, q + LARGEST);
  }

  private static double product(long w, int power) {
    int shift = Long.numberOfLeadingZeros(w);
    long shifted = w << shift;
    long carry = multiplyHigh(shifted, LOW[power]);
    long low = shifted * HIGH[power] + carry;
    long high = multiplyHigh(shifted, HIGH[power]) + (Long.compareUnsigned(low, carry) < 0 ? 1 : 0);
    int zeros = Long.numberOfLeadingZeros(high); // 0 or 1
    int dropped = Long.SIZE - MANTISSA - 1 - zeros; // of the bits of high
    long half = 1L << (dropped - 1);
    long rest = high & (2 * half - 1);
    if ((rest == half && low == 0) || (rest == half - 1 && low == -1)) {
      return UNDECIDED;
    }
    long rounded = (high >>> dropped) + (rest >= half ? 1 : 0);
    int exponent = SCALE[power] - shift + BITS + dropped + MANTISSA + BIAS;
    // the first bit of the mantissa is one, and is added to the exponent; so is a carry
    return Double.longBitsToDouble(((long) (exponent - 1) << MANTISSA) + rounded);
  }

  /** The high 64 bits of the product of two unsigned numbers. */
  private static long multiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }
}
