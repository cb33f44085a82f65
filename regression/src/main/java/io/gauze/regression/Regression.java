package io.gauze.regression;

import io.gauze.message.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
    return input.isReleased() ? outcome.map(fit -> shortened(input, fit)) : outcome;
  }

  /** Adds what is known of shortened rows; nothing where there is no signal, as the fit says. */
  private static Fit shortened(FitInput input, Fit fit) {
    if (Double.isNaN(fit.predictedExcess())) {
      return fit;
    }
    Optional<CutRows> cut = input.cut();
    Optional<Message> warning =
        cut.isPresent() ? cut.get().warning() : fit.problem().clipping().doubt(input, fit);
    Fit warned = fit.withWarnings(warning.stream().toList());
    return cut.isPresent() && cut.get().isMost() ? withoutErrors(warned) : warned;
  }

  private static Fit withoutErrors(Fit fit) {
    return fit.withWithheld(
            IntStream.range(0, fit.coefficients().size()).boxed().collect(Collectors.toSet()))
        .withSets(Optional.empty());
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
