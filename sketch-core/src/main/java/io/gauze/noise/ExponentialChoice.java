package io.gauze.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * The exponential mechanism: draws a candidate with probability proportional to {@code exp(score /
 * scale)}.
 *
 * <p>By rejection: a candidate, uniform among all, is accepted with probability {@code exp((score -
 * largest) / scale)}. Decisions are made in doubles with a margin inside which 60 digits decide.
 */
public final class ExponentialChoice {
  /** A bound on the total variation distance between one choice and its law. */
  // Let m be the number of candidates. Per trial, the differences from the law are:
  //  - an acceptance is decided as a uniform of 127 bits below the exact probability: at most
  //    2^-126;
  //  - a gap above 90 scales is never accepted: at most e^-90 < 2^-129.
  // Rejection divides an error by P(accept) >= 1 / m, twice for the normalisation: at most
  // 2 m 2^-125, below 2^-104 for m <= 2^20.
  public static final double TOTAL_VARIATION = 0x1p-100;

  private static final int MOST = 1 << 20;
  private static final double FARTHEST = 90.0;

  private ExponentialChoice() {}

  /**
   * Returns the index of the choice; the first of the largest scores if the entropy is noise-free.
   * Takes at most as many trials as there are candidates, on average.
   *
   * @param scores 1 to 2^20
   * @param scale above 0, in units of the scores
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static int choose(List<BigInteger> scores, BigInteger scale, Entropy entropy) {
    if (scores.isEmpty() || scores.size() > MOST) {
      throw new IllegalArgumentException(
          "the number of scores must be in [1, 2^20]. Provided value: " + scores.size());
    }
    if (scale.signum() <= 0) {
      throw new IllegalArgumentException("scale must be above 0. Provided value: " + scale);
    }
    BigInteger largest = scores.get(0);
    for (BigInteger score : scores) {
      largest = largest.max(score);
    }
    if (entropy.noiseFree()) {
      return scores.indexOf(largest);
    }
    double[] gaps = new double[scores.size()];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = largest.subtract(scores.get(i)).doubleValue() / scale.doubleValue();
    }
    long unfair = ExactDraws.unfair(gaps.length);
    while (true) {
      int index = (int) ExactDraws.uniform(gaps.length, unfair, entropy);
      if (accepts(gaps[index], largest.subtract(scores.get(index)), scale, entropy)) {
        return index;
      }
    }
  }

  // The relative error of the gap in doubles is below 2^-51, so that of exp(-gap) is below
  // gap exp(-gap) 2^-51 + 2^-52 < 2^-51, far inside the margin.
  private static boolean accepts(double near, BigInteger gap, BigInteger scale, Entropy entropy) {
    if (near > FARTHEST) {
      return false;
    }
    long word = entropy.nextLong() >>> 1;
    int clear = ExactDraws.compare(word, Math.exp(-near));
    if (clear != 0) {
      return clear > 0;
    }
    BigDecimal exact = new BigDecimal(gap).divide(new BigDecimal(scale), ExactDraws.DIGITS);
    return ExactDraws.below(word, entropy.nextLong(), ExactDraws.expNegative(exact));
  }
}
