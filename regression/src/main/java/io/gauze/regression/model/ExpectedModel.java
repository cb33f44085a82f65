package io.gauze.regression.model;

import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.ExcessRange;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of a model: the mean square of what the noise and the pull of the ridge move
 * it by, what it costs that the loss is round where that of the median has its bend, and what it
 * costs that long rows weigh less.
 *
 * <p>The noise of a model is known, and what it does to the model depends on how its features
 * depend on each other, which no public number says, and no model. It is predicted for features
 * that do not depend on each other and for those that depend on each other much. The geometric mean
 * of both is what is likely.
 */
final class ExpectedModel {
  private ExpectedModel() {}

  /**
   * Returns the excess of a model of rows.
   *
   * @param model whose features depend on each other
   * @param fitted the payload
   */
  static ExcessRange of(AssumedDataModel model, Payload.Model fitted) {
    if (fitted.origin() instanceof FitMethod.Descent descent) {
      return ExcessRange.of(new ExpectedGradientError(model, fitted, descent).excess());
    }
    if (fitted.origin() instanceof FitMethod.Ball ball) {
      return ExcessRange.of(ExpectedConstrainedError.excess(model, fitted, ball));
    }
    double apart = moved(model.independent(), fitted);
    double together = moved(model, fitted);
    double bent = bent(model, fitted);
    double likely = Math.sqrt(apart * together) + Tuning.ROUND * bent * bent + Tuning.LONG_ROWS;
    AssumedDataModel little = fitted.loss().isLogistic() ? model : ofLittleResidual(model);
    double wide = bent(little, fitted);
    double worst =
        Math.max(apart, moved(little, fitted))
            + Math.min(Tuning.MOST_SQUARES, Tuning.MOST_ROUND * wide * wide)
            + Tuning.MOST_LONG_ROWS;
    return new ExcessRange(Math.min(apart, together), likely, Math.max(likely, worst));
  }

  /** The more is explained, the less is known of what is left. Odds have known residuals. */
  private static AssumedDataModel ofLittleResidual(AssumedDataModel model) {
    return model.withResidual(Tuning.LEAST_RESIDUAL * Math.sqrt(1.0 - model.explained()));
  }

  /** The threshold of the loss in deviations of the residuals; 0 if the loss has none. */
  private static double bent(AssumedDataModel model, Payload.Model fitted) {
    double threshold = fitted.loss().threshold();
    return Double.isInfinite(threshold)
        ? 0.0
        : threshold / Math.sqrt(model.residual() / model.rows());
  }

  /** The excess by noise and ridge. */
  private static double moved(AssumedDataModel model, Payload.Model fitted) {
    if (fitted.loss().isLogistic()) {
      return ExpectedLogisticError.of(model).excess(fitted);
    }
    if (fitted.origin() instanceof FitMethod.Reweighting rounds) {
      return ExpectedIrlsError.excess(model, fitted, rounds);
    }
    NormalDistribution normal = NormalDistribution.of(0.0, 1.0);
    double at = normal.inverseCumulativeProbability(fitted.loss().quantile());
    double bent = bent(model, fitted);
    // rows beyond the threshold have no curvature
    double curved = bent == 0.0 ? 1.0 : normal.probability(at - bent, at + bent);
    double noise = fitted.gradient() * fitted.gradient();
    DMatrixRMaj moments = model.moments();
    DMatrixRMaj b = model.coefficients();
    double moved = 0.0;
    for (int k = 0; k <= model.features(); k++) { // the nominal features are independent
      double square = moments.get(k, k);
      if (fitted.origin().trackedVariance().isPresent()) {
        moved += square * fitted.origin().trackedVariance().getAsDouble();
        continue;
      }
      double weight = curved * square + fitted.ridge();
      double pull = fitted.ridge() * b.get(k);
      moved += square * (noise + pull * pull) / (weight * weight);
    }
    return Math.sqrt(1.0 + moved / model.residual()) - 1.0;
  }
}
