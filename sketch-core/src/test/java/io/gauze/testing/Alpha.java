package io.gauze.testing;

import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** Critical values of the statistical tests: each fails correct code with chance at most 1e-6. */
public final class Alpha {
  /** The chance that a test fails although the code is right. */
  public static final double TEST = 1e-6;

  private Alpha() {}

  /** The critical value of |z| when one test looks at this many statistics (Bonferroni). */
  public static double z(int statistics) {
    return NormalDistribution.of(0, 1).inverseSurvivalProbability(TEST / 2 / statistics);
  }

  /** The critical value of a chi-square statistic. */
  public static double chiSquare(double degreesOfFreedom) {
    return chiSquare(degreesOfFreedom, 1);
  }

  /** The critical value when one test looks at this many chi-square statistics (Bonferroni). */
  public static double chiSquare(double degreesOfFreedom, int statistics) {
    return ChiSquaredDistribution.of(degreesOfFreedom)
        .inverseSurvivalProbability(TEST / statistics);
  }

  /** Whether a count of binomial law is outside the central interval, in one of some looks. */
  public static boolean unlikely(long count, int trials, double probability, int looks) {
    BinomialDistribution law = new BinomialDistribution(null, trials, probability);
    int observed = Math.toIntExact(count);
    double low = law.cumulativeProbability(observed);
    double high = observed == 0 ? 1.0 : 1.0 - law.cumulativeProbability(observed - 1);
    return Math.min(low, high) < TEST / 2 / looks;
  }
}
