package io.gauze.mechanism.moments;

/** The constants of this package that were chosen on data. */
public final class Tuning {
  /**
   * The number of rows per feature below which a warning says that noise dominates a fit of a
   * CountSketch.
   *
   * <p>Unit: rows over features, above 0. Data: none is kept. Chosen: by hand. Figure: none is
   * kept.
   */
  static final double ROWS_A_FEATURE = 20.0;

  /**
   * The share of mu^2 that the lost weight spends beside moments. It decides the noise of both: a
   * change is another stream.
   *
   * <p>Unit: none, in (0, 1/2]. Data: none; it is that of the counts of {@code two-stage-moments}.
   * Chosen: by hand. Figure: moments have 1 % more noise; at epsilon 1 and delta 1e-6 the lost
   * weight has a standard deviation of 42 rows, replace-one.
   */
  static final double LOST_WEIGHT = 0.02;

  private Tuning() {}
}
