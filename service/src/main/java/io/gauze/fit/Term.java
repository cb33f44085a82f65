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
 * @param samplingError its part that the rows are a sample
 * @param privacyError its part of noise, sketching and ridge
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
    double samplingError,
    double privacyError,
    double statistic,
    double pValue,
    double confLow,
    double confHigh) {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** The level of an interval for which none is given. */
  public static final double USUAL_LEVEL = 0.95;

  /** A standard error and its part of noise, sketching and ridge. */
  record Errors(double all, double privacy) {
    double sampling() {
      return Math.sqrt(Math.max(0.0, all * all - privacy * privacy));
    }
  }

  /**
   * Returns a term.
   *
   * @param statistic a normal variable of variance 1 if the coefficient of the law is 0
   * @param interval of NaN if it is withheld
   */
  static Term of(String name, double estimate, Errors errors, double statistic, Interval interval) {
    double pValue =
        Double.isNaN(statistic)
            ? Double.NaN
            : Math.min(1.0, 2.0 * NORMAL.survivalProbability(Math.abs(statistic)));
    return new Term(
        name,
        estimate,
        errors.all(),
        errors.sampling(),
        errors.privacy(),
        statistic,
        pValue,
        interval.lower(),
        interval.upper());
  }

  /** Returns a term whose error, test and interval are not known. */
  static Term estimate(String name, double value) {
    return estimate(name, value, Double.NaN);
  }

  /** Returns a term whose test and interval are not known. */
  static Term estimate(String name, double value, double stdError) {
    double none = Double.NaN;
    return new Term(name, value, stdError, none, none, none, none, none, none);
  }

  /** Returns the term in another unit. */
  Term times(double factor) {
    return new Term(
        name,
        estimate * factor,
        stdError * factor,
        samplingError * factor,
        privacyError * factor,
        statistic,
        pValue,
        confLow * factor,
        confHigh * factor);
  }

  /** Checks whether there is no interval. */
  public boolean isWithheld() {
    return Double.isNaN(confLow);
  }
}
