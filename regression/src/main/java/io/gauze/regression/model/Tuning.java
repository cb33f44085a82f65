package io.gauze.regression.model;

/**
 * The constants of predictions for models that were chosen on data.
 *
 * <p>All were chosen on wine, california, flights and diamonds, by the two columns <i>excess</i>
 * and <i>predicted</i> of {@code benchmarks/accuracy DATA 20 models}, DATA the folder of the
 * reference data. On 38 cases that nobody had looked at, the real excess is within a factor of 2 of
 * the prediction in 34 %, of 4 in 66 %, and between the two figures in 74 %; on the reference data
 * it is in 40, 72 and 93 %, and with an older rule in 28 and 47 %
 * (benchmarks/results/predictions.md).
 */
public final class Tuning {
  /**
   * What Huber's loss costs where the median is wanted, over the square of its threshold in nominal
   * deviations of residuals.
   *
   * <p>Unit: a relative excess, at least 0. Data: 0.002 for wine, 0.01 for california, 0.015 for
   * flights and 0.11 for diamonds. Chosen: by hand, among these. Figure: that of the class.
   */
  static final double ROUND = 0.015;

  /**
   * The same at most, for the larger figure of the warning.
   *
   * <p>Unit: a relative excess, at least 0. Data: those of {@link #ROUND}. Chosen: the largest of
   * them. Figure: that of the class.
   */
  static final double MOST_ROUND = 0.11;

  /**
   * What least squares cost at most where the median is wanted.
   *
   * <p>Unit: a relative excess, at least 0. Data: seven reference data sets. Chosen: the largest of
   * them. Figure: it was 0.43 to 15 %.
   */
  static final double MOST_SQUARES = 0.15;

  /**
   * What it costs that long rows weigh less.
   *
   * <p>Unit: a relative excess, at least 0. Data: those of {@link #ROUND}, without noise. Chosen:
   * their geometric mean. Figure: it was 0.0035 to 0.21 %; where rows are normal and columns do not
   * depend on each other, predictions are too high by a factor of 5 to 4,000.
   */
  static final double LONG_ROWS = 5e-4;

  /**
   * The same at most.
   *
   * <p>Unit: a relative excess, at least 0. Data: those of {@link #LONG_ROWS}. Chosen: the largest
   * of them. Figure: that of the class.
   */
  static final double MOST_LONG_ROWS = 2e-3;

  /**
   * The variance of residuals, at least, over the one that a public spread implies.
   *
   * <p>Unit: none, in (0, 1]. Data: those of {@link #ROUND}. Chosen: by hand. Figure: that of the
   * class; where features explain nearly all, as of carats by the size of a diamond, the excess is
   * 15 times the prediction and more.
   */
  static final double LEAST_RESIDUAL = 0.25;

  private Tuning() {}
}
