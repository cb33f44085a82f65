package io.gauze.benchmarks;

import java.util.SplittableRandom;

/**
 * Made-up rows of a linear model in which 8 of d columns have a slope, of equal sizes, and explain
 * 80 % of the response; every other one is negative. The response and the columns, each two of
 * which have one correlation, are normal with a standard deviation of a third of half their range,
 * and are clamped to it.
 */
final class FewSlopes {
  static final double INTERCEPT = 0.5;

  private static final int SLOPES = 8;
  private static final double DEVIATION = 1.0 / 3.0;
  private static final double EXPLAINED = 0.8;

  /** The mean square of a standard normal number that is clamped to [-3, 3]. */
  // 2 Phi(3) - 1 - 6 phi(3) + 18 (1 - Phi(3))
  private static final double CLAMPED = 0.9950073;

  private static final double SQUARE = CLAMPED * DEVIATION * DEVIATION;
  private static final double RESIDUAL = DEVIATION * Math.sqrt(1.0 - EXPLAINED);

  /**
   * The slopes of the best linear model over those of the response before it is clamped: the chance
   * that it is not, as Bussgang's theorem has it for normal numbers.
   */
  private static final double KEPT = 0.9973002; // 2 Phi(3) - 1

  private final int features;
  private final double correlation;
  private final double slope;
  private final SplittableRandom random;

  /**
   * Rows of columns beside the response.
   *
   * @param features the number of columns, at least 8
   * @param correlation of any two of them, in [0, 1)
   * @param seed of the rows
   */
  // What the columns share cancels in the response, whose slopes add up to 0.
  FewSlopes(int features, double correlation, long seed) {
    this.features = features;
    this.correlation = correlation;
    this.slope = DEVIATION * Math.sqrt(EXPLAINED / (SLOPES * (1.0 - correlation) * SQUARE));
    this.random = new SplittableRandom(seed);
  }

  /** Returns the next row: the columns and the response, in [-1, 1]. */
  double[] next() {
    double[] row = new double[features + 1];
    double response = RESIDUAL * random.nextGaussian();
    double shared = Math.sqrt(correlation) * random.nextGaussian();
    for (int k = 0; k < features; k++) {
      double own = Math.sqrt(1.0 - correlation) * random.nextGaussian();
      row[k] = clamped(DEVIATION * (shared + own));
      response += slope(k) * row[k];
    }
    row[features] = clamped(response);
    return row;
  }

  private static double clamped(double value) {
    return Math.max(-1.0, Math.min(1.0, value));
  }

  private double slope(int column) {
    if (column >= SLOPES) {
      return 0.0;
    }
    return column % 2 == 0 ? slope : -slope;
  }

  /**
   * Returns how much larger the root of the mean square of a model's residuals is than that of the
   * best linear model, as a share, on infinitely many rows.
   *
   * @param theta the coefficients of the intercept, which is {@link #INTERCEPT}, and of the columns
   */
  double excess(double... theta) {
    double squares = 0.0;
    double sum = 0.0;
    for (int k = 1; k < theta.length; k++) {
      double off = theta[k] - KEPT * slope(k - 1);
      squares += off * off;
      sum += off;
    }
    double apart = (1.0 - correlation) * squares + correlation * sum * sum;
    double square = Math.pow(INTERCEPT * theta[0], 2) + SQUARE * apart;
    double least = (CLAMPED - KEPT * KEPT * EXPLAINED) * DEVIATION * DEVIATION;
    return Math.sqrt(1.0 + square / least) - 1.0;
  }
}
