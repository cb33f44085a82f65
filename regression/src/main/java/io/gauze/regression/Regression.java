package io.gauze.regression;

import io.gauze.message.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
    if (problem.loss().equals(Loss.LOGISTIC) && !input.fitsLogOdds()) {
      return new FitOutcome.Refused(
          "log odds are not fitted to this: release a model of the mechanism logistic, or ask for"
              + " another loss");
    }
    List<Message> crowded = crowdedEnds(input, problem);
    FitOutcome outcome = input.solve(problem).map(fit -> fit.withWarnings(crowded));
    return input.isReleased() ? outcome.map(fit -> clipped(input, fit)) : outcome;
  }

  /** Adds what clipping costs, as far as that is known, and what to know of it. */
  private static Fit clipped(FitInput input, Fit fit) {
    RegressionProblem problem = fit.problem();
    double cost = input.clippingExcess(problem, fit.coefficients());
    double excess = fit.predictedExcess() + cost;
    if (Double.isNaN(excess) && input.measuresClipping()) {
      return fit.withExcess(excess); // there is no signal, and the fit says so
    }
    Optional<Message> skew =
        cost > Tuning.SKEWED_PART * excess ? input.skewWarning(problem) : Optional.empty();
    List<Message> warnings =
        skew.map(List::of)
            .orElseGet(
                () ->
                    input
                        .clippingWarning(problem.clipping(), problem.response())
                        .or(
                            () ->
                                input.measuresClipping()
                                    ? Optional.empty()
                                    : problem.clipping().doubt(excess))
                        .stream()
                        .toList());
    return fit.withExcess(excess).withWarnings(warnings);
  }

  /** A warning for each end of the problem's columns; none if the input has no noisy moments. */
  public static List<Message> crowdedEnds(FitInput input, RegressionProblem problem) {
    Set<Integer> used = new HashSet<>(problem.features());
    used.add(problem.response());
    Predicate<RangeEnd> crowded = input.crowdedEnds();
    return problem.ends().stream()
        .filter(end -> used.contains(end.column()) && crowded.test(end))
        .map(end -> end.clampedWarning(problem.names().get(end.column())))
        .toList();
  }
}
