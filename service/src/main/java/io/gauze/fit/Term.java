package io.gauze.fit;

import io.gauze.internal.Checks;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * A term of a model with its normal test and interval. All numbers but the estimate are NaN if the
 * standard error is withheld.
 *
 * @param name the column, or (intercept)
 * @param estimate the coefficient
 * @param stdError of the distance to the law of the rows
 * @param statistic the estimate in standard errors
 * @param pValue the probability of a statistic this far from 0, on either side, if the coefficient
 *     of the law is 0
 * @param confLow the lower end of the interval
 * @param confHigh its upper end
 */
public record Term(
    String name,
    double estimate,
    double stdError,
    double statistic,
    double pValue,
    double confLow,
    double confHigh) {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** The level of an interval for which none is given. */
  public static final double USUAL_LEVEL = 0.95;

  /**
   * Returns a term.
   *
   * @param level the probability of the interval, in (0, 1)
   * @throws IllegalArgumentException if the level is out of range
   */
  public static Term of(String name, double estimate, double stdError, double level) {
    Checks.inOpenUnit("level", level);
    double half = NORMAL.inverseSurvivalProbability(0.5 * (1.0 - level)) * stdError;
    boolean exact = stdError == 0.0;
    double statistic = exact ? Double.NaN : estimate / stdError;
    double pValue =
        Double.isNaN(statistic)
            ? Double.NaN
            : Math.min(1.0, 2.0 * NORMAL.survivalProbability(Math.abs(statistic)));
    return new Term(name, estimate, stdError, statistic, pValue, estimate - half, estimate + half);
  }
}
