package io.gauze.benchmarks.papers;

import java.util.SplittableRandom;

/**
 * Generated rows of a linear model of few features: a constant, features that are uniform in [-1,
 * 1], of which five have a slope, and a response of at most 1 with a uniform residual. NOT private.
 */
final class SparseRows {
  static final double INTERCEPT = 0.5;
  private static final int SLOPES = 5;
  private static final double SLOPE = 0.15;
  private static final double RESIDUAL = 0.25; // largest

  private SparseRows() {}

  /** Returns n rows: the constant, d features, the response. */
  static double[][] of(int n, int d) {
    SplittableRandom random = new SplittableRandom(d);
    double[][] rows = new double[n][d + 2];
    for (double[] row : rows) {
      row[0] = INTERCEPT;
      row[d + 1] = RESIDUAL * (2 * random.nextDouble() - 1);
      for (int j = 1; j <= d; j++) {
        row[j] = 2 * random.nextDouble() - 1;
        row[d + 1] += slope(j) * row[j];
      }
    }
    return rows;
  }

  /** Returns the coefficient of an entry of a row. */
  static double slope(int j) {
    if (j < 1 || j > SLOPES) {
      return 0;
    }
    return j % 2 == 0 ? -SLOPE : SLOPE;
  }
}
