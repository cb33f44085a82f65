package io.gauze.audit;

import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * A lower confidence bound on the epsilon that a mechanism has at a given delta.
 *
 * <p>For every event, epsilon is at least {@code ln((P - delta) / Q)}, P and Q its probabilities on
 * the two data sets. P is replaced by its lower and Q by its upper binomial confidence limit (C.
 * Clopper and E. Pearson, <a href="https://doi.org/10.1093/biomet/26.4.404">The use of confidence
 * or fiducial limits illustrated in the case of the binomial</a>, Biometrika 26, 1934), which hold
 * for every P and Q and every number of runs.
 *
 * @param value at least 0
 * @param standardError of the logarithm, to first order; 1 if nothing could be bounded
 */
record EpsilonBound(double value, double standardError) {
  /** The probability that the bound is above the true epsilon, for both directions together. */
  static final double FALSE_ALARM = 1e-6;

  /** The level of each of four limits: two directions, two neighbours. */
  static final double LEVEL = FALSE_ALARM / 4.0;

  private static final double LEAST_ERROR = 1e-6;
  private static final EpsilonBound NOTHING = new EpsilonBound(0.0, 1.0);

  /** Returns the larger bound of both directions. */
  static EpsilonBound of(double delta, Tally first, Tally second) {
    EpsilonBound up = of(delta, second.above(), second.runs(), first.above(), first.runs());
    EpsilonBound down = of(delta, first.below(), first.runs(), second.below(), second.runs());
    return up.value >= down.value ? up : down;
  }

  private static EpsilonBound of(double delta, long hits, long n, long falseHits, long m) {
    double low = lower(hits, n);
    if (low <= delta) {
      return NOTHING;
    }
    double value = Math.log((low - delta) / upper(falseHits, m));
    double p = (double) hits / n;
    // the upper limit of 0 hits does not vary
    double relative = falseHits == 0 ? 0.0 : 1.0 / falseHits - 1.0 / m;
    double error = Math.sqrt(p * (1.0 - p) / n / ((p - delta) * (p - delta)) + relative);
    return value > 0.0 ? new EpsilonBound(value, Math.max(error, LEAST_ERROR)) : NOTHING;
  }

  /** Returns the lower confidence limit of a probability. */
  static double lower(long hits, long runs) {
    return hits == 0
        ? 0.0
        : BetaDistribution.of((double) hits, runs - hits + 1.0).inverseCumulativeProbability(LEVEL);
  }

  /** Returns the upper confidence limit of a probability. */
  static double upper(long hits, long runs) {
    return hits == runs
        ? 1.0
        : BetaDistribution.of(hits + 1.0, (double) runs - hits).inverseSurvivalProbability(LEVEL);
  }
}
