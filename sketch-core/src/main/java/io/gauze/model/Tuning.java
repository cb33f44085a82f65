package io.gauze.model;

import java.util.List;

/**
 * The constants of models and of the filters that keep them up to date that were chosen on data.
 * Those that divide a budget decide what is released, and the others which model is made of what
 * was released: a change of one is another stream.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The streams</i> are those
 * of benchmarks/results/tracks.md, which {@code benchmarks/accuracy DATA 20 tracks} makes, or the
 * same of a prototype in another language. With these constants 15 of 18 figures are below the
 * prototype's, and all within a factor of 1.3 of them.
 */
final class Tuning {
  /**
   * The part of epsilon that the determinant of a perturbed objective has, by default.
   *
   * <p>Unit: none, in [0.01, 0.9]. Data: wine, california, diamonds and flights of a prototype in
   * another language. Chosen: by hand. Figure: none is kept; shares of 0.25 and 0.2 were better
   * where the threshold is large for the rows, and are planned there.
   */
  static final double DETERMINANT_SHARE = 0.3;

  /**
   * The part of epsilon that hides what the solver is off by.
   *
   * <p>Unit: none, in (0, 1). Data: none. Chosen: by hand; the solver works to 30 bits, so that a
   * hundredth hides it. Figure: none is kept.
   */
  static final double SOLVER_SHARE = 0.01;

  /**
   * The part of epsilon that the number of rows has, in models that are kept up to date.
   *
   * <p>Unit: none, in (0, 1). Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double COUNT_SHARE = 0.05;

  /**
   * The ridge of reweighted fits over the deviation of their noise times the root of the number of
   * features.
   *
   * <p>Unit: none, above 0. Data: the rows of benchmarks/results/papers/003-figure-1-1.md of a
   * prototype in another language. Chosen: by hand. Figure: none is kept.
   */
  static final double IRLS_RIDGE = 0.5;

  /**
   * What is taken of a number of rows that does not stand out from its noise.
   *
   * <p>Unit: none, in (0, 1]. Data: the streams of wild sizes. Chosen: by hand. Figure: none is
   * kept.
   */
  static final double OF_INSIGNIFICANT = 0.25;

  /**
   * The share of the rows whose loss is curved at the minimum.
   *
   * <p>Unit: none, in (0, 1]. Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double CURVED = 0.75;

  /**
   * The mean square of a score over the square of the threshold.
   *
   * <p>Unit: none, in (0, 1]. Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double SCORES = 0.3;

  /**
   * Deviations of the noise that the ridge is at least: directions without rows stay put.
   *
   * <p>Unit: deviations of the gradient's noise, at least 0. Data: the streams, and diamonds in 10
   * epochs at epsilon 5, of a prototype. Chosen: by hand, 0 or 5. Figure: diamonds come from 147 to
   * 22 % of excess; that of the streams becomes 0.6 to 1.9 times as large.
   */
  static final double GUARD = 5.0;

  /**
   * What the variance of a coefficient is taken to grow by in the first epoch.
   *
   * <p>Unit: the encoded scale squared, an epoch, in [1e-8, 1e-2]. Data: the streams. Chosen: by
   * hand. Figure: none is kept.
   */
  static final double FIRST_DRIFT = 1e-6;

  /**
   * How often a squared step is what was expected of it before the past is forgotten.
   *
   * <p>Unit: none, at least 1. Data: the streams. Chosen: by hand. Figure: at epsilon 1 the excess
   * 5 epochs after a change is 0.0683 %, and that of a stream that stays 0.0456 %. Of 8,000 epochs
   * with hardly any rows, 122 are taken for a change by chance.
   */
  static final double SURPRISE = 3.0;

  /**
   * How fast the drift follows the steps: the change of its logarithm in an epoch, for each time
   * that a squared step is more than expected.
   *
   * <p>Unit: none, at least 0. Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double LEARNING = 0.15;

  /**
   * The share of the noise's largest eigenvalue that an eigenvalue of the sums must exceed.
   *
   * <p>Unit: none, above 0. Data: the streams of a prototype. Chosen: by hand, against floors of
   * eigenvalues. Figure: with floors, small epochs at epsilon 0.1 go astray to an excess of 1,000
   * %.
   */
  static final double DROWNED = 0.2;

  /**
   * The longest step of a model in an epoch.
   *
   * <p>Unit: the encoded scale, above 0. Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double LARGEST_STEP = 1.0;

  /**
   * What the score of a memory falls by in an epoch.
   *
   * <p>Unit: none, in [0, 1). Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double OLD_SCORES = 0.8;

  /**
   * What the weight of an epoch falls by with each later one, in each of the memories.
   *
   * <p>Unit: none, in (0, 1). Data: the streams. Chosen: by hand. Figure: at epsilon 1 a single
   * memory of 0.8, 0.9 or 0.98 had 1.4, 4.4 and 9.6 % in a prototype where the model turns, and
   * memories to choose from 0.33 %.
   */
  static final List<Double> KEPT = List.of(0.3, 0.6, 0.8, 0.9, 0.95, 0.98);

  /**
   * With fewer epochs the longest memory is used.
   *
   * <p>Unit: epochs, at least 0. Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final int SCORED = 6;

  /**
   * The epochs that a prediction takes to be remembered.
   *
   * <p>Unit: epochs, at least 1. Data: the streams. Chosen: by hand. Figure: none is kept.
   */
  static final double REMEMBERED = 20.0;

  /**
   * The part of mu^2 of the statistics of an epoch that counts of residuals have.
   *
   * <p>Unit: none, in (0, 1); the three parts add up to 1. Data: the streams of a prototype.
   * Chosen: by hand. Figure: none is kept.
   */
  static final double COUNTS = 0.03;

  /**
   * The part of the gradient.
   *
   * <p>Unit: none, in (0, 1). Data: the streams of a prototype. Chosen: by hand. Figure: none is
   * kept.
   */
  static final double GRADIENT = 0.6;

  /**
   * The part of the Hessian.
   *
   * <p>Unit: none, in (0, 1). Data: the streams of a prototype. Chosen: by hand. Figure: none is
   * kept.
   */
  static final double HESSIAN = 0.37;

  private Tuning() {}
}
