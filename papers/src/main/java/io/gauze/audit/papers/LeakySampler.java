package io.gauze.audit.papers;

import io.gauze.noise.Entropy;
import io.gauze.noise.StandardNormal;
import java.math.BigDecimal;

/**
 * Samplers of continuous laws with two errors: their normal numbers are multiples of 2^-40, and
 * their results are rounded without a filling. Over the reals they have the same proofs as the
 * sound samplers.
 */
final class LeakySampler {
  private LeakySampler() {}

  private static double normal(Entropy entropy) {
    return Math.scalb(Math.rint(Math.scalb(StandardNormal.sample(entropy), 40)), -40);
  }

  /**
   * Returns the root of a chi-square number by the method of Marsaglia and Tsang, for two degrees
   * and more.
   */
  private static double chi(int degrees, Entropy entropy) {
    double shift = 0.5 * degrees - 1.0 / 3.0;
    while (true) {
      double normal = normal(entropy);
      double t = normal / Math.sqrt(9.0 * shift);
      double cube = (1.0 + t) * (1.0 + t) * (1.0 + t);
      double uniform = ((entropy.nextLong() >>> 11) + 0.5) * 0x1p-53;
      double bound = 0.5 * normal * normal + shift * (1.0 - cube + Math.log(cube));
      if (t > -1.0 && Math.log(uniform) < bound) {
        return Math.sqrt(2.0 * shift * cube);
      }
    }
  }

  private static double[][] bartlett(int columns, int degrees, Entropy entropy) {
    double[][] factor = new double[columns][columns];
    for (int i = 0; i < columns; i++) {
      factor[i][i] = chi(degrees - i, entropy);
      for (int j = i + 1; j < columns; j++) {
        factor[i][j] = normal(entropy);
      }
    }
    return factor;
  }

  /** Returns a sampler of moments with additive Wishart noise. */
  static LatticeAttack.Releaser wishart(int columns, int degrees, double scale, long[] moments) {
    return entropy -> {
      long[] release = rounded(columns, bartlett(columns, degrees, entropy), 1.0 / scale);
      for (int i = 0; i < release.length; i++) {
        release[i] += moments[i];
      }
      return release;
    };
  }

  /** Returns a sampler of rows {@code N(0, M)} in steps of a grid. */
  static LatticeAttack.Releaser rows(int columns, int rows, double unit, BigDecimal[][] moments) {
    double[][] root = root(moments);
    return entropy -> {
      long[] release = new long[rows * columns];
      for (int row = 0; row < rows; row++) {
        double[] sum = new double[columns];
        for (int k = 0; k < columns; k++) {
          addMultiple(normal(entropy), root[k], sum);
        }
        for (int j = 0; j < columns; j++) {
          release[row * columns + j] = Math.round(sum[j] / unit);
        }
      }
      return release;
    };
  }

  /**
   * Returns a sampler of inverse Wishart matrices in steps of a grid: {@code Y'Y} for {@code R'Y =
   * U}.
   */
  static LatticeAttack.Releaser inverse(
      int columns, int degrees, double unit, BigDecimal[][] scale) {
    double[][] root = root(scale);
    return entropy -> {
      double[][] factor = bartlett(columns, degrees, entropy);
      double[][] solved = new double[columns][];
      for (int i = 0; i < columns; i++) {
        solved[i] = root[i].clone();
        for (int k = 0; k < i; k++) {
          addMultiple(-factor[k][i], solved[k], solved[i]);
        }
        for (int j = 0; j < columns; j++) {
          solved[i][j] /= factor[i][i];
        }
      }
      return rounded(columns, solved, unit);
    };
  }

  /** Returns the upper triangle of {@code F'F / unit}. */
  private static long[] rounded(int columns, double[][] factor, double unit) {
    long[] upper = new long[columns * (columns + 1) / 2];
    int at = 0;
    for (int i = 0; i < columns; i++) {
      for (int j = i; j < columns; j++) {
        double sum = 0.0;
        for (double[] row : factor) {
          sum += row[i] * row[j];
        }
        upper[at++] = Math.round(sum / unit);
      }
    }
    return upper;
  }

  private static void addMultiple(double factor, double[] row, double[] sum) {
    for (int j = 0; j < sum.length; j++) {
      sum[j] += factor * row[j];
    }
  }

  private static double[][] root(BigDecimal[][] matrix) {
    BigDecimal[][] factor = ExactTriangles.factor(matrix, matrix.length);
    double[][] root = new double[factor.length][factor.length];
    for (int i = 0; i < root.length; i++) {
      for (int j = i; j < root.length; j++) {
        root[i][j] = factor[i][j].doubleValue();
      }
    }
    return root;
  }
}
