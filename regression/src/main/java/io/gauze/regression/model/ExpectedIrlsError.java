package io.gauze.regression.model;

import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of rounds of weighted least squares with noise in their moments, for a nominal
 * model, whose features are independent and whose residuals are normal.
 */
final class ExpectedIrlsError {
  private static final int NODES = 128;

  private ExpectedIrlsError() {}

  // A round's model is off by A^-1 (e - E theta - ridge theta), A the weighted moments, e and E the
  // noise. The next round passes on what the curvature of Huber's loss does not take from it.
  static double excess(AssumedDataModel model, Payload.Model fitted, FitMethod.Reweighting rounds) {
    double spread = Math.sqrt(model.residual() / model.rows());
    double bent = fitted.loss().threshold() / spread;
    double weight = meanWeight(bent);
    double curved = NormalDistribution.of(0.0, 1.0).probability(-bent, bent);
    double passed = Math.max(0.0, 1.0 - curved / weight);
    double noises = 0.0;
    for (int round = 0; round < rounds.rounds(); round++) {
      noises += Math.pow(passed, 2 * round);
    }
    DMatrixRMaj moments = model.moments();
    DMatrixRMaj b = model.coefficients();
    double square = 0.0;
    for (int k = 0; k <= model.features(); k++) {
      square += b.get(k) * b.get(k);
    }
    double each = 0.5 * rounds.deviation() * rounds.deviation();
    double moved = 0.0;
    for (int k = 0; k <= model.features(); k++) {
      double all = weight * moments.get(k, k) + fitted.ridge();
      double noise = each * (1.0 + square + b.get(k) * b.get(k)) * noises;
      double pull = fitted.ridge() * b.get(k);
      moved += moments.get(k, k) * (noise + pull * pull) / (all * all);
    }
    return Math.sqrt(1.0 + moved / model.residual()) - 1.0;
  }

  /** The mean weight of rows whose residuals are standard normal. */
  private static double meanWeight(double threshold) {
    NormalDistribution normal = NormalDistribution.of(0.0, 1.0);
    double sum = 0.0;
    for (int i = 0; i < NODES; i++) {
      double residual = -normal.inverseCumulativeProbability(0.5 * (i + 0.5) / NODES);
      sum += Math.min(1.0, threshold / residual);
    }
    return sum / NODES;
  }
}
