package io.gauze.regression;

import io.gauze.regression.moments.ReleasedRows;
import java.util.SplittableRandom;

/** Makes noisy bucket rows. */
public final class Buckets {
  private Buckets() {}

  public static ReleasedRows release(
      double[][] rows, int buckets, double sigma, SplittableRandom random) {
    int dimension = rows[0].length;
    double[] values = new double[buckets * dimension];
    for (double[] row : rows) {
      long hash = random.nextLong();
      int start = (int) ((hash >>> 40) % buckets) * dimension;
      int sign = (hash & 1) == 0 ? 1 : -1;
      for (int i = 0; i < dimension; i++) {
        values[start + i] += sign * row[i];
      }
    }
    for (int i = 0; i < values.length; i++) {
      values[i] += sigma * random.nextGaussian();
    }
    return ReleasedRows.of(buckets, dimension, values, sigma, Simulation.INTERCEPT);
  }
}
