package io.gauze.regression.moments;

/**
 * The constants of fits of moments that were chosen on data. They decide predictions, intervals,
 * warnings and how far a fit is drawn to 0, and nothing that is released.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The six data sets</i> are
 * those of benchmarks/results/excess.md, measured by {@code benchmarks/accuracy DATA 1000 excess}.
 */
public final class Tuning {
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

  private Tuning() {}
}
