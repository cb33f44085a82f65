package io.gauze.mechanism.twostage;

import java.io.Serializable;

/**
 * What the moments of all rows and those of strata spend, and their noise.
 *
 * @param mu that a release spends
 * @param moments of all rows, a release of {@code two-stage-moments}
 * @param strata each of them: a row is in one
 */
public record StrataPlan(double mu, TwoStagePlan moments, TwoStagePlan.Part strata)
    implements Serializable {
  /** A part of mu^2 that nothing spends: shares are rounded. */
  private static final double SLACK = 0x1p-40;

  /**
   * Checks that no release spends more than mu.
   *
   * @throws IllegalArgumentException if one would
   */
  public StrataPlan {
    double all = moments.mu() * moments.mu() + strata.spent();
    if (!(all <= mu * mu)) { // also refuses NaN
      throw new IllegalArgumentException(
          "moments and strata must spend at most mu^2 = " + mu * mu + ". Provided value: " + all);
    }
  }

  /**
   * Returns the plan of a budget.
   *
   * @param name of the mechanism, for messages
   * @param dimension D
   * @param sensitivity of the moments of encoded rows
   * @param rowSensitivity of counts, and of moments of rows of norm 1, over all strata together
   * @param unit of the moments of encoded rows
   */
  static StrataPlan of(
      String name,
      int dimension,
      double mu,
      double sensitivity,
      double rowSensitivity,
      double unit) {
    double ofStrata = TwoStagePlan.share(mu, Tuning.STRATA);
    double ofMoments = TwoStagePlan.share(mu, 1.0 - Tuning.STRATA - SLACK);
    return new StrataPlan(
        mu,
        TwoStagePlan.of(name, dimension, ofMoments, sensitivity, rowSensitivity, unit),
        TwoStagePlan.Part.of(name, dimension, rowSensitivity, ofStrata, TwoStageRelease.UNIT));
  }

  /**
   * Returns the planned number of strata: 4 for {@code n / (sigma sqrt D)} below 1,000, 8 below
   * 20,000, 16 above. It is even, so that the residual 0, where absolute deviations bend, is
   * between two strata.
   *
   * @param expectedRows n, a public guess, at least 1
   * @param sigma standard deviation of the noise on the diagonal of a stratum's matrix
   */
  static int strata(long expectedRows, int dimension, double sigma) {
    double noise = sigma * Math.sqrt(dimension);
    return (double) expectedRows < Tuning.EIGHT_STRATA * noise
        ? 4
        : (double) expectedRows < Tuning.SIXTEEN_STRATA * noise ? 8 : 16;
  }
}
