package io.gauze.noise;

import java.util.Arrays;

/**
 * Operations on upper triangles of D x D matrices in one array, row by row: (0, 0), (0, 1), ...,
 * (1, 1), (1, 2), ... U and R denote upper triangular matrices; a symmetric matrix is given by its
 * upper triangle.
 */
final class UpperTriangle {
  /** The part of a pivot, per column, that may be a rounding error. */
  private static final double ROUNDING = 0x1p-50;

  private UpperTriangle() {}

  static int length(int columns) {
    return columns * (columns + 1) / 2;
  }

  /** Returns the index that column 0 of row i would have, so that (i, j) is at this plus j. */
  static int row(int columns, int i) {
    return i * columns - i * (i + 1) / 2;
  }

  /**
   * Returns U with {@code U' U = M}, in O(D^3). A row is zero if rounding cannot distinguish its
   * pivot from that of a singular M.
   *
   * @throws IllegalArgumentException if M has other than {@code D (D + 1) / 2} entries, one that is
   *     not finite, or is not positive semidefinite; the message shows no entry
   */
  static double[] cholesky(int columns, double[] matrix) {
    check(columns, matrix);
    double[] root = matrix.clone();
    double[] tolerance = new double[columns];
    for (int i = 0; i < columns; i++) {
      tolerance[i] = columns * ROUNDING * root[row(columns, i) + i];
    }
    for (int i = 0; i < columns; i++) {
      int at = row(columns, i);
      if (negligible(root, at, i, tolerance)) {
        Arrays.fill(root, at + i, at + columns, 0.0);
      } else {
        eliminate(columns, root, i);
      }
    }
    return root;
  }

  private static void eliminate(int columns, double[] root, int i) {
    int at = row(columns, i);
    double pivot = root[at + i];
    if (!(pivot > 0.0)) { // also refuses NaN
      throw notPositive();
    }
    double scale = 1.0 / Math.sqrt(pivot);
    for (int j = i; j < columns; j++) {
      root[at + j] *= scale;
    }
    for (int k = i + 1; k < columns; k++) {
      double factor = root[at + k];
      int below = row(columns, k);
      for (int j = k; j < columns; j++) {
        root[below + j] -= factor * root[at + j];
      }
    }
  }

  /** Checks whether the remaining row is zero, up to rounding errors. */
  // m_ij| <= sqrt(m_ii m_jj), so this bounds the rounding errors in the remaining row.
  private static boolean negligible(double[] root, int at, int i, double[] tolerance) {
    for (int j = i; j < tolerance.length; j++) {
      if (!(Math.abs(root[at + j]) <= Math.sqrt(tolerance[i]) * Math.sqrt(tolerance[j]))) {
        return false;
      }
    }
    return true;
  }

  private static void check(int columns, double[] matrix) {
    if (matrix.length != length(columns)) {
      throw new IllegalArgumentException(
          "upper must have "
              + length(columns)
              + " entries for "
              + columns
              + " columns. Provided value: "
              + matrix.length);
    }
    for (double entry : matrix) {
      if (!Double.isFinite(entry)) {
        throw new IllegalArgumentException("upper must have finite entries. One is not.");
      }
    }
  }

  private static IllegalArgumentException notPositive() {
    return new IllegalArgumentException(
        "upper must be of a positive semidefinite matrix. The one provided is not.");
  }

  /** Returns {@code R' R}. */
  static double[] gram(int columns, double[] factor) {
    double[] gram = new double[factor.length];
    for (int i = 0; i < columns; i++) {
      addOuter(columns, factor, row(columns, i), i, gram);
    }
    return gram;
  }

  /**
   * Adds {@code r' r} for the row r whose columns from {@code first} on start at index {@code at}.
   */
  static void addOuter(int columns, double[] rows, int at, int first, double[] sum) {
    for (int i = first; i < columns; i++) {
      double factor = rows[at + i];
      int to = row(columns, i);
      for (int j = i; j < columns; j++) {
        sum[to + j] += factor * rows[at + j];
      }
    }
  }

  /** Returns {@code R U}. */
  static double[] product(int columns, double[] left, double[] right) {
    double[] product = new double[left.length];
    for (int i = 0; i < columns; i++) {
      int at = row(columns, i);
      for (int k = i; k < columns; k++) {
        addMultiple(columns, left[at + k], right, k, product, at);
      }
    }
    return product;
  }

  /** Adds a multiple of row k of U to the row whose column 0 would be at index {@code at}. */
  static void addMultiple(int columns, double factor, double[] upper, int k, double[] sum, int at) {
    int from = row(columns, k);
    for (int j = k; j < columns; j++) {
      sum[at + j] += factor * upper[from + j];
    }
  }
}
