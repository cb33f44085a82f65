package io.gauze.model.track;

import io.gauze.model.ResidualStatistics;
import io.gauze.model.ResidualStatisticsSpec;

/**
 * The published statistics of one epoch in the encoded scale, and the model at which they were
 * taken. The arrays are not to be changed.
 */
final class EpochResiduals {
  private final double[] centre;
  private final double threshold;
  private final double[] counts;
  private final double[] gradient;
  private final double[] hessian;

  /**
   * Converts numbers.
   *
   * @param numbers as {@link ResidualStatistics#numbers()}
   */
  EpochResiduals(ResidualStatisticsSpec spec, double[] centre, double threshold, long... numbers) {
    this.centre = centre;
    this.threshold = threshold;
    int bins = ResidualStatistics.BINS;
    this.counts = part(numbers, 0, bins, Math.scalb(1.0, -ResidualStatisticsSpec.COUNT_BITS));
    this.gradient = part(numbers, bins, spec.features(), spec.gradientStep());
    this.hessian = part(numbers, bins + spec.features(), spec.triangle(), spec.hessianStep());
  }

  private static double[] part(long[] numbers, int from, int length, double step) {
    double[] part = new double[length];
    for (int i = 0; i < length; i++) {
      part[i] = numbers[from + i] * step;
    }
    return part;
  }

  double[] centre() {
    return centre;
  }

  double threshold() {
    return threshold;
  }

  double[] counts() {
    return counts;
  }

  double[] gradient() {
    return gradient;
  }

  /** The upper triangle. */
  double[] hessian() {
    return hessian;
  }
}
