package io.gauze.regression.quantile;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** Small rows, and their minimum by trial of every vertex. */
final class QuantileCase {
  final int columns;
  final double[] x;
  final double[] y;
  final double[] w;

  QuantileCase(int columns, double[] x, double[] y, double[] w) {
    this.columns = columns;
    this.x = x;
    this.y = y;
    this.w = w;
  }

  /** Intercept and normal features, normal errors, weights in 10^[-3, 3]. */
  static QuantileCase smooth(int rows, int columns, SplittableRandom random) {
    QuantileCase made = empty(rows, columns);
    for (int i = 0; i < rows; i++) {
      double sum = 0.0;
      for (int j = 0; j < columns; j++) {
        made.x[i * columns + j] = j == 0 ? 1.0 : random.nextGaussian();
        sum += (j + 1) * made.x[i * columns + j];
      }
      made.y[i] = sum + random.nextGaussian();
      made.w[i] = Math.pow(10.0, 6.0 * random.nextDouble() - 3.0);
    }
    return made;
  }

  /** Intercept and features in {-1, 0, 1}, responses and weights in {0, 1, 2}: ties abound. */
  static QuantileCase tied(int rows, int columns, SplittableRandom random) {
    QuantileCase made = empty(rows, columns);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        made.x[i * columns + j] = j == 0 ? 1.0 : random.nextInt(3) - 1.0;
      }
      made.y[i] = random.nextInt(3);
      made.w[i] = random.nextInt(3);
    }
    return made;
  }

  private static QuantileCase empty(int rows, int columns) {
    return new QuantileCase(
        columns, new double[rows * columns], new double[rows], new double[rows]);
  }

  WeightedRows rows() {
    return WeightedRows.of(columns, x, y, w);
  }

  QuantileFit fit(double tau) {
    return ((QuantileOutcome.Solved) QuantileRegression.solve(rows(), tau)).fit();
  }

  double loss(double tau, double... b) {
    double sum = 0.0;
    for (int i = 0; i < y.length; i++) {
      double residual = y[i];
      for (int j = 0; j < columns; j++) {
        residual -= x[i * columns + j] * b[j];
      }
      sum += w[i] * residual * (residual < 0.0 ? tau - 1.0 : tau);
    }
    return sum;
  }

  /** The least loss of all fits through p independent rows; infinite if there are none. */
  double least(double tau) {
    return least(tau, new int[columns], 0, 0);
  }

  private double least(double tau, int[] chosen, int size, int from) {
    if (size == columns) {
      return through(tau, chosen);
    }
    double least = Double.POSITIVE_INFINITY;
    for (int i = from; i < y.length; i++) {
      if (w[i] > 0.0) {
        chosen[size] = i;
        least = Math.min(least, least(tau, chosen, size + 1, i + 1));
      }
    }
    return least;
  }

  private double through(double tau, int... chosen) {
    DMatrixRMaj matrix = new DMatrixRMaj(columns, columns);
    DMatrixRMaj right = new DMatrixRMaj(columns, 1);
    for (int k = 0; k < columns; k++) {
      System.arraycopy(x, chosen[k] * columns, matrix.getData(), k * columns, columns);
      right.set(k, y[chosen[k]]);
    }
    DMatrixRMaj b = new DMatrixRMaj(columns, 1);
    boolean independent =
        Math.abs(CommonOps_DDRM.det(matrix)) > 1e-9 && CommonOps_DDRM.solve(matrix, right, b);
    return independent ? loss(tau, b.getData()) : Double.POSITIVE_INFINITY;
  }

  /** Every row as often as its weight, a small integer, says. */
  WeightedRows repeated() {
    int total = (int) Arrays.stream(w).sum();
    double[] manyX = new double[total * columns];
    double[] manyY = new double[total];
    int next = 0;
    for (int i = 0; i < y.length; i++) {
      for (int k = 0; k < (int) w[i]; k++) {
        System.arraycopy(x, i * columns, manyX, next * columns, columns);
        manyY[next++] = y[i];
      }
    }
    return WeightedRows.unweighted(columns, manyX, manyY);
  }
}
