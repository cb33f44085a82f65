package io.gauze.benchmarks.papers;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Small symmetric matrices as rows of doubles, and normal samples of them. NOT private. */
final class Matrix {
  private Matrix() {}

  static double[][] copy(double[][] m) {
    double[][] copy = new double[m.length][];
    for (int i = 0; i < m.length; i++) {
      copy[i] = m[i].clone();
    }
    return copy;
  }

  static double[][] plusDiagonal(double[][] m, double value) {
    double[][] sum = copy(m);
    for (int i = 0; i < m.length; i++) {
      sum[i][i] += value;
    }
    return sum;
  }

  static double[][] plus(double[][] a, double[][] b) {
    double[][] sum = copy(a);
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < a.length; j++) {
        sum[i][j] += b[i][j];
      }
    }
    return sum;
  }

  static double[][] times(double[][] m, double factor) {
    double[][] product = copy(m);
    for (double[] row : product) {
      for (int j = 0; j < row.length; j++) {
        row[j] *= factor;
      }
    }
    return product;
  }

  /** Adds the outer product of a row. */
  static void add(double[][] m, double... row) {
    for (int i = 0; i < row.length; i++) {
      for (int j = 0; j < row.length; j++) {
        m[i][j] += row[i] * row[j];
      }
    }
  }

  /**
   * Returns the lower triangle L with m = L L', or an empty array if m is not positive definite.
   */
  static double[][] root(double[][] m) {
    int n = m.length;
    double[][] l = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = m[i][j];
        for (int k = 0; k < j; k++) {
          sum -= l[i][k] * l[j][k];
        }
        if (i == j && !(sum > 0)) {
          return new double[0][];
        }
        l[i][j] = i == j ? Math.sqrt(sum) : sum / l[j][j];
      }
    }
    return l;
  }

  /** Solves a system that may be indefinite, by elimination with row pivots. */
  static double[] solve(double[][] matrix, double... right) {
    double[][] a = copy(matrix);
    double[] x = right.clone();
    int n = x.length;
    for (int k = 0; k < n; k++) {
      int pivot = k;
      for (int i = k + 1; i < n; i++) {
        pivot = Math.abs(a[i][k]) > Math.abs(a[pivot][k]) ? i : pivot;
      }
      double[] swapped = a[k];
      a[k] = a[pivot];
      a[pivot] = swapped;
      double other = x[k];
      x[k] = x[pivot];
      x[pivot] = other;
      for (int i = k + 1; i < n; i++) {
        double factor = a[i][k] / a[k][k];
        for (int j = k; j < n; j++) {
          a[i][j] -= factor * a[k][j];
        }
        x[i] -= factor * x[k];
      }
    }
    for (int k = n - 1; k >= 0; k--) {
      for (int j = k + 1; j < n; j++) {
        x[k] -= a[k][j] * x[j];
      }
      x[k] /= a[k][k];
    }
    return x;
  }

  /** Returns the coefficients of the last column on the others, from the moments of all. */
  static double[] regression(double[][] moments) {
    int p = moments.length - 1;
    double[][] left = new double[p][];
    double[] right = new double[p];
    for (int i = 0; i < p; i++) {
      left[i] = Arrays.copyOf(moments[i], p);
      right[i] = moments[i][p];
    }
    return solve(left, right);
  }

  /** Returns L T T' L', the moments of so many rows N(0, L L'), by Bartlett's triangle T. */
  static double[][] wishart(double[][] root, double rows, SplittableRandom random) {
    int n = root.length;
    double[][] t = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        t[i][j] = random.nextGaussian();
      }
      t[i][i] = Math.sqrt(chiSquare(rows - i, random));
    }
    double[][] product = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        for (int k = j; k <= i; k++) {
          product[i][j] += root[i][k] * t[k][j];
        }
      }
    }
    double[][] moments = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k <= Math.min(i, j); k++) {
          moments[i][j] += product[i][k] * product[j][k];
        }
      }
    }
    return moments;
  }

  /** A sum of squares below 200 degrees of freedom; above, Wilson and Hilferty's cube. */
  private static double chiSquare(double degrees, SplittableRandom random) {
    if (degrees < 200) {
      double sum = 0;
      for (int i = 0; i < degrees; i++) {
        double z = random.nextGaussian();
        sum += z * z;
      }
      return sum;
    }
    double part = 2 / (9 * degrees);
    double cube = 1 - part + Math.sqrt(part) * random.nextGaussian();
    return degrees * cube * cube * cube;
  }

  static double[][] identity(int n) {
    return plusDiagonal(new double[n][n], 1);
  }

  /** Returns a symmetric matrix of independent normal entries, each with its mirror image. */
  static double[][] gaussian(
      int n, double onDiagonal, double offDiagonal, SplittableRandom random) {
    double[][] noise = new double[n][n];
    for (int i = 0; i < n; i++) {
      noise[i][i] = onDiagonal * random.nextGaussian();
      for (int j = 0; j < i; j++) {
        noise[i][j] = offDiagonal * random.nextGaussian();
        noise[j][i] = noise[i][j];
      }
    }
    return noise;
  }
}
