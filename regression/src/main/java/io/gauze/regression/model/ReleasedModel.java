package io.gauze.regression.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.model.track.PublishedTrack;
import io.gauze.payload.Payload;
import io.gauze.regression.ExcessRange;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One fitted model, as released: it answers the question that it was made for, and no other.
 *
 * @param model the columns and the loss
 * @param coefficients of the intercept's constant and the features, in the encoded scale
 * @param tracked the numbers of a model that is kept up to date; empty for others
 * @param responseUnit the response's own unit in one encoded unit; positive
 * @param responseMiddle the middle of the response's range, in its own unit
 * @param intercept the constant c0 in column 0
 * @param expected the excess that is expected
 * @param ofConstant the excess of the best constant, as far as the coefficients tell it; empty if
 *     they do not
 * @param isOfRoundLoss whether the excess is that of Huber's loss, and not of absolute deviations
 */
record ReleasedModel(
    Payload.Model model,
    DoubleVector coefficients,
    Optional<PublishedTrack> tracked,
    double responseUnit,
    double responseMiddle,
    double intercept,
    ExcessRange expected,
    OptionalDouble ofConstant,
    boolean isOfRoundLoss)
    implements FitInput {
  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if they do not agree
   */
  public ReleasedModel {
    Checks.length("coefficients", coefficients.size(), model.features().size());
    Checks.positiveFinite("responseUnit", responseUnit);
  }

  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public boolean fitsLogOdds() {
    return true;
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return ModelFit.of(this, problem);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("a model has coefficients alone");
  }

  @Override
  public boolean hasFeatures(RegressionProblem problem) {
    return model.features().containsAll(problem.features());
  }

  @Override
  public String whyNotSummable() {
    return "each of them holds a model, and not sums";
  }

  /**
   * Rows of models that read rows again are clipped by their features alone, which leaves a linear
   * model true. Models from moments have rows that are clipped as all others.
   */
  @Override
  public boolean isShapedByShortening() {
    return model.origin().isFromMoments();
  }

  @Override
  public OptionalDouble ignorance(Fit fit) {
    return ofConstant;
  }

  @Override
  public double largestExcess(Fit fit) {
    boolean isOther = isOfRoundLoss && fit.problem().loss() instanceof Loss.Quantile;
    return isOther ? Double.POSITIVE_INFINITY : expected.most();
  }
}
