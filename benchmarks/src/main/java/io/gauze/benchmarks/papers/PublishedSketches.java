package io.gauze.benchmarks.papers;

import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The sketches as S. Das, D. Nayak and A. Dasgupta (2025) describe them, for broken references:
 * noise rows are hashed and sampled like rows of data, so that some buckets get none. They are NOT
 * private.
 */
final class PublishedSketches {
  static final double DELTA = 1e-6;
  static final int BASE = 8;
  private static final int SIZE = LinearRows.SIZE;

  private PublishedSketches() {}

  /** The number of noise rows that fill r buckets in expectation. */
  static int noiseRows(int buckets) {
    return (int) Math.ceil(buckets * Math.log(buckets));
  }

  /** The published deviation for the l2 sensitivity of so many buckets that a row counts in. */
  static double sigma(double epsilon, double times) {
    return 2 * LinearRows.BOUND * times * Math.sqrt(2 * Math.log(1.25 / DELTA)) / epsilon;
  }

  /** Returns the moments of the rows of a CountSketch. */
  static double[][] countSketch(
      LinearRows rows, int buckets, double epsilon, SplittableRandom random) {
    double[][] sums = new double[buckets][SIZE];
    for (int i = 0; i < LinearRows.ROWS; i++) {
      add(sums[random.nextInt(buckets)], rows.row(i), random.nextBoolean() ? 1 : -1);
    }
    double sigma = sigma(epsilon, 1);
    for (int i = 0; i < noiseRows(buckets); i++) {
      add(sums[random.nextInt(buckets)], noise(sigma, random), 1);
    }
    double[][] moments = new double[SIZE][SIZE];
    for (double[] sum : sums) {
      Matrix.add(moments, sum);
    }
    return moments;
  }

  private static void add(double[] sum, double[] row, int sign) {
    for (int j = 0; j < sum.length; j++) {
      sum[j] += sign * row[j];
    }
  }

  private static double[] noise(double sigma, SplittableRandom random) {
    double[] row = new double[SIZE];
    Arrays.setAll(row, j -> sigma * random.nextGaussian());
    return row;
  }

  /** The ridge of algorithm 1. */
  static double ridge(int rows, double epsilon) {
    double log = Math.log(8 / DELTA);
    double square = LinearRows.BOUND * LinearRows.BOUND;
    return 8 * square * (Math.sqrt(2 * rows * log) + 2 * log) / epsilon;
  }

  static int levels() {
    return (int) Math.ceil(Math.log(LinearRows.ROWS) / Math.log(BASE));
  }

  /**
   * Returns the least absolute deviations of a multilevel sketch (algorithm 2).
   *
   * @param buckets in each of the levels 0, ..., h_m
   * @param epsilon infinite for no noise
   */
  static double[] leastAbsolute(
      LinearRows rows, int buckets, double epsilon, SplittableRandom random) {
    int last = levels();
    double[][] sums = new double[buckets * (last + 1)][SIZE];
    for (int i = 0; i < LinearRows.ROWS; i++) {
      spread(sums, buckets, rows.row(i), random);
    }
    if (Double.isFinite(epsilon)) {
      double sigma = sigma(epsilon, last);
      for (int i = 0; i < noiseRows(sums.length); i++) {
        spread(sums, buckets, noise(sigma, random), random);
      }
    }
    return fit(sums, buckets);
  }

  private static void spread(double[][] sums, int buckets, double[] row, SplittableRandom random) {
    for (int level : levelsOf(random)) {
      add(sums[level * buckets + random.nextInt(buckets)], row, 1);
    }
  }

  /** Draws the levels of a row: 0, at most one in between, and perhaps the last. */
  static List<Integer> levelsOf(SplittableRandom random) {
    List<Integer> levels = new ArrayList<>(List.of(0));
    double place = random.nextDouble();
    for (int h = 1; h < levels(); h++) {
      double share = Math.pow(BASE, -h);
      if (place < share) {
        levels.add(h);
        break;
      }
      place -= share;
    }
    if (random.nextDouble() < Math.pow(BASE, -levels())) {
      levels.add(levels());
    }
    return levels;
  }

  private static double[] fit(double[][] sums, int buckets) {
    int p = SIZE - 1;
    double[] x = new double[sums.length * p];
    double[] y = new double[sums.length];
    double[] w = new double[sums.length];
    for (int i = 0; i < sums.length; i++) {
      System.arraycopy(sums[i], 0, x, i * p, p);
      y[i] = sums[i][p];
      int level = i / buckets;
      w[i] = Math.pow(BASE, level);
    }
    QuantileOutcome outcome = QuantileRegression.lad(WeightedRows.of(p, x, y, w));
    return outcome instanceof QuantileOutcome.Solved solved
        ? solved.fit().coefficients().toArray()
        : new double[p];
  }
}
