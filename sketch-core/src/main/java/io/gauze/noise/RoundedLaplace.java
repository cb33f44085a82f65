package io.gauze.noise;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/**
 * Samples {@code round(X)}, X of the Laplace law with density {@code exp(-|x| / s) / 2s}: whole
 * grid steps. For a whole x, {@code x + round(X) = round(x + X)}, so adding a sample is rounding
 * the output of the Laplace mechanism.
 *
 * <p>The number of whole half-steps in |X| is geometric. It is sampled as a number of blocks and a
 * place in the last block, as in C. Canonne, G. Kamath and T. Steinke, <a
 * href="https://arxiv.org/abs/2004.00010">The discrete Gaussian for differential privacy</a>,
 * NeurIPS 2020, algorithm 2. Differs from the paper: scales are doubles, and a decision is made in
 * doubles, with a margin inside which 60 digits decide. The law of a sample is within {@link
 * #TOTAL_VARIATION} of the exact one if the bits are independent and uniform; the source contains
 * the derivation. The time that a sample takes depends on its value. Immutable.
 */
public final class RoundedLaplace implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The smallest scale, in grid steps. Down to it e^(-1/2s) is computed to 50 digits. */
  public static final double SMALLEST_SCALE = 0x1p-7;

  /** The largest scale, in grid steps. */
  public static final double LARGEST_SCALE = 0x1p40;

  /** A bound on the total variation distance between one sample and its law. */
  // |X| is exponential with mean s, so G = floor(2 |X|) has P(G = g) = (1 - q) q^g,
  // q = e^(-1/2s), and round(|X|) = floor(|X| + 1/2) = floor((G + 1) / 2); the sign is
  // independent. Let t be whole and G = t J + R, 0 <= R < t. Then J and R are independent,
  // P(J = j) = (1 - q^t) q^(t j), and P(R = r) ~ q^r. J counts successes, each of probability
  // q^t, before the first failure; R is uniform and accepted with probability q^r. With
  // t = ceil(2 s ln 2), q^t <= 1/2 and, since r is below 2 s ln 2, q^r is at least 0.499. This
  // holds for any s; for 2 s ln 2 <= 1, t is 1, the only place is 0, and q^t may be tiny, which is
  // harmless since only its absolute error matters.
  // The differences from the law of round(X) are:
  //  - q^t is rounded to 2^-126: two trials on average, at most 2^-124 in all;
  //  - the uniform place is exactly uniform (rejection);
  //  - acceptance: outside the margin the decision is the exact one (see accepts); inside, a
  //    uniform of 127 bits is compared with 60 digits: at most 2^-126 of a probability above
  //    0.499, twice that for the law given acceptance, and twice for the normalisation.
  // The sum is below 2^-122.
  public static final double TOTAL_VARIATION = 0x1p-100;

  private final double scale;
  private final long width;
  private final long unfair;
  private final double rate;
  private final BigDecimal exactRate;
  private final long high;
  private final long low;

  private RoundedLaplace(double scale) {
    this.scale = scale;
    width = (long) Math.ceil(2.0 * Math.log(2.0) * scale);
    unfair = ExactDraws.unfair(width);
    rate = 0.5 / scale;
    exactRate =
        BigDecimal.ONE.divide(
            new BigDecimal(scale).multiply(BigDecimal.valueOf(2)), ExactDraws.DIGITS);
    BigDecimal bits = new BigDecimal(BigInteger.ONE.shiftLeft(126));
    BigInteger block = exactAcceptance(width).multiply(bits).toBigInteger();
    high = block.shiftRight(63).longValueExact();
    low = block.longValue() & Long.MAX_VALUE;
  }

  /**
   * Returns a sampler.
   *
   * @param scale s, in grid steps, in [2^-7, 2^40]; the standard deviation is {@code sqrt(2) s}
   * @throws IllegalArgumentException if the scale is outside its range
   */
  public static RoundedLaplace of(double scale) {
    if (!(scale >= SMALLEST_SCALE && scale <= LARGEST_SCALE)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "scale must be in [2^-7, 2^40] grid steps. Provided value: %s", scale));
    }
    return new RoundedLaplace(scale);
  }

  /** The scale s before rounding, in grid steps. */
  public double scale() {
    return scale;
  }

  /**
   * Returns one sample, in grid steps, of size below 2^47 except with probability 2^-180; 0 if the
   * entropy is noise-free. Takes about five words of entropy.
   */
  public long sample(Entropy entropy) {
    if (entropy.noiseFree()) {
      return 0L;
    }
    long blocks = 0L;
    while (oneMore(entropy)) {
      blocks++;
    }
    while (true) {
      long place = ExactDraws.uniform(width, unfair, entropy);
      long word = entropy.nextLong();
      if (accepts(place, word >>> 1, entropy)) {
        long size = (blocks * width + place + 1L) >>> 1;
        return (word & 1L) == 0L ? size : -size;
      }
    }
  }

  /** Draws whether there is another whole block, by 126 bits, of which 63 nearly always suffice. */
  private boolean oneMore(Entropy entropy) {
    long first = entropy.nextLong() >>> 1;
    return first == high ? (entropy.nextLong() >>> 1) < low : first < high;
  }

  // The exponent has two roundings, each with a relative error of 2^-53, and is at most 0.7; the
  // error of exp is at most one ulp: together less than 2^-51.
  private boolean accepts(long place, long word, Entropy entropy) {
    int below = ExactDraws.compare(word, Math.exp(-place * rate));
    return below == 0
        ? ExactDraws.below(word, entropy.nextLong(), exactAcceptance(place))
        : below > 0;
  }

  /** Returns {@code exp(-place / 2s)} to more than 50 digits. */
  BigDecimal exactAcceptance(long place) {
    return ExactDraws.expNegative(BigDecimal.valueOf(place).multiply(exactRate, ExactDraws.DIGITS));
  }

  long width() {
    return width;
  }

  private Object writeReplace() {
    return new Scale(scale);
  }

  /** The serialized form: only the scale. The rest is computed again. */
  private record Scale(double scale) implements Serializable {
    private Object readResolve() {
      return of(scale);
    }
  }

  /** Samplers are equal if their scales are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RoundedLaplace that && that.scale == scale;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(scale);
  }

  @Override
  public String toString() {
    return "RoundedLaplace[scale=" + scale + "]";
  }
}
