package io.gauze.regression;

/**
 * Fits any regression on raw rows and on releases. The input decides which solver fits the loss.
 */
public final class Regression {
  private Regression() {}

  /**
   * Fits a problem.
   *
   * @return {@code Refused} if the input does not support this loss, or contains too little for a
   *     meaningful fit; the reason says what to change
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  public static FitOutcome fit(FitInput input, RegressionProblem problem) {
    return input.solve(problem).map(fit -> fit.withWarnings(CrowdedEnds.warnings(input, problem)));
  }
}
