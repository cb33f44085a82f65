package io.gauze.regression;

import io.gauze.mechanism.Payload;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of a model of log odds: the expected relative excess of the mean logistic
 * loss. Labels are those of a nominal response with logistic residuals, so that log odds are
 * normal, and as many labels are 1 as are not.
 */
final class ExpectedOdds {
  /** The variance of a standard logistic variable. */
  private static final double LOGISTIC = Math.PI * Math.PI / 3.0;

  private static final int NODES = 256;

  /** What it costs that long rows count with shorter features: .2 % for incomes of adults. */
  private static final double LONG_ROWS = 0.002;

  private final double variance;
  private final double loss;
  private final double curvature;

  /**
   * Averages over log odds.
   *
   * @param explained the share of the latent response's variance that features explain
   */
  private ExpectedOdds(double explained) {
    variance = LOGISTIC * explained / (1.0 - explained);
    NormalDistribution odds = NormalDistribution.of(0.0, Math.sqrt(variance));
    double losses = 0.0;
    double curvatures = 0.0;
    for (int i = 0; i < NODES; i++) {
      double z = odds.inverseCumulativeProbability((i + 0.5) / NODES);
      double share = 1.0 / (1.0 + Math.exp(-z));
      losses += Loss.LOGISTIC.of(z) - share * z;
      curvatures += share * (1.0 - share);
    }
    loss = losses / NODES;
    curvature = curvatures / NODES;
  }

  /** Returns the relative excess of log odds of 0. */
  static double ignorance(double explained) {
    return Math.log(2.0) / new ExpectedOdds(explained).loss - 1.0;
  }

  // Half the curvature times the mean square of what noise and ridge move a coefficient by.
  static double excess(NominalModel model, Payload.Model fitted) {
    ExpectedOdds odds = new ExpectedOdds(model.explained());
    DMatrixRMaj moments = model.moments();
    double noise = fitted.gradient() * fitted.gradient();
    double more = 0.0;
    for (int k = 0; k <= model.features(); k++) { // the nominal features are independent
      double curved = odds.curvature * moments.get(k, k);
      double weight = curved + fitted.ridge();
      double b =
          k == 0
              ? 0.0
              : Math.sqrt(odds.variance * model.shares().get(k - 1) / model.squares().get(k - 1));
      double pull = fitted.ridge() * b;
      more += 0.5 * curved * (noise + pull * pull) / (weight * weight);
    }
    double excess = more / (model.rows() * odds.loss) + LONG_ROWS;
    return Math.min(ignorance(model.explained()), excess);
  }
}
