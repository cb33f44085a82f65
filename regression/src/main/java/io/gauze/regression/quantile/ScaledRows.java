package io.gauze.regression.quantile;

import io.gauze.linalg.DoubleVector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The rows of positive weight, with columns, responses and weights multiplied by powers of two so
 * that the largest magnitude of each is in [1, 2). The scaling is exact, and no unit of the input
 * causes an overflow.
 *
 * <p>The arrays are flat and row-major, since a fit spends most of its time in loops over them.
 */
final class ScaledRows {
  final int rows;
  final int columns;
  final double[] x;
  final double[] y;
  final double[] w;
  private final int[] featureExponents;
  private final int responseExponent;
  private final int weightExponent;

  private ScaledRows(WeightedRows source, int... used) {
    rows = used.length;
    columns = source.columns();
    x = new double[rows * columns];
    y = new double[rows];
    w = new double[rows];
    featureExponents = new int[columns];
    for (int j = 0; j < columns; j++) {
      int column = j;
      featureExponents[j] =
          exponent(IntStream.range(0, rows).mapToDouble(k -> source.feature(used[k], column)));
      for (int k = 0; k < rows; k++) {
        x[k * columns + j] = Math.scalb(source.feature(used[k], j), -featureExponents[j]);
      }
    }
    responseExponent = exponent(IntStream.of(used).mapToDouble(source::response));
    weightExponent = exponent(IntStream.of(used).mapToDouble(source::weight));
    for (int k = 0; k < rows; k++) {
      y[k] = Math.scalb(source.response(used[k]), -responseExponent);
      w[k] = Math.scalb(source.weight(used[k]), -weightExponent);
    }
  }

  /** Copies and scales rows; O(n p) time. */
  static ScaledRows of(WeightedRows source) {
    return new ScaledRows(
        source, IntStream.range(0, source.rows()).filter(i -> source.weight(i) > 0.0).toArray());
  }

  private static int exponent(DoubleStream values) {
    double largest = values.map(Math::abs).max().orElse(0.0);
    return largest > 0.0 ? Math.getExponent(largest) : 0;
  }

  /** Converts coefficients to the units of the input. */
  DoubleVector coefficients(double... b) {
    return DoubleVector.generate(
        // avoids -0.0
        columns, j -> 0.0 + Math.scalb(b[j], responseExponent - featureExponents[j]));
  }

  /** Converts a sum of weighted responses to the units of the input. */
  double loss(double scaled) {
    return Math.scalb(scaled, responseExponent + weightExponent);
  }

  /** Writes X b into {@code out}, n entries. */
  void products(double[] b, double[] out) {
    int at = 0;
    for (int i = 0; i < rows; i++) {
      double sum = 0.0;
      for (int j = 0; j < columns; j++) {
        sum += x[at++] * b[j];
      }
      out[i] = sum;
    }
  }

  /** Returns responses - X b, n entries. */
  double[] residuals(double[] responses, double[] b) {
    double[] out = new double[rows];
    residuals(responses, b, out);
    return out;
  }

  /** Writes responses - X b into {@code out}, n entries. */
  void residuals(double[] responses, double[] b, double[] out) {
    products(b, out);
    for (int i = 0; i < rows; i++) {
      out[i] = responses[i] - out[i];
    }
  }

  /** Returns sum_j |x_ij b_j| of one row, the scale of its rounding errors. */
  double magnitude(int row, double... b) {
    double sum = 0.0;
    for (int j = 0; j < columns; j++) {
      sum += Math.abs(x[row * columns + j] * b[j]);
    }
    return sum;
  }

  /** Returns x_i'b of one row. */
  double product(int row, double... b) {
    double sum = 0.0;
    for (int j = 0; j < columns; j++) {
      sum += x[row * columns + j] * b[j];
    }
    return sum;
  }

  /** Returns X'g, p entries. */
  double[] cross(double... g) {
    double[] sums = new double[columns];
    int k = 0;
    for (; k + 3 < rows; k += 4) {
      addFour(k, g, sums);
    }
    for (; k < rows; k++) {
      for (int j = 0; j < columns; j++) {
        sums[j] += g[k] * x[k * columns + j];
      }
    }
    return sums;
  }

  /** Returns (1 - tau) X'w - X'a, p entries: 0 if the positions a balance. */
  double[] missing(double tau, double... a) {
    double[] apart = new double[rows];
    for (int i = 0; i < rows; i++) {
      apart[i] = (1.0 - tau) * w[i] - a[i];
    }
    return cross(apart);
  }

  private void addFour(int k, double[] g, double[] sums) {
    int p = columns;
    int a = k * p;
    int b = a + p;
    int c = b + p;
    int d = c + p;
    for (int j = 0; j < p; j++) {
      sums[j] += g[k] * x[a + j] + g[k + 1] * x[b + j] + g[k + 2] * x[c + j] + g[k + 3] * x[d + j];
    }
  }

  /**
   * Returns X' diag(q) X, p x p row-major, upper triangle only.
   *
   * <p>Processes four rows at a time, so that the triangle is read and written once for four rows.
   */
  double[] gram(double... q) {
    int p = columns;
    double[] sums = new double[p * p];
    int k = 0;
    for (; k + 3 < rows; k += 4) {
      gramOfFour(k, q, sums);
    }
    for (; k < rows; k++) {
      for (int i = 0; i < p; i++) {
        double c = q[k] * x[k * p + i];
        for (int j = i; j < p; j++) {
          sums[i * p + j] += c * x[k * p + j];
        }
      }
    }
    return sums;
  }

  private void gramOfFour(int k, double[] q, double[] sums) {
    int p = columns;
    int a = k * p;
    int b = a + p;
    int c = b + p;
    int d = c + p;
    for (int i = 0; i < p; i++) {
      double qa = q[k] * x[a + i];
      double qb = q[k + 1] * x[b + i];
      double qc = q[k + 2] * x[c + i];
      double qd = q[k + 3] * x[d + i];
      int row = i * p;
      for (int j = i; j < p; j++) {
        sums[row + j] += qa * x[a + j] + qb * x[b + j] + qc * x[c + j] + qd * x[d + j];
      }
    }
  }
}
