package io.gauze.benchmarks.papers;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Medians and the 20 % and 80 % points of repetitions with one random source each. */
final class Repeated {
  private static final long SEED = 20_180_601L;

  private Repeated() {}

  static double[] values(int seeds, ToDoubleFunction<SplittableRandom> measure) {
    double[] values = new double[seeds];
    for (int k = 0; k < seeds; k++) {
      double value = measure.applyAsDouble(new SplittableRandom(SEED + k));
      values[k] = Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
    }
    return values;
  }

  static FigureRow row(String variant, double x, double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new FigureRow(
        variant, x, quantile(0.5, sorted), quantile(0.2, sorted), quantile(0.8, sorted));
  }

  private static double quantile(double share, double... sorted) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    double part = at - below;
    return part == 0 ? sorted[below] : (1 - part) * sorted[below] + part * sorted[above];
  }
}
