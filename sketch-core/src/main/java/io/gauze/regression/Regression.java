package io.gauze.regression;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Fits any regression on raw rows and on releases. The input decides which solver fits the loss.
 */
public final class Regression {
  /** The part of an excess from which on it matters what clipping costs a skewed response. */
  private static final double PART = 0.1;

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
    List<String> crowded = crowdedEnds(input, problem);
    FitOutcome outcome = solve(input, problem).map(fit -> fit.withWarnings(crowded));
    return input instanceof ExactMoments || input instanceof ExactRows
        ? outcome
        : outcome.map(fit -> clipped(input, fit));
  }

  /** Adds what clipping costs, as far as that is known, and what to know of it. */
  private static Fit clipped(FitInput input, Fit fit) {
    RegressionProblem problem = fit.problem();
    double cost = input.clippingExcess(problem, fit.coefficients());
    double excess = fit.predictedExcess() + cost;
    Optional<String> skew = cost > PART * excess ? input.skewWarning(problem) : Optional.empty();
    List<String> warnings =
        skew.map(List::of)
            .orElseGet(
                () ->
                    Stream.of(
                            input.clippingWarning(problem.clipping(), problem.response()),
                            problem.clipping().doubt(excess))
                        .flatMap(Optional::stream)
                        .toList());
    return fit.withExcess(excess).withWarnings(warnings);
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
