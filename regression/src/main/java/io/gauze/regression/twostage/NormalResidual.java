package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * The residual of a model of normal rows.
 *
 * @param mean of the residual
 * @param deviation positive
 */
record NormalResidual(double mean, double deviation) {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** Returns the last entry of rows of given second moments, the constant first. */
  static NormalResidual of(DMatrixRMaj moments) {
    return of(moments, DoubleVector.generate(moments.getNumRows() - 1, k -> 0.0));
  }

  /** Returns the last entry of such rows less a model of the others. */
  static NormalResidual of(DMatrixRMaj moments, DoubleVector model) {
    int last = model.size();
    double[] products = products(moments, model);
    double square = moments.get(last, last);
    for (int k = 0; k < last; k++) {
      square -= model.get(k) * (moments.get(k, last) + products[k]);
    }
    double mean = products[0] / Math.sqrt(moments.get(0, 0));
    double variance = Math.max(Double.MIN_NORMAL, square - mean * mean);
    return new NormalResidual(mean, Math.sqrt(variance));
  }

  /** Returns the mean products of the residual of a model and the features. */
  static double[] products(DMatrixRMaj moments, DoubleVector model) {
    double[] products = new double[model.size()];
    for (int i = 0; i < products.length; i++) {
      products[i] = moments.get(i, products.length);
      for (int k = 0; k < products.length; k++) {
        products[i] -= moments.get(i, k) * model.get(k);
      }
    }
    return products;
  }

  /** The probability that it is below a number. */
  double shareBelow(double number) {
    return NORMAL.cumulativeProbability((number - mean) / deviation);
  }

  /** The probability that it is at most so large. */
  double shareWithin(double threshold) {
    return shareBelow(threshold) - shareBelow(-threshold);
  }

  // By parts: k less the integral of the distribution function from -k to k.
  /** The mean of the residual within thresholds on both sides, over the threshold. */
  double meanWithin(double threshold) {
    return 1.0 - (integral(threshold) - integral(-threshold)) / threshold;
  }

  private double integral(double number) {
    double z = (number - mean) / deviation;
    return deviation * (z * NORMAL.cumulativeProbability(z) + NORMAL.density(z));
  }
}
