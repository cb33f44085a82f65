package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Optional;

/**
 * Puts the features of a row on a grid, clipped by their own norm, for models that read the rows.
 *
 * <p>If the features x are longer than their bound, the row (x, y) is multiplied by {@code bound /
 * |x|}: the features are at the bound then, and the row has a weight that depends on its features
 * alone, so that a model that is linear in them stays true. The response has no bound. The features
 * are rounded toward zero and their integer norm is checked, as {@link RowEncoder} does; all
 * operations are IEEE operations in a fixed order.
 *
 * <p>Mutable buffers: use one instance per thread.
 */
public final class FeatureEncoder {
  private static final double LEAST_BOUND = 0x1p-6;
  private static final double LARGEST_BOUND = 0x1p8;

  /** The grid of features that are not clipped: an entry of 256 is 2^30 steps. */
  private static final Grid FINE = new Grid(22);

  /** The grid of entries of at most 1. */
  private static final Grid FINEST = new Grid(30);

  private final double bound;
  private final boolean clips;
  private final Grid grid;
  private final NormBound norm;
  private final double[] buffer;

  private FeatureEncoder(int features, double bound, boolean clips, Grid grid) {
    this.bound = bound;
    this.clips = clips;
    this.grid = grid;
    this.norm = new NormBound(features, bound, !clips, Optional.empty(), grid);
    this.buffer = new double[features];
  }

  /**
   * Creates an encoder.
   *
   * @param features p, the intercept included, in [1, 4096]
   * @param bound the l2 norm that no encoded features exceed, in [1/64, 256]
   * @throws IllegalArgumentException if one is out of range
   */
  public static FeatureEncoder of(int features, double bound) {
    Dimensions.square("features", features);
    Checks.within("featureBound", bound, LEAST_BOUND, LARGEST_BOUND);
    return new FeatureEncoder(features, bound, true, Grid.forRowBound(bound));
  }

  /**
   * Creates an encoder that clips nothing, on a grid of 2^-22. Entries must be in [-256, 256].
   *
   * @param features p, the intercept included, in [1, 4096]
   * @throws IllegalArgumentException if it is out of range
   */
  public static FeatureEncoder unclipped(int features) {
    Dimensions.square("features", features);
    return new FeatureEncoder(features, LARGEST_BOUND, false, FINE);
  }

  /**
   * Creates an encoder that clips nothing, on a grid of 2^-30. Entries must be in [-1, 1]; larger
   * ones may change.
   *
   * @param features p, the intercept included, in [1, 4096]
   * @throws IllegalArgumentException if it is out of range
   */
  public static FeatureEncoder ofUnitEntries(int features) {
    Dimensions.square("features", features);
    return new FeatureEncoder(features, 1.0, false, FINEST);
  }

  /** The grid of encoded features. */
  public Grid grid() {
    return grid;
  }

  /** The l2 norm that no encoded features exceed; of features that are not clipped, 256. */
  public double bound() {
    return bound;
  }

  /** p, the intercept included. */
  public int features() {
    return buffer.length;
  }

  /**
   * Encodes the features of one row. O(p) time.
   *
   * @param features p numbers in the encoded scale; NaN counts as 0
   * @param out receives them in grid steps from {@code at} on, of squared norm at most {@code
   *     floor((bound * 2^g)^2)}
   * @return the row's weight, in [0, 1], by which its response is to be multiplied; 0 if the
   *     squared norm is not finite, as the features are then 0
   * @throws IllegalArgumentException if the number of features differs
   */
  public double encode(double[] features, int[] out, int at) {
    Checks.length("features", features.length, buffer.length);
    if (!clips) {
      norm.truncate(features, buffer.length, out, at);
      return 1.0;
    }
    double square = 0.0;
    for (int i = 0; i < buffer.length; i++) {
      double value = Double.isNaN(features[i]) ? 0.0 : features[i];
      buffer[i] = value;
      square += value * value;
    }
    norm.apply(buffer, 1, out, at);
    return square > bound * bound ? bound / StrictMath.sqrt(square) : 1.0;
  }

  /** Shows bound and size only. */
  @Override
  public String toString() {
    return "FeatureEncoder[features=" + buffer.length + ", bound=" + bound + "]";
  }
}
