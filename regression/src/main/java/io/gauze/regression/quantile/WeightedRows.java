package io.gauze.regression.quantile;

import io.gauze.internal.Checks;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Rows of a regression: n rows of p features, a response and a weight each.
 *
 * <p>Immutable. Holds (p + 2) n doubles; its {@link #toString} shows the shape only.
 */
public final class WeightedRows {
  /** The largest number of features, since the systems of p x p are dense. */
  public static final int MAX_COLUMNS = 1024;

  private final int columns;
  private final double[] x;
  private final double[] y;
  private final double[] w;

  private WeightedRows(int columns, double[] x, double[] y, double[] w) {
    this.columns = columns;
    this.x = x;
    this.y = y;
    this.w = w;
  }

  /**
   * Creates rows with weights. O(n p) time and memory.
   *
   * @param columns p, in [1, 1024]
   * @param x the features row by row, n p finite values; copied. No intercept is added.
   * @param y the responses, n finite values; copied
   * @param w the weights, n finite values of at least 0; copied. Rows of weight 0 are ignored.
   * @throws IllegalArgumentException if one of these rules is broken; the message shows the index
   *     and the value, and nothing else of the data
   */
  public static WeightedRows of(int columns, double[] x, double[] y, double[] w) {
    Checks.within("columns", columns, 1, MAX_COLUMNS);
    Checks.length("x", x.length, (long) columns * y.length);
    Checks.length("w", w.length, y.length);
    Checks.finite("x", x);
    Checks.finite("y", y);
    for (int i = 0; i < w.length; i++) {
      // concatenates the name on failure only
      if (!(w[i] >= 0.0 && w[i] < Double.POSITIVE_INFINITY)) {
        Checks.nonNegativeFinite("w[" + i + "]", w[i]);
      }
    }
    return new WeightedRows(columns, x.clone(), y.clone(), w.clone());
  }

  /**
   * Creates rows of weight 1.
   *
   * @see #of(int, double[], double[], double[])
   * @throws IllegalArgumentException as {@link #of(int, double[], double[], double[])}
   */
  public static WeightedRows unweighted(int columns, double[] x, double[] y) {
    double[] ones = new double[y.length];
    Arrays.fill(ones, 1.0);
    return of(columns, x, y, ones);
  }

  /** The number of rows n, including those of weight 0. */
  public int rows() {
    return y.length;
  }

  /** The number of features p. */
  public int columns() {
    return columns;
  }

  public double feature(int row, int column) {
    return x[row * columns + column];
  }

  public double response(int row) {
    return y[row];
  }

  public double weight(int row) {
    return w[row];
  }

  /** The features row by row; must not be changed. */
  public double[] features() {
    return x;
  }

  /** The responses; must not be changed. */
  public double[] responses() {
    return y;
  }

  /** Returns y - X b, without weights. */
  public double[] residuals(double... b) {
    double[] residuals = y.clone();
    int at = 0;
    for (int i = 0; i < y.length; i++) {
      for (int j = 0; j < columns; j++) {
        residuals[i] -= x[at++] * b[j];
      }
    }
    return residuals;
  }

  /** Returns X'V X for the diagonal V, without weights. O(n p^2) time. */
  public DMatrixRMaj gram(double... v) {
    DMatrixRMaj joint = joint(v);
    return CommonOps_DDRM.extract(joint, 0, columns, 0, columns);
  }

  /** Returns [X y]'V [X y] for the diagonal V, without weights. O(n p^2) time. */
  public DMatrixRMaj joint(double... v) {
    int size = columns + 1;
    double[] sums = new double[size * size];
    double[] row = new double[size];
    for (int i = 0; i < y.length; i++) {
      if (v[i] != 0.0) {
        System.arraycopy(x, i * columns, row, 0, columns);
        row[columns] = y[i];
        addProducts(row, v[i], sums);
      }
    }
    DMatrixRMaj joint = DMatrixRMaj.wrap(size, size, sums);
    for (int j = 0; j < size; j++) {
      for (int k = 0; k < j; k++) {
        joint.set(j, k, joint.get(k, j));
      }
    }
    return joint;
  }

  private static void addProducts(double[] row, double weight, double[] sums) {
    int size = row.length;
    for (int j = 0; j < size; j++) {
      double value = weight * row[j];
      for (int k = j; k < size; k++) {
        sums[j * size + k] += value * row[k];
      }
    }
  }

  @Override
  public String toString() {
    return y.length + " rows x " + columns + " columns";
  }
}
