package io.gauze.noise;

import io.gauze.internal.Checks;
import java.math.BigDecimal;

/**
 * Samples the chi-square law with a whole number of degrees of freedom, for mechanisms whose proof
 * is over the reals ({@code idealised}).
 *
 * <p>Implements G. Marsaglia and W. W. Tsang, <a href="https://doi.org/10.1145/358407.358414">A
 * simple method for generating gamma variables</a>, ACM TOMS 26 (2000), with {@link
 * StandardNormal}; one degree of freedom is the square of a normal variable. Differs from the
 * paper: rejection is decided in doubles with a margin inside which 60 digits decide.
 *
 * <p>Except for an event of probability below 2^-90, a sample is computed in a few double
 * operations from an exact draw of the paper's normal variable, given that it is accepted; the
 * source contains the derivation. Samples are not on a grid: they are parts of samplers whose
 * results are. Immutable.
 */
// x is proposed, t = c x, and accepted with probability
//   p(x) = exp(x^2/2 + d (1 - v + ln v)) = exp(3 d g(t)),  v = (1 + t)^3,
//   g(t) = ln(1 + t) - t + t^2/2 - t^3/3,
// since x^2 = 9 d t^2. g <= 0, as g' = -t^3 / (1 + t).
//  - StandardNormal is within 2^-100 of the double next to a normal Z (or within 2^-104 of it), and
//    p at that double stands for the mean of p over all Z next to it. Its relative error is below
//    p'' h^2 / p for cells of width h = 2^-53 |x|, and p' h / p at a power of two, which has a
//    probability of h; both are below 2^-96 on average.
//  - The decision is the exact one outside of the margin, see accepts; inside, a uniform of 127
//    bits is compared with 45 digits or more.
//  - P(accept) > 0.9, so that the sum of these errors grows to less than 2^-94.
// Then t and v are computed. With u = 2^-53, the error of t is at most 4.5 u |t|, and that of the
// root of 2 d v at most
//   u (4 sqrt(2 d v) + 3.2 |x| sqrt(1 + t)) < u (4 sqrt(2 d v) + 61),
// since |x| < 12.1, and sqrt(1 + t) < 1.53 from 20 degrees on; with fewer, |x| sqrt(1 + t) < 19 has
// a probability above 1 - 2^-94.
public final class ChiSquare {
  /** The largest number of degrees of freedom. */
  public static final int MOST_DEGREES = 1 << 24;

  private static final double SERIES = 0.5; // the series is used for t up to this
  private static final int TERMS = 56;

  /** The largest error of an acceptance probability in a double, in units of 2^-63: 2^-44. */
  private static final long MARGIN = 1L << 19;

  private final int degrees;
  private final double shift; // the paper's d
  private final double slope; // the paper's c

  private ChiSquare(int degrees) {
    this.degrees = degrees;
    shift = 0.5 * degrees - 1.0 / 3.0;
    slope = 1.0 / Math.sqrt(9.0 * shift);
  }

  /**
   * Creates a sampler.
   *
   * @param degrees in [1, 2^24]
   * @throws IllegalArgumentException if it is outside its range
   */
  public static ChiSquare of(int degrees) {
    Checks.within("degreesOfFreedom", degrees, 1, MOST_DEGREES);
    return new ChiSquare(degrees);
  }

  /** The degrees of freedom, which are also the mean. */
  public int degrees() {
    return degrees;
  }

  /** Returns one sample, above 0; 0 if the entropy is noise-free. */
  public double sample(Entropy entropy) {
    if (entropy.noiseFree()) {
      return 0.0;
    }
    while (true) {
      double normal = StandardNormal.sample(entropy);
      double sample = degrees == 1 ? normal * normal : tried(normal, entropy);
      if (sample > 0.0) {
        return sample;
      }
    }
  }

  /** Returns a sample, or 0 if it is rejected. */
  private double tried(double normal, Entropy entropy) {
    double t = slope * normal;
    return t > -1.0 && accepts(normal, t, entropy)
        ? 2.0 * shift * (1.0 + t) * (1.0 + t) * (1.0 + t)
        : 0.0;
  }

  // Given x, t has an error of 3.5 u |t|, u = 2^-53, which changes p by a factor of
  // exp(3.5 u 3 d t^4 / (1 + t)): times p that is below 2^-49. The series has an error of 3 u of
  // its sum, and the closed form one of 4 u (|t| + |t|^3) 3 d, where p = exp(3 d g) with
  // g < -0.011: below 2^-46.
  private boolean accepts(double normal, double t, Entropy entropy) {
    long word = entropy.nextLong() >>> 1;
    long threshold = (long) (Math.exp(3.0 * shift * g(t)) * 0x1p63); // 1.0 saturates
    if (word < threshold - MARGIN) {
      return true;
    }
    return word - MARGIN <= threshold
        && ExactDraws.below(word, entropy.nextLong(), exactAcceptance(normal));
  }

  /**
   * Returns {@code ln(1 + t) - t + t^2/2 - t^3/3}, with a relative error of some 2^-51 for small t.
   */
  static double g(double t) {
    if (Math.abs(t) > SERIES) {
      return Math.log1p(t) - t * (1.0 - t * (0.5 - t / 3.0));
    }
    double sum = 0.0; // the sum of (-t)^n / (n + 4)
    for (int n = TERMS; n >= 0; n--) {
      sum = 1.0 / (n + 4) - t * sum;
    }
    return -t * t * t * t * sum;
  }

  // p^2 = ((1 + t) exp(-t + t^2/2 - t^3/3))^(6 d), and 6 d = 3 k - 2; c^2 = 1 / (9 d).
  /**
   * Returns the acceptance probability to 45 digits and more; for more than one degree of freedom.
   */
  BigDecimal exactAcceptance(double normal) {
    int power = 3 * degrees - 2;
    BigDecimal square =
        BigDecimal.valueOf(2).divide(BigDecimal.valueOf(3L * power), ExactDraws.DIGITS);
    BigDecimal t = new BigDecimal(normal).multiply(square.sqrt(ExactDraws.DIGITS));
    BigDecimal base = t.add(BigDecimal.ONE);
    if (base.signum() <= 0) {
      return BigDecimal.ZERO;
    }
    BigDecimal cubic = t.divide(BigDecimal.valueOf(-3), ExactDraws.DIGITS);
    BigDecimal exponent =
        t.multiply(
            BigDecimal.ONE.add(t.multiply(BigDecimal.valueOf(-0.5).subtract(cubic))),
            ExactDraws.DIGITS);
    BigDecimal factor =
        exponent.signum() >= 0
            ? ExactDraws.expNegative(exponent)
            : BigDecimal.ONE.divide(ExactDraws.expNegative(exponent.negate()), ExactDraws.DIGITS);
    return base.multiply(factor, ExactDraws.DIGITS)
        .pow(power, ExactDraws.DIGITS)
        .sqrt(ExactDraws.DIGITS);
  }

  @Override
  public String toString() {
    return "ChiSquare[degrees=" + degrees + "]";
  }
}
