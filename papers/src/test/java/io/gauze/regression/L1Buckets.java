package io.gauze.regression;

import io.gauze.regression.papers.ReleasedL1Rows;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.SplittableRandom;

/** Makes noisy multilevel buckets of up to one sampled level. */
public final class L1Buckets {
  private L1Buckets() {}

  public static ReleasedL1Rows release(
      double[][] rows, MultilevelSketchSpec spec, double sigma, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[spec.stateLength()];
    int part = spec.buckets() / spec.copies();
    for (double[] row : rows) {
      for (int copy = 0; copy < spec.copies(); copy++) {
        add(row, spec.index(copy * part + random.nextInt(part), 0), values);
      }
      if (spec.levels() == 1 && random.nextInt(spec.base()) == 0) {
        add(row, spec.index(spec.buckets() + random.nextInt(spec.buckets()), 0), values);
      }
    }
    for (int i = 0; i < values.length && sigma > 0.0; i++) {
      values[i] += sigma * random.nextGaussian();
    }
    return ReleasedL1Rows.of(spec, values, sigma, LadRows.INTERCEPT);
  }

  private static void add(double[] row, int at, double... values) {
    for (int i = 0; i < row.length; i++) {
      values[at + i] += row[i];
    }
  }
}
