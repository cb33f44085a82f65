package io.gauze.mechanism.descent;

/** What noisy counts of rows decide of steps: a public weight of residuals, and lengths. */
sealed interface DescentChoice permits SquaredChoice, RoundChoice {
  /** The slope by which the features of a row are multiplied. */
  RowWeight weight();

  /** By what a sum of 1 moves a coefficient in Newton's step for white rows. */
  double whole();

  /** The coefficient of the constant before the first step. */
  double start();

  /**
   * Returns what a release tells of its error, see {@link io.gauze.payload.FitMethod.Steps}.
   *
   * @param path of the whitened rows' model
   */
  double[] told(DescentPath path);
}
