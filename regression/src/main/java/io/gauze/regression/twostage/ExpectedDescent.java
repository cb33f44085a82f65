package io.gauze.regression.twostage;

import io.gauze.mechanism.descent.DescentRelease;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitRandom;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of noisy gradient descent before any row is read, by simulated releases of
 * normal rows. For these all losses have the same relative excess where a model is off by as much.
 *
 * @param noise of the mechanism
 * @param loss that is asked for
 * @param model all of whose features are those of the fit
 */
public record ExpectedDescent(FitMethod.Steps noise, FittedLoss loss, AssumedDataModel model) {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** Returns the relative excess over the error of the non-private fit. */
  public double excess() {
    DMatrixRMaj moments = model.moments();
    FitRandom random = FitRandom.seededBy(moments);
    DescentRelease release =
        new DescentRelease(model.features() + 1, noise, model.intercept(), loss);
    double[] excesses = new double[ExpectedTransformed.releases(moments.getNumRows())];
    for (int k = 0; k < excesses.length; k++) {
      long[] numbers = release.numbers(new SimulatedDescent(noise, moments, model.rows(), random));
      double[] coefficients = new double[model.features() + 1];
      for (int j = 0; j < coefficients.length; j++) {
        coefficients[j] = numbers[j] * DescentRelease.OUTPUT_UNIT;
      }
      coefficients[0] -= aboveMean() / model.intercept();
      excesses[k] = ExpectedTransformed.excess(model, coefficients);
    }
    Arrays.sort(excesses);
    return Math.min(model.ignorance(), excesses[excesses.length / 2]);
  }

  /** By how much the quantile is above the mean. */
  private double aboveMean() {
    double deviation = Math.sqrt(model.residual() / model.rows());
    return deviation * NORMAL.inverseCumulativeProbability(loss.quantile());
  }
}
