package io.gauze.regression.model;

import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.Loss;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of a model of log odds: the expected relative excess of the mean logistic
 * loss. Labels are those of a nominal response with logistic residuals, so that log odds are
 * normal. Their mean is the constant of the nominal model: 0 if as many labels are yes as no.
 */
public final class ExpectedLogisticError {
  /** The variance of a standard logistic variable. */
  static final double LOGISTIC = Math.PI * Math.PI / 3.0;

  private static final int NODES = 256;

  private final AssumedDataModel model;
  private final double variance;
  private final double loss;
  private final double curvature;
  private final double share;

  /** A share, or a loss, of which a logarithm or a quotient is finite. */
  private static final double LEAST = 1e-12;

  /** Averages over log odds. */
  private ExpectedLogisticError(AssumedDataModel model) {
    this.model = model;
    variance = LOGISTIC * model.explained() / (1.0 - model.explained());
    double mean = model.constant() * model.intercept();
    NormalDistribution odds = NormalDistribution.of(mean, Math.sqrt(variance));
    double losses = 0.0;
    double curvatures = 0.0;
    double shares = 0.0;
    for (int i = 0; i < NODES; i++) {
      double z = odds.inverseCumulativeProbability((i + 0.5) / NODES);
      double yes = 1.0 / (1.0 + Math.exp(-z));
      losses += Loss.LOGISTIC.of(z) - yes * z;
      curvatures += yes * (1.0 - yes);
      shares += yes;
    }
    loss = Math.max(LEAST, losses / NODES);
    curvature = curvatures / NODES;
    share = Math.max(LEAST, Math.min(1.0 - LEAST, shares / NODES));
  }

  public static ExpectedLogisticError of(AssumedDataModel model) {
    return new ExpectedLogisticError(model);
  }

  /** Returns the relative excess of the best constant. */
  public double ignorance() {
    double entropy = -share * Math.log(share) - (1.0 - share) * Math.log1p(-share);
    return Math.max(0.0, entropy / loss - 1.0);
  }

  // Half the curvature times the mean square of what noise and ridge move a coefficient by.
  double excess(Payload.Model fitted) {
    DMatrixRMaj moments = model.moments();
    double noise = fitted.gradient() * fitted.gradient();
    double more = 0.0;
    for (int k = 0; k <= model.features(); k++) { // the nominal features are independent
      double curved = curvature * moments.get(k, k);
      double weight = curved + fitted.ridge();
      double b =
          k == 0
              ? model.constant()
              : Math.sqrt(variance * model.shares().get(k - 1) / model.squares().get(k - 1));
      double pull = fitted.ridge() * b;
      more += 0.5 * curved * (noise + pull * pull) / (weight * weight);
    }
    return more / (model.rows() * loss);
  }
}
