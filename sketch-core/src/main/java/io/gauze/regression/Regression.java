package io.gauze.regression;

/** Fits any regression on raw rows and on releases: picks the solver for input and loss. */
public final class Regression {
  private Regression() {}

  /**
   * Fits.
   *
   * @return {@code Refused} if the input cannot answer this loss, or holds too little to mean
   *     anything; the reason says what to change
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  public static FitOutcome fit(FitInput input, RegressionProblem problem) {
    return input.solve(problem).map(fit -> fit.withWarnings(CrowdedEnds.warnings(input, problem)));
  }
}
