package io.gauze.accounting;

import io.gauze.internal.Checks;

/**
 * Several mechanisms of one epsilon_0 and of delta 0, each of which may depend on the outputs of
 * those before. Their composition is exact: P. Kairouz, S. Oh and P. Viswanath, <a
 * href="https://doi.org/10.1109/TIT.2017.2685505">The composition theorem for differential
 * privacy</a>, IEEE Trans. Inf. Theory 63 (2017), theorem 3.3. The worst mechanism is randomised
 * response.
 */
public final class PureComposition {
  /** The largest number of mechanisms. */
  public static final int MOST_TIMES = 1000;

  private PureComposition() {}

  /**
   * Returns the least delta at which all of them together are (epsilon, delta)-private.
   *
   * @param epsilon in [0, 100]
   * @param each epsilon_0, in (0, 100]
   * @param times the number of mechanisms, in [1, 1000]
   * @return in [0, 1]; relative error below 1e-11
   * @throws IllegalArgumentException if an argument is out of range
   */
  // A mechanism that answers truly x times has the loss (2x - times) epsilon_0, with probability
  // Bin(times, q) and q = 1 / (1 + exp(-epsilon_0)). All terms are positive.
  public static double delta(double epsilon, double each, int times) {
    Checks.within("epsilon", epsilon, 0.0, Budget.LARGEST_EPSILON);
    GaussianDp.checkRange("epsilon of each", each, Budget.LARGEST_EPSILON);
    Checks.within("times", times, 1, MOST_TIMES);
    double truth = -Math.log1p(Math.exp(-each));
    double lie = truth - each;
    double sum = 0.0;
    double ways = 0.0; // the logarithm of the binomial coefficient
    for (int x = times; 2.0 * x > times && (2.0 * x - times) * each > epsilon; x--) {
      double probability = Math.exp(ways + x * truth + (times - x) * lie);
      sum += probability * -Math.expm1(epsilon - (2.0 * x - times) * each);
      ways += Math.log((double) x / (times - x + 1));
    }
    return Math.min(1.0, sum);
  }

  /**
   * Returns the largest epsilon_0 up to epsilon that keeps a budget, rounded down. It is at least
   * {@code epsilon / times}, which costs no delta at all. Delta buys composition, and never a
   * larger epsilon of one mechanism than that of all.
   *
   * @param epsilon in (0, 100]
   * @param delta in (0, 0.1]
   * @param times in [1, 1000]
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double largestEach(double epsilon, double delta, int times) {
    GaussianDp.checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    GaussianDp.checkRange("delta", delta, Budget.LARGEST_DELTA);
    double basic = basicEach(epsilon, times);
    if (delta(epsilon, epsilon, times) <= delta) {
      return epsilon;
    }
    double noise =
        ConservativeRootFinder.least(
            x -> delta(epsilon, Math.min(epsilon, 1.0 / x), times), delta, times / epsilon);
    return Math.max(basic, 1.0 / noise * (1.0 - 0x1p-51));
  }

  /**
   * Returns epsilon over the number of mechanisms, rounded down: basic composition.
   *
   * @param epsilon in (0, 100]
   * @param times in [1, 1000]
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double basicEach(double epsilon, int times) {
    GaussianDp.checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    Checks.within("times", times, 1, MOST_TIMES);
    return Math.nextDown(epsilon / times);
  }
}
