package io.gauze.regression;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a fit can be used: one word for its predicted excess. It depends on the excess and on the
 * gain that is kept: how much of the way from the error of the best constant to that of the fit
 * without privacy.
 */
public enum FitQuality {
  /** The excess is below 5 %, and at least half of the gain is kept. */
  GOOD,
  /** Neither of the others: better than a constant, and clearly worse than without privacy. */
  DOUBTFUL,
  /** Less than a tenth of the gain is kept: hardly better than a constant, or worse. */
  USELESS;

  /**
   * Returns the verdict on a fit of an input, whose response's variance is compared with that of
   * its residual. Where the input does not tell them, half of the variance is taken for explained.
   * A fit is good if it is so even where all that the input does not tell is against it, and if
   * shortening took little off its rows. A constant is useless, unless nothing else was asked for.
   */
  public static FitQuality of(FitInput input, Fit fit) {
    boolean isAsked = fit.problem().features().equals(List.of(0)); // there is no gain to keep
    if (fit.isConstant() && !isAsked) {
      return USELESS;
    }
    Optional<FitQuality> unpredicted = input.unpredicted(fit);
    if (unpredicted.isPresent()) {
      return unpredicted.get();
    }
    double ignorance =
        isAsked
            ? Double.POSITIVE_INFINITY
            : input.ignorance(fit).orElse(1.0 / Math.sqrt(1.0 - AssumedDataModel.EXPLAINED) - 1.0);
    FitQuality verdict = of(fit.predictedExcess(), ignorance);
    boolean isSure =
        input.hasFeatures(fit.problem())
            && isKnownToBeLittleCut(input, fit.problem())
            && of(input.largestExcess(fit), ignorance) == GOOD;
    return verdict == GOOD && !isSure ? DOUBTFUL : verdict;
  }

  /** Returns whether shortening is known to have taken little off the rows' weight. */
  private static boolean isKnownToBeLittleCut(FitInput input, RegressionProblem problem) {
    return input
        .cut()
        .map(cut -> !cut.isMuch())
        .orElse(!(input.isShapedByShortening() && problem.clipping().isBounded()));
  }

  /**
   * Returns the verdict on a fit.
   *
   * @param excess the predicted relative excess of the fit over the one without privacy
   * @param ignorance that of the best constant
   */
  public static FitQuality of(double excess, double ignorance) {
    double kept = gainKept(excess, ignorance);
    if (!(kept >= Tuning.LEAST_GAIN)) { // NaN too
      return USELESS;
    }
    return excess < Tuning.GOOD_EXCESS && kept >= Tuning.GOOD_GAIN ? GOOD : DOUBTFUL;
  }

  /**
   * Returns the gain that is kept, in [0, 1]: 1 is as good as without privacy, 0 no better than the
   * best constant.
   *
   * @param excess the predicted relative excess of the fit over the one without privacy
   * @param ignorance that of the best constant
   */
  public static double gainKept(double excess, double ignorance) {
    return ignorance > 0.0 ? Math.max(0.0, Math.min(1.0, 1.0 - excess / ignorance)) : 0.0;
  }

  /** The word in tables and JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
