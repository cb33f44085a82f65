package io.gauze.regression.model;

import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;

/**
 * Predicts the error of models that stop after some steps: the steps and their noise on the moments
 * of a nominal model, whose features are independent.
 */
final class ExpectedGradientError {
  private static final int RUNS = 3;
  private static final long SEED = 1L;

  /** A Gumbel variable of scale 1 has this standard deviation. */
  private static final double GUMBEL = Math.PI / Math.sqrt(6.0);

  private final AssumedDataModel model;
  private final Payload.Model fitted;
  private final FitMethod.Descent descent;

  ExpectedGradientError(AssumedDataModel model, Payload.Model fitted, FitMethod.Descent descent) {
    this.model = model;
    this.fitted = fitted;
    this.descent = descent;
  }

  double excess() {
    AssumedDataModel few = model.among(Math.min(descent.nonzero(), model.features()));
    double lost = Math.sqrt((1.0 - few.explained()) / (1.0 - model.explained()));
    double moved = descent.vertices() ? vertices(few) : gradient(few);
    double excess = lost * Math.sqrt(1.0 + moved / few.residual()) - 1.0;
    return Math.min(model.ignorance(), excess);
  }

  // A step multiplies the error of a coefficient of the moment m by a = 1 - m / c, c the curvature,
  // and adds noise of the variance (sigma / c)^2.
  private double gradient(AssumedDataModel few) {
    DMatrixRMaj b = few.coefficients();
    DMatrixRMaj moments = few.moments();
    double curvature = 0.0;
    for (int k = 0; k <= few.features(); k++) {
      curvature = Math.max(curvature, moments.get(k, k));
    }
    curvature += descent.slack();
    double noise = Math.pow(fitted.gradient() / curvature, 2);
    double moved = 0.0;
    for (int k = 0; k <= few.features(); k++) {
      double moment = moments.get(k, k);
      double kept = Math.pow(1.0 - moment / curvature, 2);
      double left = Math.pow(kept, descent.steps());
      moved += moment * (b.get(k) * b.get(k) * left + noise * (1.0 - left) / (1.0 - kept));
    }
    return moved;
  }

  private double vertices(AssumedDataModel few) {
    SplittableRandom random = new SplittableRandom(SEED); // the same prediction every time
    double sum = 0.0;
    for (int run = 0; run < RUNS; run++) {
      sum += run(few, random) / RUNS;
    }
    return sum;
  }

  private double run(AssumedDataModel few, SplittableRandom random) {
    DMatrixRMaj b = few.coefficients();
    DMatrixRMaj moments = few.moments();
    double[] theta = new double[few.features() + 1];
    for (int step = 1; step <= descent.steps(); step++) {
      int vertex = 0;
      double largest = Double.NEGATIVE_INFINITY;
      for (int v = 0; v < 2 * theta.length; v++) {
        int k = v / 2;
        double score = moments.get(k, k) * (b.get(k) - theta[k]) * (v % 2 == 0 ? 1.0 : -1.0);
        double noisy = score - fitted.gradient() / GUMBEL * Math.log(-Math.log(uniform(random)));
        vertex = noisy > largest ? v : vertex;
        largest = Math.max(largest, noisy);
      }
      double part = 2.0 / (step + 2.0);
      for (int k = 0; k < theta.length; k++) {
        theta[k] *= 1.0 - part;
      }
      theta[vertex / 2] += part * (vertex % 2 == 0 ? descent.radius() : -descent.radius());
    }
    double moved = 0.0;
    for (int k = 0; k < theta.length; k++) {
      moved += moments.get(k, k) * Math.pow(theta[k] - b.get(k), 2);
    }
    return moved;
  }

  private static double uniform(SplittableRandom random) {
    return random.nextDouble(Double.MIN_NORMAL, 1.0);
  }
}
