package io.gauze.regression.twostage;

import io.gauze.mechanism.descent.DescentRelease;
import io.gauze.payload.FitMethod;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitRandom;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;

/** Predicts the error of noisy gradient descent before any row is read, by simulated releases. */
public final class ExpectedDescent {
  private ExpectedDescent() {}

  /**
   * Returns the relative excess of the root mean square over that of the non-private fit.
   *
   * @param noise of the mechanism
   * @param model all of whose features are those of the fit
   */
  public static double excess(FitMethod.Steps noise, AssumedDataModel model) {
    DMatrixRMaj moments = model.moments();
    FitRandom random = FitRandom.seededBy(moments);
    DescentRelease release = new DescentRelease(model.features() + 1, noise, model.intercept());
    double[] excesses = new double[ExpectedTransformed.releases(moments.getNumRows())];
    for (int k = 0; k < excesses.length; k++) {
      long[] numbers = release.numbers(new SimulatedDescent(noise, moments, model.rows(), random));
      double[] coefficients = new double[model.features() + 1];
      for (int j = 0; j < coefficients.length; j++) {
        coefficients[j] = numbers[j] * DescentRelease.OUTPUT_UNIT;
      }
      excesses[k] = ExpectedTransformed.excess(model, coefficients);
    }
    Arrays.sort(excesses);
    return Math.min(model.ignorance(), excesses[excesses.length / 2]);
  }
}
