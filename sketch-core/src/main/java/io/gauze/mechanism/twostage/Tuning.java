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
   * among 0.005, 0.02 and 0.05. Figure: films 1.79 and 1.42 % at epsilon 1 with the first two (15
   * releases). Shortening moved fits of the pool by 0.05 to 1.7 times what this predicts, and
   * made-up rows of a bent relation by up to 25 times.
   */
  static final double ALIGNED = 0.02;

  private Tuning() {}
}
