package io.gauze.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** Unbiased random choices, shared by the samplers of whole grid steps. */
final class ExactDraws {
  /** The precision of exact decisions: 60 digits. */
  static final MathContext DIGITS = new MathContext(60);

  private static final double TWO_63 = 0x1p63;

  /** The largest error of a probability in a double, in units of 2^-63: 2^-47. */
  private static final long MARGIN = 1L << 16;

  private ExactDraws() {}

  /** Returns the number of words that {@link #uniform} must refuse: {@code 2^63 mod bound}. */
  static long unfair(long bound) {
    return (Long.MAX_VALUE % bound + 1) % bound;
  }

  /**
   * Returns a uniform number in [0, bound), by multiplication and rejection (D. Lemire, ACM TOMACS
   * 29 (2019), algorithm 5).
   */
  static long uniform(long bound, long unfair, Entropy entropy) {
    while (true) {
      long word = entropy.nextLong() >>> 1;
      if (((word * bound) & Long.MAX_VALUE) >= unfair) {
        return Math.multiplyHigh(word, bound << 1); // floor(word * bound / 2^63)
      }
    }
  }

  /**
   * Compares a uniform of 63 bits with a probability whose error is at most 2^-48. Returns 1 if it
   * is below the exact probability, -1 if not, 0 if this is too close to decide.
   */
  static int compare(long word, double probability) {
    long threshold = (long) (probability * TWO_63); // 1.0 saturates
    if (word < threshold - MARGIN) {
      return 1;
    }
    return word - MARGIN > threshold ? -1 : 0;
  }

  /**
   * Checks whether the uniform of 127 bits, 63 of {@code word} and 64 of {@code more}, is below the
   * probability.
   */
  static boolean below(long word, long more, BigDecimal probability) {
    BigInteger uniform =
        BigInteger.valueOf(word).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(more)));
    BigDecimal scale = new BigDecimal(BigInteger.ONE.shiftLeft(127));
    return new BigDecimal(uniform).compareTo(probability.multiply(scale)) < 0;
  }

  /** Returns {@code exp(-x)} for x in [0, 100], relative error below 10^-55. */
  static BigDecimal expNegative(BigDecimal x) {
    // exp(-x) = exp(-x / 256)^256; each term of the series is smaller than the last by a factor of
    // at most 0.4 / k.
    BigDecimal small = x.divide(BigDecimal.valueOf(256), DIGITS);
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int k = 1; k <= 40; k++) {
      term = term.multiply(small, DIGITS).divide(BigDecimal.valueOf(-k), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    return sum.pow(256, DIGITS);
  }
}
