package io.gauze.fit;

import io.gauze.regression.CoefficientTable.Interval;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * A term of a model with its test and interval. Numbers that are withheld are NaN: the interval can
 * be without the standard error, if it is not bounded.
 *
 * @param name the column, or (intercept)
 * @param estimate the coefficient
 * @param stdError of the distance to the law of the rows
 * @param statistic how far it is from 0: a normal variable of variance 1 if that of the law is 0
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
   * @param statistic a normal variable of variance 1 if the coefficient of the law is 0
   * @param interval of NaN if it is withheld
   */
  static Term of(
      String name, double estimate, double stdError, double statistic, Interval interval) {
    double pValue =
        Double.isNaN(statistic)
            ? Double.NaN
            : Math.min(1.0, 2.0 * NORMAL.survivalProbability(Math.abs(statistic)));
    return new Term(
        name, estimate, stdError, statistic, pValue, interval.lower(), interval.upper());
  }

  /** Checks whether there is no interval. */
  public boolean isWithheld() {
    return Double.isNaN(confLow);
  }
}
