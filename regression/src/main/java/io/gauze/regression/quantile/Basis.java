package io.gauze.regression.quantile;

import io.gauze.linalg.DoubleVector;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * Up to p linearly independent rows that a fit interpolates. With p rows it is a vertex of the
 * linear program.
 */
final class Basis {
  /**
   * The square of a row's part outside the span of others below which the row counts as dependent.
   */
  private static final double DEPENDENT = 1e-24;

  private final ScaledRows rows;
  private final int[] chosen;
  private final boolean[] member; // n entries
  private final double[] directions; // orthonormal, spanning the chosen rows, one after another
  private int size;

  Basis(ScaledRows rows) {
    this.rows = rows;
    this.chosen = new int[rows.columns];
    this.member = new boolean[rows.rows];
    this.directions = new double[rows.columns * rows.columns];
  }

  int size() {
    return size;
  }

  boolean full() {
    return size == chosen.length;
  }

  int row(int k) {
    return chosen[k];
  }

  boolean contains(int row) {
    return member[row];
  }

  /**
   * Adds those of {@code candidates} that are independent, by Gram-Schmidt with pivots: each time
   * the row with the largest product of its importance and its part outside the span of the others.
   * O(n p^2) time.
   *
   * @param candidates indexes of rows
   * @param importance a factor for each candidate, above 0
   */
  void addIndependent(int[] candidates, double... importance) {
    double[] outside = new double[candidates.length];
    double[] norm = new double[candidates.length];
    for (int c = 0; c < candidates.length; c++) {
      norm[c] = normSquare(candidates[c]);
      outside[c] = norm[c];
    }
    while (!full()) {
      int best = -1;
      double most = 0.0;
      for (int c = 0; c < candidates.length; c++) {
        if (outside[c] > 1e-10 * norm[c] && outside[c] * importance[c] > most) {
          best = c;
          most = outside[c] * importance[c];
        }
      }
      if (best < 0) {
        return;
      }
      if (!add(candidates[best])) {
        outside[best] = 0.0;
        continue;
      }
      for (int c = 0; c < candidates.length; c++) {
        double part = along(candidates[c], size - 1);
        outside[c] -= part * part;
      }
      outside[best] = 0.0;
    }
  }

  /** Adds a row unless it depends on the others. O(p^2) time. Returns true if the row was added. */
  boolean add(int row) {
    int p = rows.columns;
    double[] rest = Arrays.copyOfRange(rows.x, row * p, row * p + p);
    double norm = DoubleVector.dot(rest, rest);
    removeSpan(rest);
    removeSpan(rest); // repeated to remove rounding errors
    double left = DoubleVector.dot(rest, rest);
    if (!(left > DEPENDENT * norm)) {
      return false;
    }
    for (int j = 0; j < p; j++) {
      directions[size * p + j] = rest[j] / Math.sqrt(left);
    }
    chosen[size++] = row;
    member[row] = true;
    return true;
  }

  /**
   * Returns a direction of coefficients that does not change the products of the chosen rows, which
   * must be fewer than p.
   */
  double[] free() {
    int p = rows.columns;
    double[] best = new double[p];
    for (int j = 0; j < p; j++) {
      double[] rest = new double[p];
      rest[j] = 1.0;
      removeSpan(rest);
      removeSpan(rest);
      if (DoubleVector.dot(rest, rest) > DoubleVector.dot(best, best)) {
        best = rest;
      }
    }
    return best;
  }

  /**
   * Replaces the row at index k; the caller must know that the new row is independent of the
   * others.
   */
  void replace(int k, int row) {
    member[chosen[k]] = false;
    member[row] = true;
    chosen[k] = row;
  }

  /** Returns b with X_B b = responses_B, refined once. O(p^3) time. */
  double[] interpolate(double... responses) {
    DMatrixRMaj matrix = matrix();
    LinearSolverDense<DMatrixRMaj> solver = factored(matrix);
    DMatrixRMaj right = new DMatrixRMaj(size, 1);
    for (int k = 0; k < size; k++) {
      right.set(k, responses[chosen[k]]);
    }
    DMatrixRMaj b = new DMatrixRMaj(size, 1);
    DMatrixRMaj change = new DMatrixRMaj(size, 1);
    solver.solve(right, b);
    CommonOps_DDRM.multAdd(-1.0, matrix, b, right);
    solver.solve(right, change);
    CommonOps_DDRM.addEquals(b, change);
    return b.getData();
  }

  /** Returns d with X_B d = the unit vector of index k. O(p^3) time. */
  double[] edge(int k) {
    DMatrixRMaj right = new DMatrixRMaj(size, 1);
    right.set(k, 1.0);
    DMatrixRMaj d = new DMatrixRMaj(size, 1);
    factored(matrix()).solve(right, d);
    return d.getData();
  }

  /** Returns a with X_B' a = sums. O(p^3) time. */
  double[] balance(double... sums) {
    DMatrixRMaj transposed = CommonOps_DDRM.transpose(matrix(), null);
    DMatrixRMaj a = new DMatrixRMaj(size, 1);
    factored(transposed).solve(DMatrixRMaj.wrap(size, 1, sums), a);
    return a.getData();
  }

  private static LinearSolverDense<DMatrixRMaj> factored(DMatrixRMaj matrix) {
    LinearSolverDense<DMatrixRMaj> lu = LinearSolverFactory_DDRM.lu(matrix.getNumRows());
    if (!lu.setA(matrix.copy())) {
      throw new IllegalStateException("rows of a basis depend on each other");
    }
    return lu;
  }

  private DMatrixRMaj matrix() {
    DMatrixRMaj matrix = new DMatrixRMaj(size, rows.columns);
    for (int k = 0; k < size; k++) {
      System.arraycopy(
          rows.x, chosen[k] * rows.columns, matrix.getData(), k * rows.columns, rows.columns);
    }
    return matrix;
  }

  private void removeSpan(double... vector) {
    int p = rows.columns;
    for (int k = 0; k < size; k++) {
      double part = 0.0;
      for (int j = 0; j < p; j++) {
        part += directions[k * p + j] * vector[j];
      }
      for (int j = 0; j < p; j++) {
        vector[j] -= part * directions[k * p + j];
      }
    }
  }

  private double along(int row, int direction) {
    int p = rows.columns;
    double sum = 0.0;
    for (int j = 0; j < p; j++) {
      sum += rows.x[row * p + j] * directions[direction * p + j];
    }
    return sum;
  }

  private double normSquare(int row) {
    int p = rows.columns;
    double sum = 0.0;
    for (int j = 0; j < p; j++) {
      sum += rows.x[row * p + j] * rows.x[row * p + j];
    }
    return sum;
  }
}
