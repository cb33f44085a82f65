package io.gauze.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import org.apache.commons.statistics.distribution.ContinuousDistribution;

/** Chi-square tests of samplers in 200 bins that are equally likely, level {@link Alpha#TEST}. */
public final class GoodnessOfFit {
  public static final int DRAWS = 1_000_000;
  private static final int BINS = 200;

  private GoodnessOfFit() {}

  /** 1e6 draws of a continuous law. */
  public static double statistic(ContinuousDistribution law, DoubleSupplier sampler) {
    double[] samples = new double[DRAWS];
    Arrays.setAll(samples, i -> sampler.getAsDouble());
    return statistic(law, samples);
  }

  public static double statistic(ContinuousDistribution law, double[] samples) {
    double[] edges = edges(law);
    return statistic(edges, cumulative(law, edges, 0.0), samples);
  }

  /** 1e6 draws of the nearest whole number of a continuous law. */
  public static double ofWhole(ContinuousDistribution law, DoubleSupplier sampler) {
    double[] edges = edges(law);
    Arrays.setAll(edges, i -> Math.rint(edges[i]));
    double[] samples = new double[DRAWS];
    Arrays.setAll(samples, i -> sampler.getAsDouble());
    return statistic(edges, cumulative(law, edges, 0.5), samples);
  }

  public static void fits(double statistic) {
    fits(statistic, 1);
  }

  /** The largest of some statistics. */
  public static void fits(double largest, int statistics) {
    assertThat(largest).isLessThan(Alpha.chiSquare(BINS - 1, statistics));
  }

  public static void isRejected(double statistic) {
    isRejected(statistic, 1);
  }

  public static void isRejected(double largest, int statistics) {
    assertThat(largest).isGreaterThan(Alpha.chiSquare(BINS - 1, statistics));
  }

  private static double[] edges(ContinuousDistribution law) {
    double[] edges = new double[BINS - 1];
    Arrays.setAll(edges, i -> law.inverseCumulativeProbability((i + 1.0) / BINS));
    return edges;
  }

  private static double[] cumulative(ContinuousDistribution law, double[] edges, double shift) {
    return Arrays.stream(edges).map(x -> law.cumulativeProbability(x + shift)).toArray();
  }

  /** Given P(sample <= edge) for each edge. */
  private static double statistic(double[] edges, double[] cumulative, double[] samples) {
    long[] counts = new long[BINS];
    for (double sample : samples) {
      int at = Arrays.binarySearch(edges, sample);
      counts[at >= 0 ? at : -at - 1]++;
    }
    double sum = 0.0;
    for (int i = 0; i < BINS; i++) {
      double last = i < BINS - 1 ? cumulative[i] : 1.0;
      double expected = samples.length * (last - (i > 0 ? cumulative[i - 1] : 0.0));
      sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
  }
}
