package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.Payload;

/**
 * One fitted model, as released: it answers the question that it was made for, and no other.
 *
 * @param model the columns and the loss
 * @param coefficients of the intercept's constant and the features, in the encoded scale
 * @param responseUnit the response's own unit in one encoded unit; positive
 * @param intercept the constant c0 in column 0
 * @param predictedExcess the excess that was expected before the fit
 */
public record ReleasedModel(
    Payload.Model model,
    DoubleVector coefficients,
    double responseUnit,
    double intercept,
    double predictedExcess)
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
  public <T> T accept(InputReader<T> reader) {
    return reader.model(this);
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
   * Rows of robust models are clipped by their features alone, which leaves a linear model true.
   * Least squares are of moments, whose rows are clipped as all others.
   */
  @Override
  public double clippingExcess(Clipping clipping) {
    return model.loss().isSquared() ? clipping.excess() : 0.0;
  }
}
