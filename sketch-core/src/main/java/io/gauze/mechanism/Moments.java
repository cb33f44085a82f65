package io.gauze.mechanism;

import io.gauze.sketch.SecondMomentsSpec;

/** Helpers that prepare exact second moments for a release. */
public final class Moments {
  /**
   * The assumption that sums do not overflow. Noise added to a sum that wraps around keeps its
   * guarantee; an eigenvalue of such a sum does not.
   */
  public static final String NO_OVERFLOW =
      "sums that are kept without noise are of fewer than 2^33 - 2^20 rows, so that they cannot"
          + " overflow";

  private Moments() {}

  /** Returns the upper triangle of {@code M + ridge I}, in the encoded scale. */
  public static double[] ridged(
      SecondMomentsSpec spec, long[] state, double stepSize, double ridge) {
    double[] upper = new double[state.length];
    for (int i = 0; i < upper.length; i++) {
      upper[i] = state[i] * stepSize;
    }
    for (int i = 0; i < spec.dimension(); i++) {
      upper[spec.index(i, i)] += ridge;
    }
    return upper;
  }
}
