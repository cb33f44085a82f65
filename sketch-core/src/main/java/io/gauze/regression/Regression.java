package io.gauze.regression;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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
    if (problem.loss().equals(Loss.LOGISTIC) && !(input instanceof ReleasedModel)) {
      return new FitOutcome.Refused(
          "log odds are not fitted to this: release a model of the mechanism logistic, or ask for"
              + " another loss");
    }
    List<String> warnings = new ArrayList<>(crowdedEnds(input, problem));
    input.clippingWarning(problem.clipping(), problem.response()).ifPresent(warnings::add);
    FitOutcome outcome = solve(input, problem).map(fit -> fit.withWarnings(warnings));
    return input instanceof ExactMoments || input instanceof ExactRows
        ? outcome
        : outcome.map(fit -> clipped(input, fit));
  }

  /** Adds what clipping costs, as far as that is known. */
  private static Fit clipped(FitInput input, Fit fit) {
    Clipping clipping = fit.problem().clipping();
    double excess = fit.predictedExcess() + input.clippingExcess(fit.problem(), fit.coefficients());
    return fit.withExcess(excess).withWarnings(clipping.doubt(excess).stream().toList());
  }

  /** Fits, without a look at the ends of ranges. */
  static FitOutcome solve(FitInput input, RegressionProblem problem) {
    return input.accept(new Solver(problem));
  }

  /** A warning for each end of the problem's columns; none if the input has no noisy moments. */
  static List<String> crowdedEnds(FitInput input, RegressionProblem problem) {
    Set<Integer> used = new HashSet<>(problem.features());
    used.add(problem.response());
    Predicate<RangeEnd> crowded = input.crowdedEnds();
    return problem.ends().stream()
        .filter(end -> used.contains(end.column()) && crowded.test(end))
        .map(end -> CrowdedEnds.warning(problem.names().get(end.column()), end))
        .toList();
  }

  private record Solver(RegressionProblem problem) implements InputReader<FitOutcome> {
    @Override
    public FitOutcome exactMoments(ExactMoments input) {
      return problem.loss().isSquared() ? LeastSquares.fit(input, problem) : refused();
    }

    @Override
    public FitOutcome exactRows(ExactRows input) {
      return RowsFit.of(input, problem);
    }

    @Override
    public FitOutcome noisyMoments(NoisyMomentsInput input) {
      return problem.loss().isSquared()
          ? NoisyMomentsFit.of(input, problem)
          : NormalResiduals.fit(input, problem);
    }

    @Override
    public FitOutcome strata(ReleasedStrata input) {
      return problem.loss().isSquared()
          ? solve(input.pooled(), problem)
          : StrataFit.fit(input, problem);
    }

    @Override
    public FitOutcome l1Rows(ReleasedL1Rows input) {
      return L1RowsFit.fit(input, problem);
    }

    @Override
    public FitOutcome counts(ReleasedCounts input) {
      return new HistogramFit(input, problem).fit();
    }

    @Override
    public FitOutcome statistics(ReleasedStatistics input) {
      return new AdaSspFit(input, problem).fit();
    }

    @Override
    public FitOutcome selection(ReleasedSelection input) {
      return SelectionFit.fit(input, problem);
    }

    @Override
    public FitOutcome model(ReleasedModel input) {
      return ModelFit.of(input, problem);
    }

    private FitOutcome refused() {
      return new FitOutcome.Refused(
          "moments cannot tell where losses bend, which "
              + problem.lossName()
              + " needs; use the squared loss, or release stratified-moments (any quantile,"
              + " Huber) or multilevel-l1 (lad)");
    }
  }
}
