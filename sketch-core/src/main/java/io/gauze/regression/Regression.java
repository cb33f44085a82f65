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
    FitOutcome outcome = solve(input, problem);
    return outcome instanceof FitOutcome.Fitted fitted
        ? new FitOutcome.Fitted(fitted.fit().withWarnings(CrowdedEnds.warnings(input, problem)))
        : outcome;
  }

  private static FitOutcome solve(FitInput input, RegressionProblem problem) {
    if (input instanceof ExactRows rows) {
      return RowsFit.of(rows, problem);
    }
    if (input instanceof ReleasedStatistics statistics) {
      return new AdaptiveFit(statistics, problem).fit();
    }
    if (input instanceof ReleasedCounts counts) {
      return new CountsFit(counts, problem).fit();
    }
    if (problem.loss() instanceof Loss.Squared && input instanceof MomentsInput moments) {
      return LeastSquares.fit(moments, problem);
    }
    if (input instanceof ReleasedStrata strata) {
      return problem.loss() instanceof Loss.Squared
          ? LeastSquares.fit(strata.pooled(), problem)
          : StrataFit.fit(strata, problem);
    }
    if (input instanceof ReleasedL1Rows rows) {
      return L1RowsFit.fit(rows, problem);
    }
    if (input instanceof MomentsInput) {
      return new FitOutcome.Refused(
          "moments cannot tell where losses bend, which "
              + problem.lossName()
              + " needs; use the squared loss, or release stratified-moments (any quantile, Huber)"
              + " or multilevel-l1 (lad)");
    }
    throw new IllegalArgumentException("input must be known. Provided value: " + input);
  }
}
