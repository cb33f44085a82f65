package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.NormCounts;
import java.util.function.DoubleFunction;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The norm to which gradients, or features, are shortened: the one with the least sum of what noise
 * and what shortening are expected to add to the mean square of residuals. Noise adds its variance,
 * which grows with the square of the bound. What is cut off adds at most the square of its mean
 * norm, which it would if all of it pulled one way, and {@link Tuning#PULL} of that is expected.
 *
 * @param bound in units of the expected norm of a gradient, or of features, as all here
 * @param cut the mean norm of what is cut off
 * @param kept the part of the features' mean square that is left in the curvature
 * @param variance of the noise in an entry of the mean model
 */
record ClipChoice(double bound, double cut, double kept, double variance) {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** The exponents of the least and the largest bound, in eighths. */
  private static final int FIRST = -12;

  private static final int LAST = 88;

  private static final double PARTS = 8.0;

  /**
   * Chooses the bound of gradients of squares.
   *
   * @param sizes of gradients
   * @param features their number
   * @param deviation of the noise in a step of length 1, over the bound
   */
  static ClipChoice ofGradients(NormCounts sizes, int features, double deviation) {
    return best(
        features,
        bound -> new ClipChoice(bound, cutOfNormal(sizes, bound), 1.0, ofMean(bound * deviation)));
  }

  /**
   * Chooses the bound of features by which slopes of bounded size are multiplied.
   *
   * @param sizes of features; if noise hides them, all are 1
   * @param features their number
   * @param deviation of the noise in a step of length 1, over the bound, if no row is shortened
   */
  static ClipChoice ofFeatures(NormCounts sizes, int features, double deviation) {
    return best(
        features,
        bound -> {
          boolean isHidden = sizes.isHidden();
          double kept = isHidden ? Math.min(1.0, bound) : sizes.keptSquares(bound);
          double cut = isHidden ? Math.max(0.0, 1.0 - bound) : sizes.meanSeenAbove(bound);
          return new ClipChoice(bound, cut, kept, ofMean(bound * deviation / kept));
        });
  }

  private static ClipChoice best(int features, DoubleFunction<ClipChoice> of) {
    ClipChoice best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int k = FIRST; k <= LAST; k++) {
      ClipChoice next = of.apply(StrictMath.pow(2.0, k / PARTS));
      double cost = features * next.variance + Tuning.PULL * next.cut * next.cut;
      if (best == null || cost < least) {
        least = cost;
        best = next;
      }
    }
    return best;
  }

  // If noise hides all counts, residuals are taken for normal, and features for equally long: of a
  // normal residual of deviation 1 the mean above c, on both sides, is 2 (phi(c) - c Q(c)).
  private static double cutOfNormal(NormCounts sizes, double bound) {
    return sizes.isHidden()
        ? 2.0 * (NORMAL.density(bound) - bound * NORMAL.survivalProbability(bound))
        : sizes.meanAbove(bound);
  }

  // Where rows are white, a whole step leads to the minimum but for its own noise.
  private static double ofMean(double deviation) {
    return deviation * deviation / (Tuning.STEPS - Tuning.UNUSED);
  }
}
