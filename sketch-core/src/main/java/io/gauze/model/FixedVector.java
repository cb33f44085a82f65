package io.gauze.model;

import java.math.BigInteger;

/** Coefficients in fixed point, {@code high 2^-30 + low 2^-60}, low in [0, 2^30). Immutable. */
final class FixedVector {
  /** Bits after the binary point. */
  static final int FRACTION_BITS = 2 * FixedPointScore.BITS;

  private final long[] high;
  private final long[] low;

  private FixedVector(long[] high, long[] low) {
    this.high = high;
    this.low = low;
  }

  /** The nearest vector to numbers of size below 2^20. */
  static FixedVector of(double... values) {
    return new FixedVector(new long[values.length], new long[values.length]).plus(1.0, values);
  }

  /** Returns {@code this + length * step}, each entry rounded to a multiple of 2^-60. */
  FixedVector plus(double length, double... step) {
    long[] sumHigh = new long[high.length];
    long[] sumLow = new long[high.length];
    for (int i = 0; i < high.length; i++) {
      double units = length * step[i] * FixedPointScore.UNITS; // a power of two: exact
      double whole = Math.floor(units);
      long fraction = low[i] + (long) Math.rint((units - whole) * FixedPointScore.UNITS);
      sumHigh[i] = high[i] + (long) whole + (fraction >> FixedPointScore.BITS);
      sumLow[i] = fraction & FixedPointScore.MASK;
    }
    return new FixedVector(sumHigh, sumLow);
  }

  int size() {
    return high.length;
  }

  /** The high parts themselves, not to be changed. */
  long[] high() {
    return high;
  }

  /** The low parts themselves, not to be changed. */
  long[] low() {
    return low;
  }

  /** Entry {@code i} in units of 2^-60. */
  BigInteger units(int i) {
    return BigInteger.valueOf(high[i])
        .shiftLeft(FixedPointScore.BITS)
        .add(BigInteger.valueOf(low[i]));
  }

  /** The Euclidean norm, nearly. */
  double norm() {
    double square = 0.0;
    for (long entry : high) {
      square += (double) entry * entry;
    }
    return Math.sqrt(square) / FixedPointScore.UNITS;
  }
}
