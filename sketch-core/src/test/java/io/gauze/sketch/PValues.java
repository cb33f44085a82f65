package io.gauze.sketch;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** P-values of the tests of random draws: small ones speak against the hypothesis. */
final class PValues {
  private PValues() {}

  /** Two-sided, of a statistic that is N(0, 1) under the hypothesis. */
  static double z(double z) {
    return 2 * NormalDistribution.of(0, 1).survivalProbability(Math.abs(z));
  }

  /** Two-sided, of a number of successes that is large, with the normal law. */
  static double successes(long successes, long trials, double probability) {
    return z(
        (successes - trials * probability) / Math.sqrt(trials * probability * (1 - probability)));
  }

  /** Chi-square test that all cells are equally likely. */
  static double uniformity(long... counts) {
    double[] probabilities = new double[counts.length];
    Arrays.fill(probabilities, 1.0 / counts.length);
    return chiSquare(counts, probabilities);
  }

  /** Chi-square test of cells with known probabilities, which sum to 1. */
  static double chiSquare(long[] counts, double... probabilities) {
    long n = Arrays.stream(counts).sum();
    double chiSquare = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = n * probabilities[i];
      chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return ChiSquaredDistribution.of(counts.length - 1).survivalProbability(chiSquare);
  }

  /** Kolmogorov-Smirnov test that the values are uniform on [0, 1]: the asymptotic p-value. */
  static double uniform(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int n = sorted.length;
    double distance = 0;
    for (int i = 0; i < n; i++) {
      distance =
          Math.max(distance, Math.max(sorted[i] - (double) i / n, (i + 1.0) / n - sorted[i]));
    }
    return kolmogorov(distance * Math.sqrt(n));
  }

  /** Kolmogorov-Smirnov test that two sorted samples have one law: the asymptotic p-value. */
  static double sameLaw(double[] sortedA, double[] sortedB) {
    double n = sortedA.length;
    double m = sortedB.length;
    double distance = 0;
    int i = 0;
    int j = 0;
    while (i < n && j < m) {
      double x = Math.min(sortedA[i], sortedB[j]);
      while (i < n && sortedA[i] <= x) {
        i++;
      }
      while (j < m && sortedB[j] <= x) {
        j++;
      }
      distance = Math.max(distance, Math.abs(i / n - j / m));
    }
    return kolmogorov(distance * Math.sqrt(n * m / (n + m)));
  }

  /** The survival function of the limit law; above 1 where it is near 1. */
  private static double kolmogorov(double distance) {
    double square = distance * distance;
    return 2 * (Math.exp(-2 * square) - Math.exp(-8 * square) + Math.exp(-18 * square));
  }
}
