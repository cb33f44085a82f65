package io.gauze.mechanism.papers;

import io.gauze.mechanism.model.ModelColumns;
import io.gauze.sketch.SecondMomentsSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The gradient {@code sum u (y - u'theta)} of a model, from exact second moments, in whole numbers:
 * coefficients are multiples of 2^-24, entries of the gradient multiples of 2^-24 of a step of the
 * moments.
 */
final class ExactGradient {
  /** The bits of coefficients after the binary point. */
  static final int FRACTION_BITS = 24;

  /** The largest size of a coefficient. */
  static final double LARGEST = 64.0;

  private static final BigInteger LOW_WORD = BigInteger.ONE.shiftLeft(64);

  private final SecondMomentsSpec spec;
  private final ModelColumns columns;
  private final long[] state;

  ExactGradient(SecondMomentsSpec spec, ModelColumns columns, long... state) {
    this.spec = spec;
    this.columns = columns;
    this.state = state;
  }

  /** Returns the gradient. O(p) time for each coefficient that is not 0. */
  BigInteger[] at(long... theta) {
    int[] used = support(theta);
    BigInteger[] gradient = new BigInteger[theta.length];
    for (int j = 0; j < theta.length; j++) {
      int column = columns.features().get(j);
      long high = 0L;
      long low = 0L;
      for (int k : used) { // a sum of 128 bits: of at most 2^12 products of at most 2^(63 + 30)
        long moment = state[spec.index(column, columns.features().get(k))];
        long product = theta[k] * moment;
        low += product;
        long carry = Long.compareUnsigned(low, product) < 0 ? 1L : 0L;
        high += Math.multiplyHigh(theta[k], moment) + carry;
      }
      gradient[j] =
          BigInteger.valueOf(state[spec.index(column, columns.response())])
              .shiftLeft(FRACTION_BITS)
              .subtract(whole(high, low));
    }
    return gradient;
  }

  private static int[] support(long... theta) {
    int[] all = new int[theta.length];
    int size = 0;
    for (int k = 0; k < theta.length; k++) {
      if (theta[k] != 0L) {
        all[size++] = k;
      }
    }
    return Arrays.copyOf(all, size);
  }

  private static BigInteger whole(long high, long low) {
    BigInteger sum = BigInteger.valueOf(high).shiftLeft(64).add(BigInteger.valueOf(low));
    return low < 0L ? sum.add(LOW_WORD) : sum;
  }

  /**
   * Returns the curvature of models of {@code size} features and the intercept, in steps of the
   * moments: the largest sum of the absolute moments of a feature with itself and {@code size}
   * others. No eigenvalue of the moments of so many features is larger.
   */
  BigInteger curvature(int size) {
    BigInteger largest = BigInteger.ZERO;
    int features = columns.features().size();
    for (int j = 0; j < features; j++) {
      int column = columns.features().get(j);
      long[] others = new long[features - 1];
      int next = 0;
      for (int k = 0; k < features; k++) {
        if (k != j) {
          others[next++] = Math.abs(state[spec.index(column, columns.features().get(k))]);
        }
      }
      Arrays.sort(others);
      BigInteger sum = BigInteger.valueOf(Math.abs(state[spec.index(column, column)]));
      for (int k = Math.max(0, others.length - size); k < others.length; k++) {
        sum = sum.add(BigInteger.valueOf(others[k]));
      }
      largest = largest.max(sum);
    }
    return largest;
  }

  /** Returns the coefficients in the encoded scale. */
  static double[] encoded(long... theta) {
    return Arrays.stream(theta)
        .mapToDouble(value -> Math.scalb((double) value, -FRACTION_BITS))
        .toArray();
  }

  /** Returns a coefficient of the encoded scale on the grid. */
  static long onGrid(double value) {
    return Math.round(Math.scalb(Math.max(-LARGEST, Math.min(LARGEST, value)), FRACTION_BITS));
  }

  /**
   * Returns the scale of the exponential mechanism whose draws have a range, in units of the
   * gradient, rounded up.
   *
   * @param score how much neighbours differ in a score, in the encoded scale
   */
  static BigInteger scale(double score, double range, double momentUnit) {
    double encoded = Math.nextUp(2.0 * score / range);
    return new BigDecimal(Math.scalb(Math.nextUp(encoded / momentUnit), FRACTION_BITS))
        .toBigInteger()
        .add(BigInteger.ONE);
  }
}
