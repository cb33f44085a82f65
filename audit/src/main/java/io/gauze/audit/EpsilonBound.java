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

  /** The number of limits: two directions, two neighbours. */
  private static final double LIMITS = 4.0;

  /** The level of each limit of a bound that is computed once. */
  static final double LEVEL = FALSE_ALARM / LIMITS;

  private static final double LEAST_ERROR = 1e-6;
  private static final EpsilonBound NOTHING = new EpsilonBound(0.0, 1.0);

  /**
   * Returns the larger bound of both directions.
   *
   * @param delta the claim's delta
   * @param first of the first data set
   * @param second of the second data set
   * @param falseAlarm the probability with which the bound may be above the true epsilon
   */
  static EpsilonBound of(double delta, Tally first, Tally second, double falseAlarm) {
    double level = falseAlarm / LIMITS;
    EpsilonBound up =
        of(
            delta,
            new Share(second.above(), second.runs()),
            new Share(first.above(), first.runs()),
            level);
    EpsilonBound down =
        of(
            delta,
            new Share(first.below(), first.runs()),
            new Share(second.below(), second.runs()),
            level);
    return up.value >= down.value ? up : down;
  }

  /** The number of runs in which an event happened, of how many. */
  private record Share(long hits, long runs) {}

  private static EpsilonBound of(double delta, Share right, Share wrong, double level) {
    double low = lower(right.hits, right.runs, level);
    if (low <= delta) {
      return NOTHING;
    }
    double value = Math.log((low - delta) / upper(wrong.hits, wrong.runs, level));
    double p = (double) right.hits / right.runs;
    // the upper limit of 0 hits does not vary
    double relative = wrong.hits == 0 ? 0.0 : 1.0 / wrong.hits - 1.0 / wrong.runs;
    double error = Math.sqrt(p * (1.0 - p) / right.runs / ((p - delta) * (p - delta)) + relative);
    return value > 0.0 ? new EpsilonBound(value, Math.max(error, LEAST_ERROR)) : NOTHING;
  }

  /** Returns the lower confidence limit of a probability. */
  static double lower(long hits, long runs, double level) {
    return hits == 0
        ? 0.0
        : BetaDistribution.of((double) hits, runs - hits + 1.0).inverseCumulativeProbability(level);
  }

  /** Returns the upper confidence limit of a probability. */
  static double upper(long hits, long runs, double level) {
    return hits == runs
        ? 1.0
        : BetaDistribution.of(hits + 1.0, (double) runs - hits).inverseSurvivalProbability(level);
  }
}
