package io.gauze.noise;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Samples {@code round(sigma Z)}, Z standard normal: whole grid steps. For a whole x, {@code x +
 * round(sigma Z) = round(x + sigma Z)}, so adding a sample is rounding the output of the Gaussian
 * mechanism.
 *
 * <p>Rejection from strips of equal width under the half-normal density. Every decision is made in
 * integers, or in doubles with a margin inside which 60 digits decide. The law of a sample is
 * within {@link #TOTAL_VARIATION} of the exact one if the bits are independent and uniform; the
 * source contains the derivation. Immutable.
 */
public final class RoundedGaussian implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The smallest standard deviation, in grid steps. */
  public static final double SMALLEST_SIGMA = 0x1p10;

  /** The largest standard deviation, in grid steps. */
  public static final double LARGEST_SIGMA = 0x1p40;

  /** A bound on the total variation distance between one sample and its law. */
  // Let y = |sigma Z| have density f(y) ~ exp(-y^2 / 2 sigma^2), and let t be the width of a strip.
  // Strip j is [j t, (j + 1) t). A proposal is a strip chosen with probability proportional to
  // f(j t), a whole offset, uniform in [0, t), and a cell of 2^-63, uniform in [0, 1). It is
  // accepted with probability f(y) / f(j t) <= 1, y the middle of its cell. Given acceptance, a
  // cell then has probability proportional to f at its middle. round(+-y) is the same integer all
  // over a cell, since the halves are ends of cells. The differences from the law of
  // round(sigma Z) are:
  //  - the tail, y >= strips * t >= 12 sigma, is never proposed: 2 Phi(-12) < 2^-107;
  //  - the middle of a cell of width h = 2^-63 stands for its mean: relative error at most
  //    h^2/24 max|f''/f| <= 2^-126/24 * 144/sigma^2 < 2^-143;
  //  - a bound of the cumulative table is rounded to 2^-126: at most 96 * 2^-126 < 2^-119;
  //  - the offset is exactly uniform (rejection);
  //  - acceptance: outside the margin the decision is the exact one (see accepts); inside, a
  //    uniform of 127 bits is compared with 60 digits: at most 2^-126 of a probability above 0.2.
  // The sum is below 2^-106; rejection multiplies an error by at most 1 / P(accept) < 1.1, twice
  // for the normalisation.
  public static final double TOTAL_VARIATION = 0x1p-100;

  private static final double TAIL = 12.0;
  private static final double STRIPS_PER_SIGMA = 8.0;
  private static final double TWO_63 = 0x1p63;

  /** The samplers of this process, the most recently used last. */
  private static final Map<Double, RoundedGaussian> RECENT =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Double, RoundedGaussian> eldest) {
          return size() > 256; // each takes less than 2 kB
        }
      };

  private final double sigma;
  private final long width;
  private final long[] high;
  private final long[] low;
  private final long unfair;
  private final double rate;
  private final BigDecimal exactRate;

  private RoundedGaussian(double sigma) {
    this.sigma = sigma;
    width = (long) Math.ceil(sigma / STRIPS_PER_SIGMA);
    unfair = ExactDraws.unfair(width);
    rate = 0.5 / (sigma * sigma);
    exactRate =
        BigDecimal.ONE.divide(
            new BigDecimal(sigma).pow(2).multiply(BigDecimal.valueOf(2)), ExactDraws.DIGITS);
    int strips = (int) Math.ceil(TAIL * sigma / width);
    high = new long[strips];
    low = new long[strips];
    fillTable();
  }

  /**
   * Returns a sampler. Takes about a millisecond, and almost no time if one of this scale was used
   * recently: every operator reads the plan again.
   *
   * @param sigma standard deviation in grid steps, in [2^10, 2^40]
   * @throws IllegalArgumentException if sigma is outside its range
   */
  public static RoundedGaussian of(double sigma) {
    if (!(sigma >= SMALLEST_SIGMA && sigma <= LARGEST_SIGMA)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "sigma must be in [2^10, 2^40] grid steps. Provided value: %s", sigma));
    }
    synchronized (RECENT) {
      return RECENT.computeIfAbsent(sigma, RoundedGaussian::new);
    }
  }

  /** The standard deviation before rounding, in grid steps. */
  public double sigma() {
    return sigma;
  }

  /**
   * Returns one sample, in grid steps, of size below 2^44; 0 if the entropy is noise-free. Takes
   * about four words of entropy.
   */
  public long sample(Entropy entropy) {
    if (entropy.noiseFree()) {
      return 0L;
    }
    while (true) {
      int strip = strip(entropy);
      long offset = ExactDraws.uniform(width, unfair, entropy);
      long word = entropy.nextLong();
      long fraction = word >>> 1; // in units of 2^-63
      if (accepts(strip, offset, fraction, entropy)) {
        long size = strip * width + offset + (fraction >>> 62); // a half and more rounds up
        return (word & 1L) == 0L ? size : -size;
      }
    }
  }

  /**
   * Returns a sample before rounding, {@code whole + low / 2^64} with low unsigned: the middle of
   * its cell, with an error of at most 2^-64 of a step. From equal sources it rounds to the result
   * of {@link #sample}.
   */
  void fine(Entropy entropy, long[] whole, long[] low, int at) {
    if (entropy.noiseFree()) {
      whole[at] = 0L;
      low[at] = 0L;
      return;
    }
    while (true) {
      int strip = strip(entropy);
      long offset = ExactDraws.uniform(width, unfair, entropy);
      long word = entropy.nextLong();
      if (accepts(strip, offset, word >>> 1, entropy)) {
        long size = strip * width + offset;
        long middle = word | 1L; // twice the fraction plus one half: low is never 0
        boolean positive = (word & 1L) == 0L;
        whole[at] = positive ? size : ~size;
        low[at] = positive ? middle : -middle;
        return;
      }
    }
  }

  /**
   * Returns the double nearest to {@code sigma Z}. For sizes from 2^-10 of a step on it is within
   * {@link #TOTAL_VARIATION} of the nearest one; below, its error is at most 2^-64 of a step.
   */
  // The middle of a cell rounds like the whole cell if the bounds between doubles, which are
  // multiples of half an ulp, are multiples of 2^-63.
  double real(Entropy entropy) {
    long[] whole = new long[1];
    long[] low = new long[1];
    fine(entropy, whole, low, 0);
    return whole[0] < 0L ? -nearest(~whole[0], -low[0]) : nearest(whole[0], low[0]);
  }

  /** Returns the double nearest to {@code size + rest / 2^64}, for a size in [0, 2^62). */
  private static double nearest(long size, long rest) {
    if (size == 0L && rest >= 0L) {
      return rest * 0x1p-64;
    }
    // At least 62 bits, of which the last is set if any lower bit is: a number is never treated as
    // half-way by mistake.
    int shift = size == 0L ? 63 : Long.numberOfLeadingZeros(size) - 1;
    long bits = (size << shift) | (rest >>> (64 - shift)) | (rest << shift == 0L ? 0L : 1L);
    return Math.scalb((double) bits, -shift);
  }

  /**
   * Returns one sample of {@code round(value + sigma Z)}, for the value cut to a multiple of 2^-63.
   * Its law is within {@link #TOTAL_VARIATION} of the exact one.
   *
   * @param value of size below 2^62; larger values are treated as 2^62
   * @param entropy random bits
   */
  public long around(double value, Entropy entropy) {
    double bounded = Math.max(-0x1p62, Math.min(value, 0x1p62));
    double floor = Math.floor(bounded);
    long fraction = (long) ((bounded - floor) * TWO_63) << 1; // in units of 2^-64, ends of cells
    long[] whole = new long[1];
    long[] low = new long[1];
    fine(entropy, whole, low, 0);
    long sum = fraction + low[0];
    long carry = Long.compareUnsigned(sum, fraction) < 0 ? 1L : 0L;
    return (long) floor + whole[0] + carry + (sum >>> 63); // a half and more rounds up
  }

  /** Returns a bound on the size of all samples, in grid steps. */
  double largest() {
    return (double) high.length * width;
  }

  /**
   * Returns a strip, by inversion of the cumulative table with 126 bits, of which 63 nearly always
   * suffice.
   */
  private int strip(Entropy entropy) {
    long first = entropy.nextLong() >>> 1;
    int strip = 0;
    int last = high.length - 1;
    while (strip < last && first > high[strip]) {
      strip++;
    }
    if (first == high[strip]) {
      long second = entropy.nextLong() >>> 1;
      while (strip < last && first == high[strip] && second >= low[strip]) {
        strip++;
      }
    }
    return strip;
  }

  // r = d (2 j t + d) / (2 sigma^2) has at most eight roundings, each with a relative error of
  // 2^-53, and is at most (t/sigma)^2 (2 * 96 - 1) / 2 < 1.52: its error is below 2^-49. That of
  // exp is at most one ulp.
  private boolean accepts(int strip, long offset, long fraction, Entropy entropy) {
    double inside = offset + (fraction + 0.5) / TWO_63;
    double exponent = inside * (2.0 * strip * width + inside) * rate;
    long word = entropy.nextLong() >>> 1;
    int below = ExactDraws.compare(word, Math.exp(-exponent));
    return below == 0
        ? ExactDraws.below(word, entropy.nextLong(), exactAcceptance(strip, offset, fraction))
        : below > 0;
  }

  /** Returns the acceptance probability to more than 50 digits. */
  BigDecimal exactAcceptance(int strip, long offset, long fraction) {
    BigDecimal inside =
        BigDecimal.valueOf(fraction)
            .add(BigDecimal.valueOf(5, 1))
            .divide(new BigDecimal(BigInteger.ONE.shiftLeft(63)))
            .add(BigDecimal.valueOf(offset));
    BigDecimal exponent =
        BigDecimal.valueOf(2L * strip * width)
            .add(inside)
            .multiply(inside)
            .multiply(exactRate, ExactDraws.DIGITS);
    return ExactDraws.expNegative(exponent);
  }

  private void fillTable() {
    BigDecimal[] sums = new BigDecimal[high.length];
    BigDecimal sum = BigDecimal.ZERO;
    for (int j = 0; j < sums.length; j++) {
      BigDecimal start = BigDecimal.valueOf(j * width);
      sum =
          sum.add(
              ExactDraws.expNegative(start.multiply(start).multiply(exactRate, ExactDraws.DIGITS)),
              ExactDraws.DIGITS);
      sums[j] = sum;
    }
    BigDecimal scale = new BigDecimal(BigInteger.ONE.shiftLeft(126)).divide(sum, ExactDraws.DIGITS);
    for (int j = 0; j < sums.length - 1; j++) {
      BigInteger bound = sums[j].multiply(scale, ExactDraws.DIGITS).toBigInteger();
      high[j] = bound.shiftRight(63).longValueExact();
      low[j] = bound.longValue() & Long.MAX_VALUE;
    }
    high[sums.length - 1] = Long.MAX_VALUE; // the last strip gets the remaining probability
  }

  /** Returns the probability of strips 0 to {@code strip} in the table, to 2^-126. */
  BigDecimal cumulative(int strip) {
    if (strip == high.length - 1) {
      return BigDecimal.ONE;
    }
    BigInteger bound =
        BigInteger.valueOf(high[strip]).shiftLeft(63).add(BigInteger.valueOf(low[strip]));
    return new BigDecimal(bound).divide(new BigDecimal(BigInteger.ONE.shiftLeft(126)));
  }

  int strips() {
    return high.length;
  }

  long width() {
    return width;
  }

  private Object writeReplace() {
    return new Scale(sigma);
  }

  /** The serialized form: only the scale. The table is computed again. */
  private record Scale(double sigma) implements Serializable {
    private Object readResolve() {
      return of(sigma);
    }
  }

  /** Samplers are equal if their scales are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RoundedGaussian that && that.sigma == sigma;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(sigma);
  }

  @Override
  public String toString() {
    return "RoundedGaussian[sigma=" + sigma + "]";
  }
}
