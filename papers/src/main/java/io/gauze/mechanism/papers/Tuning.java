package io.gauze.mechanism.papers;

/**
 * The constants of the papers' mechanisms that were chosen here, and not by the papers. Those that
 * divide a budget or count steps decide what is released: a change of one is another stream.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md.
 */
public final class Tuning {
  /**
   * The part of mu^2 that the bound on the curvature has, of hard thresholding.
   *
   * <p>Unit: none, in (0, 1). Data: the sparse rows of
   * benchmarks/results/papers/004-hard-thresholding.md. Chosen: by hand, by benchmarks/papers DATA
   * OUT. Figure: none is kept.
   */
  static final double CURVATURE = 0.04;

  /**
   * The part of what the curvature leaves that draws of columns have.
   *
   * <p>Unit: none, in (0, 1). Data: the same rows. Chosen: by hand. Figure: none is kept.
   */
  static final double DRAWS = 0.5;

  /**
   * How many standard deviations of its noise are added to the curvature: steps are then hardly
   * ever too long.
   *
   * <p>Unit: standard deviations, at least 0. Data: the same rows. Chosen: by hand. Figure: none is
   * kept.
   */
  static final double CURVATURE_MARGIN = 2.0;

  /**
   * Planned steps of hard thresholding for each power of ten of {@code n mu}: a step leaves about a
   * third of the error where columns do not depend on each other.
   *
   * <p>Unit: steps, above 0. Data: the same rows. Chosen: by hand, after {@code 1 / log10 3 = 2.1}.
   * Figure: none is kept.
   */
  static final double THRESHOLDING_STEPS = 2.0;

  /**
   * Planned steps of Frank and Wolfe's method over the root of {@code n mu}: more steps come nearer
   * to the minimum, and share the budget.
   *
   * <p>Unit: steps, above 0. Data: the sparse rows of benchmarks/results/papers/004-frank-wolfe.md.
   * Chosen: by hand, by benchmarks/papers DATA OUT. Figure: none is kept; a prototype in another
   * language was left with 5 % of excess by 30 steps, and with 0.6 % by 100.
   */
  static final double FRANK_WOLFE_STEPS = 0.2;

  /**
   * The part of epsilon and of delta that the tests of {@code jl-unregularised} spend.
   *
   * <p>Unit: none, in (0, 1). Data: none is kept. Chosen: by hand. Figure: none is kept.
   */
  static final double TEST = 0.25;

  /**
   * The residual of a good fit that is assumed where a warning compares the noise of a bucket of a
   * multilevel sketch with its residuals.
   *
   * <p>Unit: the encoded scale, above 0. Data: none is kept. Chosen: by hand. Figure: none is kept.
   */
  static final double RESIDUAL = 0.1;

  /**
   * The noise of a bucket, as a part of its residuals, up to which no warning is given.
   *
   * <p>Unit: none, above 0. Data: house values, 2,000 buckets. Chosen: by hand. Figure: the excess
   * is 1.8 % without noise, 9 % at epsilon 50 and 60 % at 10.
   */
  static final double QUIET = 0.25;

  /**
   * The number of rows in a bucket above which a warning says that gross outliers are averaged in.
   *
   * <p>Unit: rows, above 0. Data: none is kept. Chosen: by hand. Figure: none is kept.
   */
  static final double ROBUST_ROWS = 100.0;

  private Tuning() {}
}
