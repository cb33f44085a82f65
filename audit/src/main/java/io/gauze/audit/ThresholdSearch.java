package io.gauze.audit;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** Finds the thresholds with the largest expected bounds. */
final class ThresholdSearch {
  private static final int CANDIDATES = 500;

  /** The approximate distance of a confidence limit from its estimate, in standard errors. */
  private static final double WIDTH =
      NormalDistribution.of(0, 1).inverseSurvivalProbability(EpsilonBound.LEVEL);

  private ThresholdSearch() {}

  /**
   * Returns the best events among thresholds at quantiles of both samples.
   *
   * @param delta the claim's delta
   * @param first sorted statistics of runs on the first data set
   * @param second sorted statistics of as many runs on the second data set
   */
  static Events best(double delta, double[] first, double[] second) {
    double above =
        best(first, second, t -> score(delta, shareAbove(second, t), shareAbove(first, t), first));
    double below =
        best(first, second, t -> score(delta, shareBelow(first, t), shareBelow(second, t), first));
    return new Events(above, below);
  }

  private static double best(double[] first, double[] second, DoubleUnaryOperator score) {
    double best = first[first.length / 2];
    double highest = Double.NEGATIVE_INFINITY;
    for (double[] sample : new double[][] {first, second}) {
      for (int k = 1; k < CANDIDATES; k++) {
        double candidate = sample[(int) ((long) sample.length * k / CANDIDATES)];
        double value = score.applyAsDouble(candidate);
        if (value > highest) {
          highest = value;
          best = candidate;
        }
      }
    }
    return best;
  }

  /** Returns an approximation of the bound. */
  private static double score(double delta, double p, double q, double[] sample) {
    double n = sample.length;
    double low = p - WIDTH * Math.sqrt(p * (1.0 - p) / n) - delta;
    double high = q + WIDTH * Math.sqrt(q * (1.0 - q) / n) + WIDTH * WIDTH / (2.0 * n);
    return low > 0.0 ? Math.log(low / high) : Double.NEGATIVE_INFINITY;
  }

  private static double shareBelow(double[] sorted, double threshold) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < threshold) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (double) low / sorted.length;
  }

  private static double shareAbove(double[] sorted, double threshold) {
    return 1.0 - shareBelow(sorted, Math.nextUp(threshold));
  }
}
