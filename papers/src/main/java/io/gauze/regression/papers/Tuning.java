package io.gauze.regression.papers;

/** The constants of fits of the papers' releases that were chosen here, and not by the papers. */
public final class Tuning {
  /**
   * The ridge of the fit of level 0 that estimates the residuals of a multilevel sketch.
   *
   * <p>Unit: the edge of the spectrum of the noise, at least 0. Data: none is kept. Chosen: by
   * hand. Figure: none is kept.
   */
  static final double RIDGE_OF_ESTIMATES = 0.25;

  private Tuning() {}
}
