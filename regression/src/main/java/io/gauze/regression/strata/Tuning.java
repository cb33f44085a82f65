package io.gauze.regression.strata;

/**
 * The constants of fits of strata that were chosen on data. They decide estimates, predictions and
 * standard errors, and nothing that is released.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The six data sets</i> are
 * those of benchmarks/results/excess.md, measured by {@code benchmarks/accuracy DATA 1000 excess},
 * and <i>the lines</i> those of its LAD in which errors are given; {@code benchmarks/accuracy DATA
 * 1000 coverage} has those of strata of the response (benchmarks/results/intervals.md).
 */
public final class Tuning {
  /**
   * The share of a coefficient's direction in which noise exceeds signal from which on its standard
   * error is not known.
   *
   * <p>Unit: a part of the square of the direction, in [0, 1]. Data: the six data sets. Chosen: by
   * hand. Figure: none is kept.
   */
  static final double UNKNOWN = 0.03;

  /**
   * Errors of this share of the coefficients must be known for any to be given.
   *
   * <p>Unit: none, in [0, 1]. Data: twelve lines in which less than half were known. Chosen: by
   * hand. Figure: intervals of 95 % held in 67 to 91 % in five of the twelve; they are withheld
   * now.
   */
  static final double ENOUGH_KNOWN = 0.6;

  /**
   * The size of the bias of coefficients over that of the model's mean error.
   *
   * <p>Unit: none, at least 0. Data: the lines, of strata of the response. Chosen: by hand, among
   * 1.35, 1.55 and 2.2, the largest that was seen. Figure: intervals of 95 % hold in 93 to 99 % of
   * most lines, and with 2.2 in nearly 100 %.
   */
  static final double BIAS = 1.55;

  /**
   * The part of the distance from least squares that strata of residuals may get wrong.
   *
   * <p>Unit: none, in [0, 1]. Data: absolute deviations of the six data sets without noise, where
   * it was 0.01 to 0.15, and 0.4 where half of all responses are one number. Chosen: the largest
   * but that. Figure: none is kept.
   */
  static final double APART = 0.15;

  /**
   * What a fit of strata of the response loses without noise, of the median, for {@link
   * #EXPLAINED_POWER}: rows of a stratum are not normal.
   *
   * <p>Unit: a relative excess, at least 0. Data: the six data sets with 5 to 32 strata, on whose
   * number it hardly depends. Chosen: by hand. Figure: the measured excess, in %, of the median,
   * the quantile 0.9 and Huber's loss was 0.02, 0.04 and 0.02 where features explain 0.05 of the
   * loss; 0.3, 1.2 and 0.3 at 0.44; 0.4, 1.5 and 0.3 at 0.6; 0.5 to 2, 4 to 12 and 1.3 to 2 at
   * 0.75.
   */
  static final double LOSS_OF_MEDIAN = 0.022;

  /**
   * What is added for the quantiles 0 and 1, and in proportion for those between.
   *
   * <p>Unit: a relative excess, at least 0. Data: the same. Chosen: by hand. Figure: as of {@link
   * #LOSS_OF_MEDIAN}.
   */
  static final double LOSS_OF_OUTER_QUANTILES = 0.072;

  /**
   * The same of Huber's loss.
   *
   * <p>Unit: a relative excess, at least 0. Data: the same. Chosen: by hand. Figure: as of {@link
   * #LOSS_OF_MEDIAN}.
   */
  static final double LOSS_OF_HUBER = 0.012;

  /**
   * The power of the explained share with which that loss grows. If features explain nothing, the
   * law of a stratum's rows does not matter.
   *
   * <p>Unit: none, above 0. Data: the same. Chosen: by hand. Figure: as of {@link #LOSS_OF_MEDIAN}.
   */
  static final double EXPLAINED_POWER = 2.5;

  /**
   * The floor of eigenvalues of covariances over the standard deviation of a diagonal entry's
   * noise.
   *
   * <p>Unit: none, at least 0. Data: the six data sets. Chosen: by hand, by the excess of LAD.
   * Figure: the tries are not kept.
   */
  static final double FLOOR = 0.3;

  /**
   * The largest standard error with which a variance of the stratified column is used.
   *
   * <p>Unit: {@code width^2 / 12}, above 0. Data: the six data sets. Chosen: by hand. Figure: none
   * is kept.
   */
  static final double WELL_KNOWN = 0.1;

  /**
   * The least eigenvalue of a covariance of a stratum of residuals.
   *
   * <p>Unit: that of the prior, above 0. Data: the six data sets. Chosen: by hand, as a guard.
   * Figure: none is kept; with one share for all entries, and not one for each, the excess of the
   * absolute error was 1.3 to 5 times as large.
   */
  static final double LEAST_COVARIANCE = 0.01;

  /**
   * The standard deviation of shares of the squared weight among strata that is assumed before the
   * release is read.
   *
   * <p>Unit: none, above 0. Data: the six data sets. Chosen: by hand. Figure: none is kept.
   */
  static final double PRIOR_OF_SHARES = 0.15;

  /**
   * The least of these shares. Smaller ones are noise.
   *
   * <p>Unit: none, in (0, 1]. Data: the six data sets. Chosen: by hand. Figure: none is kept.
   */
  static final double LEAST_SHARE = 0.1;

  /**
   * The width of a pile of values within a stratum over the width of the stratum.
   *
   * <p>Unit: none, in (0, 1). Data: the six data sets, 8 strata, no noise. Chosen: by hand. Figure:
   * with it the excess of the mean absolute error is at most 1.1 %, and 2.2 % with a normal law.
   */
  static final double PILE_WIDTH = 1.0 / 6.0;

  /**
   * The ridge of the first, pooled fit.
   *
   * <p>Unit: the size of its noise, at least 0. Data: the six data sets. Chosen: by hand. Figure:
   * none is kept.
   */
  static final double START_RIDGE = 0.3;

  /**
   * What is added to the variance of residuals, which makes the loss smooth.
   *
   * <p>Unit: the pooled variance, above 0. Data: the six data sets. Chosen: by hand. Figure: none
   * is kept.
   */
  static final double RESIDUAL_FLOOR = 1e-4;

  /**
   * With an expected cost below this part of what it gains, a fit is worth having, and no second
   * bootstrap asks.
   *
   * <p>Unit: none, in (0, 1]. Data: the six data sets, cut to 100 to 4,000 rows. Chosen: by hand.
   * Figure: LAD is at most 4.2 % above the best constant there
   * (benchmarks/results/little-signal.md).
   */
  static final double WORTH = 0.5;

  /**
   * The predicted excess below which a warning says that what strata leave out may be most of the
   * error.
   *
   * <p>Unit: a relative excess, above 0. Data: the six data sets. Chosen: by hand. Figure: none is
   * kept.
   */
  static final double SMALL_EXCESS = 0.05;

  /**
   * Smaller shares of responses are no pile: other laws of residuals look like them.
   *
   * <p>Unit: rows over rows, in (0, 1). Data: adult, whose hours are 40 in half of all rows, and 64
   * kinds of made-up rows. Chosen: by hand, with {@link #PILE_ASTRAY}. Figure: as of {@link
   * #PILE_ASTRAY}.
   */
  static final double LEAST_PILE = 0.25;

  /**
   * The distance of a pile from the best constant of the model; it is not known. With this guess
   * fits are drawn about as far as is best.
   *
   * <p>Unit: standard deviations of the fitted values, at least 0. Data: adult, and 64 kinds of
   * made-up rows with piles of 30 to 75 %. Chosen: by hand. Figure: the excess of LAD falls from
   * 4.5 to 1.9 % for adult; of the 64 kinds a pile is seen in 22, in which the median falls from
   * 2.9 to 2.2 %: it falls in 15, and rises in 7 (benchmarks/results/little-signal.md).
   */
  static final double PILE_ASTRAY = 0.3;

  /**
   * The part of what so much costs that is predicted.
   *
   * <p>Unit: none, in [0, 1]. Data: adult with 0.2 to 0.3, and made-up piles with 0 to 1. Chosen:
   * by hand, in place of 0.25 and 0.4. Figure: none is kept.
   */
  static final double PILE_LOST = 0.3;

  private Tuning() {}
}
