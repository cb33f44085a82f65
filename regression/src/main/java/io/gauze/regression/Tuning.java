package io.gauze.regression;

/**
 * The constants of this package that were chosen on data. They decide predictions, verdicts and
 * warnings, and nothing that is released.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The six data sets</i> are
 * those of benchmarks/results/excess.md. How good predictions and verdicts are on data that nobody
 * had looked at stands in benchmarks/results/predictions.md.
 */
public final class Tuning {
  /**
   * The share of the response's variance that features explain if nobody says.
   *
   * <p>Unit: none, in (0, 1). Data: the six data sets. Chosen: by hand. Figure: the excess of ridge
   * that {@code advise} predicts with it is within a factor of 2 of the real one in a quarter of
   * the lines, of 4 in half and of 8 in two thirds.
   */
  static final double EXPLAINED = 0.5;

  /**
   * The smallest mean square of a principal component of the features over the largest.
   *
   * <p>Unit: none, in (0, 1]. Data: diamonds with 0.0002, flights with 0.0002 to 0.0005, wine with
   * 0.0015 to 0.0026 and california with 0.01 to 0.014. Chosen: by hand, near the least of them.
   * Figure: as of {@link #EXPLAINED}.
   */
  static final double DECAY = 3e-4;

  /**
   * The part of a column's mean square that varies: means are off the typical values, and ranges
   * are wide.
   *
   * <p>Unit: none, in (0, 1]. Data: the six data sets. Chosen: by hand. Figure: as of {@link
   * #EXPLAINED}.
   */
  static final double VARIANCE = 0.5;

  /**
   * What least squares cost where the mean absolute error counts.
   *
   * <p>Unit: a relative excess, at least 0. Data: seven reference data sets, whose residuals have
   * ever longer tails. Chosen: the median of them, by hand. Figure: it was 0.43, 1.1, 1.4, 2.3,
   * 6.7, 7.5 and 15 %.
   */
  static final double SQUARES_FOR_LAD = 0.023;

  /**
   * What a fit of few strata loses without noise.
   *
   * <p>Unit: a relative excess, at least 0. Data: seven reference data sets, 4 strata. Chosen: half
   * of the largest, by hand. Figure: the largest was 4.3 %.
   */
  static final double FEW_STRATA = 0.02;

  /**
   * What a fit of many strata loses without noise.
   *
   * <p>Unit: a relative excess, at least 0. Data: seven reference data sets, 8 strata and more.
   * Chosen: half of the largest, by hand. Figure: the largest was 1.1 %.
   */
  static final double MANY_STRATA = 0.005;

  /**
   * The number of strata from which on they are many.
   *
   * <p>Unit: strata, at least 1. Data: seven reference data sets. Chosen: by hand. Figure: as of
   * {@link #MANY_STRATA}.
   */
  static final int MANY = 8;

  /**
   * The predicted excess of a model below which a warning says that clipping can be most of the
   * error.
   *
   * <p>Unit: a relative excess, at least 0. Data: the six data sets. Chosen: by hand. Figure: where
   * the prediction is below a thousandth, what the row bound does can be most of the error.
   */
  static final double DOUBTFUL_CLIPPING = 9e-4;

  /**
   * The predicted excess below which a fit is good.
   *
   * <p>Unit: a relative excess, above 0. Data: made-up data that nobody had looked at measure it.
   * Chosen: by hand, as what a reader takes for good; docs/accuracy.md promises it. Figure: of
   * 1,476 fits that were called good, 43 had an excess above 10 % or less than 40 % of the gain.
   */
  static final double GOOD_EXCESS = 0.05;

  /**
   * The gain that a good fit keeps.
   *
   * <p>Unit: none, in [0, 1]. Data: the same. Chosen: by hand, as {@link #GOOD_EXCESS}. Figure: as
   * of {@link #GOOD_EXCESS}.
   */
  static final double GOOD_GAIN = 0.5;

  /**
   * The gain below which a fit is useless.
   *
   * <p>Unit: none, in [0, 1]. Data: the same. Chosen: by hand. Figure: one of 27 that were called
   * useless had more than half of the gain.
   */
  static final double LEAST_GAIN = 0.1;

  /**
   * An end of a range that is so near 0 is taken for a limit that nothing exceeds.
   *
   * <p>Unit: the width of the range, in [0, 1). Data: the six data sets. Chosen: by hand: amounts
   * and counts end at 0, and many of them are 0. Figure: none is kept.
   */
  static final double NEAR_ZERO = 0.05;

  private Tuning() {}
}
