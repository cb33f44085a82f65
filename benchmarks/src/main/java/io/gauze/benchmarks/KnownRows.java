package io.gauze.benchmarks;

import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactRows;
import java.util.Arrays;

/**
 * Rows of a linear model of the last column, and how good coefficients are on them. NOT private.
 */
final class KnownRows {
  private final int features;
  private final double[] x; // row by row
  private final double[] y;
  private final double[] lengths; // of the features of each row
  private final double bestError;

  /**
   * Copies rows.
   *
   * @param problem the last column, explained by all others
   */
  KnownRows(ExactRows rows, RegressionProblem problem) {
    this.features = rows.dimension() - 1;
    this.x = new double[rows.rows() * features];
    this.y = new double[rows.rows()];
    this.lengths = new double[rows.rows()];
    int[] next = {0};
    rows.forEach(
        row -> {
          int i = next[0]++;
          System.arraycopy(row, 0, x, i * features, features);
          y[i] = row[features];
          lengths[i] = norm(Arrays.copyOf(row, features));
        });
    FitOutcome best = Regression.fit(rows, problem.withLambda(0.0));
    this.bestError = error(((FitOutcome.Fitted) best).fit().coefficients().toArray());
  }

  private static double norm(double... values) {
    return Math.sqrt(Arrays.stream(values).map(value -> value * value).sum());
  }

  int features() {
    return features;
  }

  int rows() {
    return y.length;
  }

  /** Returns the excess over the fit without privacy, as a share; infinite if it is no number. */
  double excess(double... coefficients) {
    double excess = error(coefficients) / bestError - 1.0;
    return Double.isNaN(excess) ? Double.POSITIVE_INFINITY : excess;
  }

  private double error(double... coefficients) {
    double sum = 0.0;
    for (int i = 0; i < y.length; i++) {
      double residual = residual(i, coefficients);
      sum += residual * residual;
    }
    return Math.sqrt(sum / y.length);
  }

  private double residual(int row, double... coefficients) {
    double residual = y[row];
    for (int j = 0; j < features; j++) {
      residual -= coefficients[j] * x[row * features + j];
    }
    return residual;
  }

  /** Returns the root mean square of the lengths of rows' gradients. */
  double gradientLength(double... coefficients) {
    double sum = 0.0;
    for (int i = 0; i < y.length; i++) {
      double length = residual(i, coefficients) * lengths[i];
      sum += length * length;
    }
    return Math.sqrt(sum / y.length);
  }

  /**
   * Returns the sum over rows of {@code x (y - x'theta)}, of which each is shortened to a length.
   *
   * @param clip the length
   */
  double[] descent(double clip, double... coefficients) {
    double[] sum = new double[features];
    for (int i = 0; i < y.length; i++) {
      double residual = residual(i, coefficients);
      double weight = residual * clip / Math.max(clip, Math.abs(residual) * lengths[i]);
      for (int j = 0; j < features; j++) {
        sum[j] += weight * x[i * features + j];
      }
    }
    return sum;
  }
}
