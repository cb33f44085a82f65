package io.gauze.mechanism.descent;

/**
 * The constants of {@code descent} that were chosen on data. They decide the budget's shares, and
 * so what is released: a change of one is another stream.
 *
 * <p><i>The pool</i> is four data sets (house prices, films, doctor visits, colleges) under configs
 * with nothing but ranges, and with typical values, epsilon 0.1, 1 and 5. Figures of a choice come
 * from a prototype in another language, medians of 31 to 41 releases.
 */
final class Tuning {
  /**
   * The share of mu^2 of the moments of encoded rows.
   *
   * <p>Unit: none, in (0, 1). Data: the pool. Chosen: by hand, among 0.06, 0.1, 0.12, 0.14 and 0.2.
   * Figure: they differ by less than a tenth.
   */
  static final double FIRST = 0.1;

  /**
   * The share of mu^2 of the moments of the second round, if there is one.
   *
   * <p>Unit: none, in (0, 1). Data: the pool. Chosen: by hand, among 0.08, 0.12, 0.15 and 0.25.
   * Figure: they differ by less than a tenth, but 0.25 is worse on all four.
   */
  static final double SECOND = 0.12;

  /**
   * The share of mu^2 of each counting: of norms, if there is a second round, and of gradients.
   *
   * <p>Unit: none, in (0, 1). Data: none; it is that of two-stage-moments. Chosen: by hand. Figure:
   * none is kept.
   */
  static final double COUNTS = 0.02;

  /**
   * The number of steps. All have the same noise.
   *
   * <p>Unit: steps, at least 1. Data: the pool. Chosen: by hand, among 5, 6, 8, 10, 12 and 16.
   * Figure: houses 7.9, 13 and 8 % at epsilon 1 with 8, 6 and 10; films 1.05, 1.26 and 1.42 % with
   * 8, 6 and 10.
   */
  static final int STEPS = 8;

  /**
   * The first steps, which have no part in the mean that is released.
   *
   * <p>Unit: steps, in [0, {@link #STEPS}). Data: the pool. Chosen: by hand, among 0, 1 and 2.
   * Figure: films 1.31 and 1.44 % at epsilon 1 with the last two, visits 2.43 and 2.70 %.
   */
  static final int UNUSED = 1;

  /**
   * The length of a step, in that of Newton's for white rows.
   *
   * <p>Unit: none, in (0, 2). Data: the pool. Chosen: by hand, among 0.5, 0.7, 0.8 and 1. Figure:
   * films 1.37 and 1.31 % at epsilon 1 with the first two, visits 2.54 and 2.43 %.
   */
  static final double LENGTH = 0.7;

  /**
   * The share of the squared norm of what is cut off gradients by which it moves fits: 1 if all of
   * it pulled one way, 0 if none did.
   *
   * <p>Unit: none, in [0, 1]. Data: the pool. Chosen: by hand, among 0.03, 0.1, 0.15, 0.2, 0.3 and
   * 1; between two of these. Figure: films 1.31, 1.27 and 1.35 % at epsilon 1 with 0.1, 0.15 and
   * 0.2, visits 2.43, 2.84 and 3.08 %, colleges 0.31, 0.40 and 0.38 %.
   */
  static final double PULL = 0.12;

  /**
   * The least threshold of a loss that is not squared: where its slope ends to grow.
   *
   * <p>Unit: half the distance of the quartiles of the first model's residuals, above 0. Data: the
   * pool, and vocab, smokeban, wine and california. Chosen: by hand, among 0.35, 0.5, 0.7, 1, 1.5
   * and 2.5. Figure: geometric means of the excess of medians are 0.49 and 0.58 % at epsilon 1 with
   * the first two, and of the quantile 0.9 2.2 and 2.5 %.
   */
  static final double LEAST_THRESHOLD = 0.35;

  /**
   * The least curvature of a loss that is believed, so that steps stay short where noise takes the
   * counts of residuals near a quantile for empty.
   *
   * <p>Unit: that of normal residuals with the same quartiles, in (0, 1). Data: the pool, and
   * vocab, smokeban, wine and california. Chosen: by hand; more would slow descents down where
   * residuals are few near the quantile. Figure: the quantile 0.9 of films at epsilon 1 has 34 %
   * without it.
   */
  static final double LEAST_CURVED = 0.5;

  private Tuning() {}
}
