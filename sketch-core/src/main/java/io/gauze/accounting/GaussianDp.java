package io.gauze.accounting;

import io.gauze.internal.Bisection;
import io.gauze.internal.Checks;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * Exact accounting of Gaussian noise. Distinguishing neighbours by a Gaussian mechanism of l2
 * sensitivity {@code Delta} and standard deviation {@code sigma} is exactly as hard as
 * distinguishing N(mu, 1) from N(0, 1), {@code mu = Delta / sigma}. Several mechanisms, also
 * adaptively chosen ones, are equivalent to one whose {@code mu^2} is the sum of theirs.
 *
 * <p>B. Balle and Y.-X. Wang, <a href="https://proceedings.mlr.press/v80/balle18a.html">Improving
 * the Gaussian mechanism for differential privacy</a>, ICML 2018, theorem 8; J. Dong, A. Roth and
 * W. J. Su, <a href="https://doi.org/10.1111/rssb.12454">Gaussian differential privacy</a>, JRSS B
 * 84 (2022), corollary 3.3. Differs from the first paper: the condition is evaluated through Mills
 * ratios, so that deltas down to 1e-12 and below keep their digits.
 */
public final class GaussianDp {
  private static final double SQRT_2 = Math.sqrt(2.0);
  private static final double SQRT_HALF_PI = Math.sqrt(Math.PI / 2.0);
  private static final double SQRT_2_PI = Math.sqrt(2.0 * Math.PI);
  private static final double UNIT = 0x1p-51;

  private GaussianDp() {}

  /**
   * Returns the smallest delta at which a mechanism is (epsilon, delta)-private: {@code Phi(mu/2 -
   * epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu)}.
   *
   * @param epsilon finite, at least 0
   * @param mu sensitivity over standard deviation; finite, above 0
   * @return in [0, 1]; relative error below 1e-9 for epsilon in [0.01, 20] and results above 1e-12
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double delta(double epsilon, double mu) {
    if (!(epsilon >= 0.0 && epsilon < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "epsilon must be in [0, infinity). Provided value: " + epsilon);
    }
    checkPositive("mu", mu);
    double[] terms = terms(epsilon, mu);
    return Math.min(1.0, Math.max(0.0, terms[0] - terms[1]));
  }

  /**
   * Returns the largest {@code mu} that keeps (epsilon, delta), lowered by the largest possible
   * error of the arithmetic, so that {@code delta(epsilon, mu(epsilon, delta)) <= delta}.
   *
   * @param epsilon in (0, 100]
   * @param delta in (0, 0.1]
   * @return above 0; at most 1e-9 (relative) below the exact value for epsilon in [0.01, 20] and
   *     delta at least 1e-12
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double mu(double epsilon, double delta) {
    checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    checkRange("delta", delta, Budget.LARGEST_DELTA);
    double high = 1.0;
    while (largestDelta(epsilon, high) <= delta) {
      high *= 2.0;
    }
    double low = high / 2.0;
    while (largestDelta(epsilon, low) > delta) {
      high = low;
      low /= 2.0;
    }
    double mu = root(epsilon, delta, low, high);
    while (largestDelta(epsilon, mu) > delta) {
      mu *= 1.0 - 0x1p-50;
    }
    return mu;
  }

  /**
   * Returns the least epsilon at which a mechanism is (epsilon, delta)-private, raised by the
   * largest possible error of the arithmetic.
   *
   * @param delta in (0, 1)
   * @param mu sensitivity over standard deviation; finite, above 0
   * @return at least 0; 0 if delta covers everything that is disclosed; at most 1e-9 (relative)
   *     above the exact value for results in [0.01, 20] and delta in [1e-12, 0.1]
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double epsilon(double delta, double mu) {
    Checks.inOpenUnit("delta", delta);
    checkPositive("mu", mu);
    if (largestDelta(0.0, mu) <= delta) {
      return 0.0;
    }
    double low = 0.0;
    double high = mu;
    while (largestDelta(high, mu) > delta) {
      low = high;
      high *= 2.0;
    }
    return new Bisection(low, high)
        .narrow(Bisection.MOST, middle -> largestDelta(middle, mu) <= delta)
        .holds();
  }

  /**
   * Returns the least standard deviation of Gaussian noise for a query.
   *
   * @param epsilon in (0, 100]
   * @param delta in (0, 0.1]
   * @param sensitivity the largest l2 distance between neighbours' answers; finite, above 0
   * @return in the unit of the sensitivity, rounded to the safe side as in {@link #mu}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double sigma(double epsilon, double delta, double sensitivity) {
    checkPositive("sensitivity", sensitivity);
    return Math.nextUp(sensitivity / mu(epsilon, delta));
  }

  /**
   * Returns the standard deviation of the classic theorem, {@code sqrt(2 ln(1.25 / delta))
   * sensitivity / epsilon}: C. Dwork and A. Roth, <a href="https://doi.org/10.1561/0400000042">The
   * algorithmic foundations of differential privacy</a> (2014), theorem A.1. For comparison only:
   * the theorem holds for epsilon at most 1, where this is larger than {@link #sigma}; for large
   * epsilon the value does not keep the budget.
   *
   * @param epsilon in (0, 100]; nothing is proved above 1
   * @param delta in (0, 0.1]
   * @param sensitivity the largest l2 distance between neighbours' answers; finite, above 0
   * @return in the unit of the sensitivity
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double classicSigma(double epsilon, double delta, double sensitivity) {
    checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    checkRange("delta", delta, Budget.LARGEST_DELTA);
    checkPositive("sensitivity", sensitivity);
    return Math.sqrt(2.0 * Math.log(1.25 / delta)) * sensitivity / epsilon;
  }

  /**
   * Returns the {@code mu} of several mechanisms run on one data set: the root of the sum of
   * squares.
   *
   * @param mus each finite, at least 0
   * @throws IllegalArgumentException if one of them is not
   */
  public static double compose(double... mus) {
    Map<Double, Integer> counts = new LinkedHashMap<>();
    for (double mu : mus) {
      counts.merge(mu, 1, Integer::sum);
    }
    return compose(counts);
  }

  /**
   * Returns the {@code mu} of mechanisms that are run several times each.
   *
   * @param mus each finite, at least 0, with how often it is run, at least once
   * @throws IllegalArgumentException if one of them is not
   */
  static double compose(Map<Double, Integer> mus) {
    double largest = 0.0;
    for (double mu : mus.keySet()) {
      if (!(mu >= 0.0 && mu < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("mu must be in [0, infinity). Provided value: " + mu);
      }
      largest = Math.max(largest, mu);
    }
    // scaled so that squares neither overflow nor underflow
    int exponent = Math.getExponent(largest);
    double sum = 0.0;
    for (Map.Entry<Double, Integer> each : mus.entrySet()) {
      double scaled = Math.scalb(each.getKey(), -exponent);
      sum += each.getValue() * (scaled * scaled);
    }
    return Math.scalb(Math.sqrt(sum), exponent);
  }

  /**
   * Splits {@code mu} into parts that compose to it: {@code mu_i^2 = mu^2 w_i / sum w}.
   *
   * @param mu finite, above 0
   * @param weights at least one, each finite, above 0
   * @return the parts, in the order of the weights; {@link #compose} of them is at most {@code mu}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double[] split(double mu, double... weights) {
    checkPositive("mu", mu);
    double sum = 0.0;
    for (double weight : weights) {
      checkPositive("weight", weight);
      sum += weight;
    }
    checkPositive("sum of weights", sum);
    double[] parts = new double[weights.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = mu * Math.sqrt(weights[i] / sum);
    }
    while (compose(parts) > mu) {
      for (int i = 0; i < parts.length; i++) {
        parts[i] = Math.nextDown(parts[i]);
      }
    }
    return parts;
  }

  private static double root(double epsilon, double delta, double low, double high) {
    // In logarithms on both axes the curve is nearly straight, whatever the sizes.
    UnivariateFunction excess =
        logMu -> Math.max(-1e3, Math.log(largestDelta(epsilon, Math.exp(logMu)) / delta));
    double logLow = Math.log(low);
    double logHigh = Math.log(high);
    if (!(excess.value(logLow) < 0.0 && excess.value(logHigh) > 0.0)) {
      return low;
    }
    return Math.exp(
        new BracketingNthOrderBrentSolver(1e-15, 1e-15, 1e-14, 5)
            .solve(200, excess, logLow, logHigh, AllowedSolution.BELOW_SIDE));
  }

  /** Returns an upper bound on the exact delta: the computed delta plus its largest error. */
  static double largestDelta(double epsilon, double mu) {
    // Each special function has an error of a few units in the last place. The exponent a^2/2 of
    // the common factor has an error of at most |a| (mu/2 + epsilon/mu) ulp <= b^2 ulp.
    double[] terms = terms(epsilon, mu);
    double b = mu / 2.0 + epsilon / mu;
    double relative = Math.min(1.0, UNIT * (16.0 + b * b));
    return terms[0] - terms[1] + relative * (terms[0] + terms[1]);
  }

  /** Returns both terms of delta, the larger one first. */
  private static double[] terms(double epsilon, double mu) {
    // With a = mu/2 - epsilon/mu and b = -mu/2 - epsilon/mu we have a^2 - b^2 = -2 epsilon, hence
    // exp(epsilon) phi(b) = phi(a), and with the Mills ratio R(x) = Phi(-x) / phi(x)
    //   Phi(a) = phi(a) R(-a)   and   exp(epsilon) Phi(b) = phi(a) R(-b):
    // nothing overflows and no two tails of different scale are subtracted.
    double half = mu / 2.0;
    double distance = epsilon / mu;
    double a = half - distance;
    double density = Math.exp(-0.5 * a * a) / SQRT_2_PI;
    double second = density * mills(half + distance);
    // R(-a) is huge for large a, and Phi(a) is near 1.
    double first = a > 0.0 ? 0.5 * Erfc.value(-a / SQRT_2) : density * mills(-a);
    return new double[] {first, second};
  }

  private static double mills(double x) {
    return SQRT_HALF_PI * Erfcx.value(x / SQRT_2);
  }

  static void checkRange(String name, double value, double largest) {
    if (!(value > 0.0 && value <= largest)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be in (0, %s]. Provided value: %s", name, largest, value));
    }
  }

  static void checkPositive(String name, double value) {
    Checks.positiveFinite(name, value);
  }
}
