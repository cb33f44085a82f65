package io.gauze.mechanism.twostage;

/**
 * The constants of {@code two-stage-moments} that were chosen on data. They decide the budget's
 * shares, and so what is released: a change of one is another stream.
 *
 * <p><i>The pool</i> is six data sets (house prices, films, doctor visits, colleges, vocabulary,
 * smoking bans) under configs with nothing but ranges, and with typical values, epsilon 1 and 5.
 * Figures of a choice come from a prototype in another language, medians of 7 to 61 releases.
 */
final class Tuning {
  /**
   * The share of mu^2 of the moments from which the first transform is made.
   *
   * <p>Unit: none, in (0, 1). Data: the pool. Chosen: by hand, among 0.1, 0.15 and 0.2 with two
   * rounds, and 0.25 with one. Figure: two rounds differ by less than a tenth; with one round
   * houses have 29 % in place of 21 % at epsilon 1, and 5.8 % in place of 1.65 % at 5 (9 releases).
   */
  static final double FIRST = 0.1;

  /**
   * The share of mu^2 of the moments from which the second transform is made, if there is one.
   *
   * <p>Unit: none, in (0, 1). Data: the pool. Chosen: by hand, among 0.2, 0.25, 0.3 and 0.4.
   * Figure: they differ by less than a tenth, but colleges, 0.29 and 0.33 % with 0.3 and 0.4.
   */
  static final double SECOND = 0.3;

  /**
   * The share of mu^2 of the counts of norms before each bound that is chosen from them.
   *
   * <p>Unit: none, in (0, 1). Data: the pool. Chosen: by hand, beside 0.01. Figure: both are equal.
   */
  static final double NORMS = 0.02;

  /**
   * The most rounds of the first stage.
   *
   * <p>Unit: rounds, at least 1. Data: the pool. Chosen: by hand, among 1, 2 and 3 (shares 0.05,
   * 0.12 and 0.25). Figure: as of {@link #FIRST}; three rounds are better on two sets and worse on
   * two.
   */
  static final int ROUNDS = 2;

  /**
   * How many times the noise's floor may make the mean direction of the rows seem wider, before
   * another round is worth its share: without it the last moments have 1.6 times the share.
   *
   * <p>Unit: none, at least 1. Data: none. Chosen: by hand, about that ratio of shares. Figure:
   * with half of the floor of today, vocabulary and smoking bans had one round at epsilon 1, and
   * the other sets mostly two.
   */
  static final double ENOUGH = 1.5;

  /**
   * The weight of the response's residual in a row, over the number of features. With known
   * features and no row shortened, the noise of products with the residual would be least at 1.
   *
   * <p>Unit: none, in (0, 1]. Data: the pool. Chosen: by hand, among 0, 0.25, 0.5 and 1. Figure:
   * houses 28, 30 and 32 % at 0.25, 0 and 0.5; colleges 0.29, 0.44 and 0.32 %; visits 2.85, 2.4 and
   * 3.6 %.
   */
  static final double RESIDUAL_WEIGHT = 0.25;

  /**
   * Counts below so many standard deviations of their noise say nothing of the rows' norms.
   *
   * <p>Unit: standard deviations, above 0. Data: none. Chosen: by hand. Figure: none is kept.
   */
  static final double CLEAR_COUNT = 2.5;

  /**
   * A count, or a sum of neighbouring ones, above so many standard deviations of its noise is one
   * of rows, wherever it is: of 30 cells without rows, at most one in 2,000 releases has one.
   *
   * <p>Unit: standard deviations, above {@link #CLEAR_COUNT}. Data: none, it is a quantile of the
   * normal law. Chosen: by hand. Figure: none is kept.
   */
  static final double SURE_COUNT = 4.5;

  /**
   * What shortening costs beyond what it would if what rows lose had random signs: as if there were
   * one row in so many.
   *
   * <p>Unit: none, in (0, 1). Data: the pool, and made-up rows with heavy columns. Chosen: by hand,
   * among 0.01, 0.02, 0.04, 0.06 and 0.08. Figure: geometric means over all sets, six of which did
   * not choose it, differ by less than a twentieth; smoking bans have 3.9, 2.6 and 1.8 % at epsilon
   * 0.1 with 0.02, 0.04 and 0.08, and repairs 6.3, 5.5 and 5.6 % at 1 (41 to 200 releases).
   * Shortening moved fits of the pool by 0.05 to 1.7 times what 0.02 predicts, and made-up rows of
   * a bent relation by up to 25 times.
   */
  static final double ALIGNED = 0.04;

  /**
   * The share of mu^2 of the strata of {@code residual-strata}. The moments of all rows have the
   * rest, as {@code two-stage-moments} would.
   *
   * <p>Unit: none, in (0, 1). Data: houses, films, visits and colleges of the pool, ranges alone.
   * Chosen: by hand, among 0.3, 0.4 and 0.5. Figure: LAD at epsilon 5 has 6.4, 3.6 and 4.0 %, 1.9,
   * 1.2 and 1.6 %, 1.1, 0.95 and 1.2 %, and 0.68, 0.46 and 0.56 % of excess (21 releases).
   */
  static final double STRATA = 0.4;

  /**
   * The half of the interval of a residual that is cut into strata.
   *
   * <p>Unit: standard deviations of the residual, above 0. Data: as of {@link #STRATA}. Chosen: by
   * hand, among 1.3, 2, 2.5 and 3. Figure: LAD at epsilon 5 has 4.2, 4.3, 5.0 and 3.2 %, 2.7, 2.1,
   * 3.0 and 1.9 %, 1.1, 1.3, 1.1 and 1.2 %, and 0.50, 0.34, 0.54 and 0.82 % of excess (21 releases,
   * other shares).
   */
  static final double REACH = 2.5;

  /**
   * The rows, over the size of the noise of a stratum, from which there are 8 strata in place of 4.
   *
   * <p>Unit: rows over rows, above 0. Data: colleges, vocabulary and smoking bans of the pool,
   * ranges alone, epsilon 5, where they are 580, 6,500 and 1,400. Chosen: by hand. Figure: LAD with
   * 4 and 8 strata has 0.54 and 0.62, 0.12 and 0.024, and 7.4 and 5.0 % of excess (11 releases).
   */
  static final double EIGHT_STRATA = 1_000.0;

  /**
   * The rows, over the size of the noise of a stratum, from which there are 16 strata.
   *
   * <p>Unit: rows over rows, above 0. Data: the six data sets of benchmarks/results/excess.md, with
   * strata of encoded rows. Chosen: by hand, by the excess of LAD. Figure: the tries are not kept.
   */
  static final double SIXTEEN_STRATA = 20_000.0;

  private Tuning() {}
}
