package io.gauze.benchmarks.papers;

import java.util.SplittableRandom;

/**
 * The data of figure 1 of M. Park and M. Welling (2016): ten normal features, scaled so that the
 * longest row has norm 1; a normal model; normal residuals of variance 0.01; responses scaled so
 * that the largest is 1. A tenth more rows are kept for tests.
 */
final class IrlsData {
  static final int FEATURES = 10;

  private static final double RESIDUAL_DEVIATION = 0.1;
  private static final long FIRST_SEED = 9000L;

  private final int rows;
  private final double[] features; // row by row, the test rows last
  private final double[] responses;
  private final double residualVariance;

  private IrlsData(int rows, double[] features, double[] responses, double residualVariance) {
    this.rows = rows;
    this.features = features;
    this.responses = responses;
    this.residualVariance = residualVariance;
  }

  /** Draws data set {@code number} of so many rows. */
  static IrlsData of(int rows, int number) {
    SplittableRandom random = new SplittableRandom(FIRST_SEED + number);
    int all = rows + rows / 10;
    double[] features = new double[all * FEATURES];
    double longest = 0.0;
    for (int i = 0; i < all; i++) {
      double square = 0.0;
      for (int j = 0; j < FEATURES; j++) {
        double value = random.nextGaussian();
        features[i * FEATURES + j] = value;
        square += value * value;
      }
      longest = Math.max(longest, Math.sqrt(square));
    }
    double[] truth = normal(random);
    double[] responses = new double[all];
    double largest = 0.0;
    for (int i = 0; i < all; i++) {
      double mean = 0.0;
      for (int j = 0; j < FEATURES; j++) {
        features[i * FEATURES + j] /= longest;
        mean += features[i * FEATURES + j] * truth[j];
      }
      responses[i] = mean + RESIDUAL_DEVIATION * random.nextGaussian();
      largest = Math.max(largest, Math.abs(responses[i]));
    }
    for (int i = 0; i < all; i++) {
      responses[i] /= largest;
    }
    double deviation = RESIDUAL_DEVIATION / largest;
    return new IrlsData(rows, features, responses, deviation * deviation);
  }

  private static double[] normal(SplittableRandom random) {
    double[] values = new double[FEATURES];
    for (int j = 0; j < FEATURES; j++) {
      values[j] = random.nextGaussian();
    }
    return values;
  }

  /** The number of rows to fit. */
  int rows() {
    return rows;
  }

  double feature(int row, int column) {
    return features[row * FEATURES + column];
  }

  double response(int row) {
    return responses[row];
  }

  double residual(int row, double... model) {
    double residual = responses[row];
    for (int j = 0; j < FEATURES; j++) {
      residual -= features[row * FEATURES + j] * model[j];
    }
    return residual;
  }

  /** The mean log-density of test responses under a model with the true residual variance. */
  double logLikelihood(double... model) {
    double sum = 0.0;
    for (int i = rows; i < responses.length; i++) {
      double residual = residual(i, model);
      sum += residual * residual;
    }
    double mean = sum / (responses.length - rows);
    return -0.5 * (Math.log(2.0 * Math.PI * residualVariance) + mean / residualVariance);
  }
}
