package io.gauze.mechanism.model;

/**
 * The constants of planned models that were chosen on data. Thresholds, bounds and shares that are
 * planned by them are part of a stream: a change of one is another stream.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. The measured figures are
 * those of benchmarks/results/models.md. Tables that the program no longer prints are named as they
 * were.
 */
public final class Tuning {
  /**
   * The square of the feature bound over the mean square of a row's features: 0.7 of the norm of
   * features that are uniform on their ranges. Long rows weigh less, which costs less than wider
   * noise.
   *
   * <p>Unit: none, above 0. Data: wine, california, diamonds and flights. Chosen: by hand, with a
   * prototype in another language. Figure: none is kept; a bound on whole rows in its place has
   * 0.54 and 14.2 % for diamonds (RMSE, MAE, threshold 0.2) where this one has 0.90 and 11.4 %.
   */
  static final double FEATURE_BOUND = 0.65;

  /**
   * The bound for labels over that for responses. The weight of a long row makes its features
   * shorter, and not its label, so that few rows may be long.
   *
   * <p>Unit: none, above 0. Data: incomes of adult. Chosen: by hand, by the excess of logistic
   * models. Figure: none is kept; with it the excess is 6.8, 3.5 and 0.38 % at epsilon 0.1, 1 and 5
   * (benchmarks/results/predictions.md).
   */
  static final double LABELLED = 1.4;

  /**
   * The largest threshold that is planned.
   *
   * <p>Unit: root mean squares of the response, above 0. Data: wine, california, diamonds and
   * flights. Chosen: by hand, by benchmarks/accuracy DATA 20 huber-models. Figure: none is kept;
   * planned models have 0.2 to 2.1 times the mean absolute error over the best one that a prototype
   * had over its thresholds.
   */
  static final double LARGEST_PLANNED = 0.2;

  /**
   * The deviation of residuals, if nothing is known of them.
   *
   * <p>Unit: root mean squares of the response, in (0, 1). Data: the six data sets of models.md.
   * Chosen: by hand, by benchmarks/accuracy DATA 20 models. Figure: none is kept.
   */
  static final double RESIDUAL = 0.5;

  /**
   * What a round loss costs where that of the median has its bend, over the square of the threshold
   * in deviations of the residual.
   *
   * <p>Unit: a relative excess, above 0. Data: wine, california, flights and diamonds, where it was
   * 0.002, 0.01, 0.015 and 0.11. Chosen: by hand, above most of these, since a large cost is worse
   * to have. Figure: see {@link #LARGEST_PLANNED}.
   */
  static final double ROUND = 0.04;

  /**
   * The smallest mean square of a principal component of the features over the largest, for
   * features that depend on each other much. Predictions have a number of their own for it, which
   * may change while this one, on which planned thresholds depend, does not.
   *
   * <p>Unit: none, in (0, 1]. Data: diamonds with 0.0002, flights with 0.0002 to 0.0005, wine with
   * 0.0015 to 0.0026 and california with 0.01 to 0.014. Chosen: by hand, near the least of them.
   * Figure: none is kept.
   */
  static final double DECAY = 3e-4;

  /**
   * Shares of the determinant below the default among which one is planned. A smaller share means a
   * larger ridge, and less noise.
   *
   * <p>Unit: parts of epsilon, in [0.01, 0.9]. Data: the six data sets. Chosen: by hand, by
   * benchmarks/accuracy DATA 20 models. Figure: see {@link #PULL_OF_SHARES}.
   */
  static final Double[] SHARES = {0.25, 0.2};

  /**
   * What a ridge costs over what it costs where all principal components explain equally much, when
   * a share is planned.
   *
   * <p>Unit: none, above 0. Data: the six data sets. Chosen: by hand, so that the planned share is
   * the one that was measured to be best. Figure: shares of 0.2 are taken for thresholds that are
   * large for the rows (wine, threshold 0.2, epsilon up to 0.5), and 0.3 for nearly all others, as
   * measured.
   */
  static final double PULL_OF_SHARES = 0.2;

  /**
   * The part of a feature's mean square that varies: means are off the typical values, and ranges
   * are wide.
   *
   * <p>Unit: none, in (0, 1]. Data: the six data sets. Chosen: by hand. Figure: none is kept.
   */
  static final double VARIANCE = 0.5;

  /**
   * The curvature of the rows of an epoch over the noise of its Hessian below which a warning says
   * that epochs are too small.
   *
   * <p>Unit: none, above 0. Data: the streams of benchmarks/results/tracks.md. Chosen: by hand.
   * Figure: none is kept.
   */
  static final double LEAST_SIGNAL = 0.5;

  /**
   * After so many epochs a prediction takes a model that is kept up to date to have settled.
   *
   * <p>Unit: epochs, at least 1. Data: the streams of benchmarks/results/tracks.md. Chosen: by
   * hand. Figure: none is kept; ten epochs after a change the excess is 0.0567 %, where it is
   * 0.0456 % on average over a stream that stays (epsilon 1).
   */
  static final int SETTLED = 20;

  private Tuning() {}
}
