package io.gauze.regression.moments;

/**
 * The constants of fits of moments that were chosen on data. They decide predictions, intervals,
 * warnings and how far a fit is drawn to 0, and nothing that is released, but for {@link #REACH}.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The six data sets</i> are
 * those of benchmarks/results/excess.md, measured by {@code benchmarks/accuracy DATA 1000 excess},
 * and <i>skewed rows</i> those of benchmarks/results/skewed-rows.md, measured by {@code
 * benchmarks/accuracy DATA 200 skewed}.
 */
final class Tuning {
  /**
   * The share of the squared bound from which on a warning says that many rows were probably
   * shortened.
   *
   * <p>Unit: the mean squared norm over the squared bound, in (0, 1). Data: skewed columns, and the
   * six data sets. Chosen: by hand. Figure: where 19 % of the rows were shortened the share was
   * 0.77, a slope came out a fifth too small, and its interval missed.
   */
  static final double MANY_SHORTENED = 0.7;

  /**
   * What clipping costs where it clips many rows and features explain nothing, divided by how far
   * the logarithm of the least weight of a row is below 0. A release does not show it.
   *
   * <p>Unit: a relative excess, at least 0. Data: 36 fits of ten data sets. Chosen: by hand, with
   * {@link #CLIPPING_HALF} and {@link #CLIPPING_POWER}. Figure: it was right within a factor of 3
   * for 29 of the 36; in the 40 configs of excess.md in which it counts, the real cost was 0.01 to
   * 2.2 times this (benchmarks/results/intervals.md).
   */
  static final double CLIPPING_COST = 3e-4;

  /**
   * So many deviations beyond the mean of squared norms, clipping costs half of that.
   *
   * <p>Unit: deviations of the squared norms, above 0. Data: the same. Chosen: by hand. Figure: as
   * of {@link #CLIPPING_COST}.
   */
  static final double CLIPPING_HALF = 3.0;

  /**
   * The power of the distance between their mean and the bound with which that cost falls. Squared
   * norms have longer tails than a normal law.
   *
   * <p>Unit: none, above 0. Data: the same. Chosen: by hand. Figure: as of {@link #CLIPPING_COST}.
   */
  static final double CLIPPING_POWER = 4.0;

  /**
   * The part of what clipping costs that an interval allows for along one coefficient.
   *
   * <p>Unit: none, in [0, 1]. Data: the six data sets, where the largest part was 0.15 to 0.95,
   * most often 0.55, and that of most coefficients was far smaller. Chosen: by hand, in place of
   * 0.3. Figure: with a twelfth, intervals of earnings at epsilon 1 would still hold in 99.4 %, of
   * california at 5 in 86 and of flights in 89 % (benchmarks/results/intervals.md).
   */
  static final double CLIPPING_ALONG = 0.25;

  /**
   * What clipping costs a fit of squares of a skewed response, in costs of another one.
   *
   * <p>Unit: none, at least 1. Data: skewed rows. Chosen: by hand. Figure: without it, the excess
   * was 0.5 to 100 times the predicted one, with a median of 4, and of costs 5 to 26 times, whose
   * intervals held in 53 to 66 %; with it these hold in 83 to 95 %. Of 18 lines it is still not too
   * high in 12 (costs, visits, homes, repairs), and 2.5 to 14 times too high in 6 (prices, losses).
   */
  static final double SKEW_COST = 8.0;

  /**
   * The distance of the nearer end of a response's range from its mean below which it is skewed, if
   * the other end is beyond {@link #SKEW_FAR}.
   *
   * <p>Unit: standard deviations of the response, above 0. Data: skewed rows and the six data sets.
   * Chosen: by hand, between them. Figure: all releases of costs, prices, losses, visits, homes and
   * repairs are skewed so, but 9 of 200 of repairs at epsilon 0.1, and none of the six data sets.
   */
  static final double SKEW_NEAR = 2.25;

  /**
   * The distance of the farther end above which a response is skewed.
   *
   * <p>Unit: standard deviations of the response, above 0. Data: the same. Chosen: by hand. Figure:
   * as of {@link #SKEW_NEAR}.
   */
  static final double SKEW_FAR = 7.0;

  /**
   * The share of an upper bound of what a ridge leaves out that is expected.
   *
   * <p>Unit: none, in [0, 1]. Data: the six data sets. Chosen: by hand, in place of 0.25. Figure: a
   * third made intervals of 95 % from estimates and standard errors hold in 93 to 100 % of nearly
   * all lines.
   */
  static final double EXPECTED_OF_BOUND = 0.35;

  /**
   * A coefficient whose bound is the residual's and so many times its other error is unknown.
   *
   * <p>Unit: none, above 0. Data: the six data sets. Chosen: by hand. Figure: none is kept.
   */
  static final double UNDETERMINED = 10.0;

  /**
   * Noise is a large part of an eigenvalue up to so many times the edge of its spectrum.
   *
   * <p>Unit: edges of the noise, at least 1. Data: the six data sets. Chosen: by hand, in place of
   * 2. Figure: none is kept.
   */
  static final double NEAR_EDGE = 3.0;

  /**
   * The share of weak directions up to which the formulas of the error hold for the others.
   *
   * <p>Unit: directions over features, in [0, 1]. Data: the six data sets. Chosen: among some ten
   * rules, by the number of lines whose real excess is within a factor of 2 of the prediction.
   * Figure: 52 of 53 lines, where the others had 44 to 50; of 54 data sets that nobody had looked
   * at, 39 (benchmarks/results/predictions.md).
   */
  static final double FEW_WEAK = 0.25;

  /**
   * A penalty that takes hardly anything away.
   *
   * <p>Unit: the size of the noise, at least 0. Data: the six data sets. Chosen: by hand. Figure:
   * none is kept.
   */
  static final double SMALL_RIDGE = 0.1;

  /**
   * Features are named in a warning whose square in a direction is this share of the largest one.
   *
   * <p>Unit: none, in (0, 1]. Data: wine and diamonds. Chosen: by hand. Figure: none is kept.
   */
  static final double MOSTLY = 0.25;

  /**
   * The floor of the eigenvalues of the moments that the bootstrap of lambda takes for the truth.
   * With 0 the truth would be nearly singular wherever noise covers the signal, and lambda far too
   * small.
   *
   * <p>Unit: the size of the noise, at least 0. Data: the six data sets. Chosen: by hand, by the
   * excess of ridge, in place of 0.5. Figure: the excess before is not kept; over pure noise a fit
   * is at most 2.7 % above the best constant (benchmarks/results/little-signal.md).
   */
  static final double TRUTH_FLOOR = 0.4;

  /**
   * Eigenvalues count in the drift of scores as at least so many deviations of the noise, and what
   * is hidden as estimated with so many.
   *
   * <p>Unit: standard deviations of the noise, at least 0. Data: two features from equal to far
   * apart, a single one, eleven directions of the size of the noise, and directions whose sizes
   * differ by a factor of 200 million. Chosen: by hand, as two standard errors. Figure: tests in
   * the build assert that at most 7 % of the intervals of 95 % are wrong there.
   */
  static final double SCORE_DEVIATIONS = 2.0;

  /**
   * The half of the interval of a residual that is cut into strata, in the public model between the
   * stages of {@code residual-strata}: a change is another stream.
   *
   * <p>Unit: standard deviations of the residual, above 0. Data: the six data sets. Chosen: by
   * hand, by the excess of LAD. Figure: the tries are not kept.
   */
  static final double REACH = 3.0;

  private Tuning() {}
}
