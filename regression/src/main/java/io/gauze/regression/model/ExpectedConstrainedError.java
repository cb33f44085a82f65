package io.gauze.regression.model;

import io.gauze.internal.Bisection;
import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of least squares in a ball with noise in the gradient, for a nominal model,
 * whose features are independent. The ball works like a larger ridge: that at which the expected
 * square of the model's length is the square of the radius.
 */
final class ExpectedConstrainedError {
  private static final int HALVINGS = 60;

  private final DMatrixRMaj moments;
  private final DMatrixRMaj coefficients;
  private final double noise; // the variance of an entry of the gradient

  private ExpectedConstrainedError(AssumedDataModel model, Payload.Model fitted) {
    moments = model.moments();
    coefficients = model.coefficients();
    noise = fitted.gradient() * fitted.gradient();
  }

  static double excess(AssumedDataModel model, Payload.Model fitted, FitMethod.Ball ball) {
    ExpectedConstrainedError expected = new ExpectedConstrainedError(model, fitted);
    double moved = expected.moved(expected.ridge(fitted.ridge(), ball.radius()));
    return Math.min(model.ignorance(), Math.sqrt(1.0 + moved / model.residual()) - 1.0);
  }

  /** The ridge that the ball comes to, at least that of the objective. */
  private double ridge(double least, double radius) {
    double square = radius * radius;
    double low = least;
    if (length(low) <= square) {
      return low;
    }
    double high = 2.0 * low;
    while (length(high) > square) {
      high *= 2.0;
    }
    return new Bisection(low, high).narrow(HALVINGS, middle -> length(middle) <= square).holds();
  }

  /** The expected square of the length. */
  private double length(double ridge) {
    double sum = 0.0;
    for (int k = 0; k < coefficients.getNumElements(); k++) {
      double product = moments.get(k, k) * coefficients.get(k);
      double weight = moments.get(k, k) + ridge;
      sum += (product * product + noise) / (weight * weight);
    }
    return sum;
  }

  /** The expected sum of squares by which predictions are off. */
  private double moved(double ridge) {
    double sum = 0.0;
    for (int k = 0; k < coefficients.getNumElements(); k++) {
      double pull = ridge * coefficients.get(k);
      double weight = moments.get(k, k) + ridge;
      sum += moments.get(k, k) * (pull * pull + noise) / (weight * weight);
    }
    return sum;
  }
}
