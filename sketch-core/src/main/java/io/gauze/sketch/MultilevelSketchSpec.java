package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.util.Objects;

/**
 * The shape of a {@link MultilevelSketch}: levels 0 to h of N buckets each.
 *
 * @param dimension D, in [1, 4096]
 * @param buckets N, the buckets of one level, in [1, 2^20]; a multiple of the copies; all levels
 *     with D a state of at most 2^27 longs
 * @param levels h, the number of levels that are subsampled, in [0, 48]
 * @param base b: a row is in level l with probability {@code b^-l}; at least 2, with {@code b^h} at
 *     most 2^48
 * @param copies s, the number of buckets of level 0 to which a row is added, in [1, 16]
 * @param seed separates the sketches of one stream; public, since the secret is in the row's tag
 */
public record MultilevelSketchSpec(
    int dimension, int buckets, int levels, int base, int copies, long seed) implements SketchSpec {
  private static final int MAX_BUCKETS = 1 << 20;
  private static final int MAX_COPIES = 16;
  private static final int MAX_LEVELS = 48;
  private static final long MAX_SAMPLING = 1L << 48;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public MultilevelSketchSpec {
    Dimensions.square("dimension", dimension);
    Checks.within("buckets", buckets, 1, MAX_BUCKETS);
    Checks.within("levels", levels, 0, MAX_LEVELS);
    Checks.within("samplingBase", base, 2, Integer.MAX_VALUE);
    Checks.within("level0Buckets", copies, 1, MAX_COPIES);
    if (buckets % copies != 0) {
      throw new IllegalArgumentException(
          "buckets must be a multiple of copies. Provided value: " + buckets + " and " + copies);
    }
    Checks.within(
        "dimension * buckets * (levels + 1)",
        (long) dimension * buckets * (levels + 1),
        1,
        MAX_STATE_LENGTH);
    double sampling = StrictMath.pow(base, levels);
    if (!(sampling <= MAX_SAMPLING)) {
      throw new IllegalArgumentException(
          "base^levels must be in [1, 2^48]. Provided value: " + base + "^" + levels);
    }
  }

  /**
   * Returns the shape that was best for least absolute deviations in our measurements: half of the
   * buckets hold the sums of all rows, the other half a sample of about one row each.
   *
   * <p>Rule: {@code h = 1}, {@code N = buckets / 2} and {@code b = expectedRows / N}, rounded; or
   * all buckets in level 0 if b is below 2.
   *
   * @param dimension D, in [1, 4096]
   * @param buckets of all levels together, in [2 copies, 2^20]; rounded down to a multiple
   * @param expectedRows n, a public guess, at least 1
   * @param copies s, in [1, 16]
   * @param seed separates the sketches of one stream
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static MultilevelSketchSpec forRows(
      int dimension, int buckets, long expectedRows, int copies, long seed) {
    Checks.within("level0Buckets", copies, 1, MAX_COPIES);
    Checks.within("buckets", buckets, 2L * copies, MAX_BUCKETS);
    Checks.within("expectedRows", expectedRows, 1, Long.MAX_VALUE);
    int half = buckets / Tuning.OVER_LEVEL_0 / copies * copies;
    long base = Math.min(Integer.MAX_VALUE, Math.round((double) expectedRows / half));
    return base >= 2
        ? new MultilevelSketchSpec(dimension, half, 1, (int) base, copies, seed)
        : new MultilevelSketchSpec(dimension, buckets / copies * copies, 0, 2, copies, seed);
  }

  /** The number of buckets in all levels, which are the rows of the sketch. */
  public int rows() {
    return buckets * (levels + 1);
  }

  @Override
  public int stateLength() {
    return dimension * rows();
  }

  /**
   * Returns the largest number of buckets that a row touches: s in level 0, one in levels 1 to h -
   * 1 together, one in level h.
   */
  @Override
  public int bucketsTouched() {
    return copies + (levels >= 1 ? 1 : 0) + (levels >= 2 ? 1 : 0);
  }

  /**
   * Returns {@code B sqrt c} for add-remove, where a row touches c buckets with B each, and twice
   * that for replace-one.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    Objects.requireNonNull(neighbours, "neighbours");
    double all = Math.nextUp(rowBound * Math.nextUp(Math.sqrt(bucketsTouched())));
    return neighbours == Neighbours.ADD_REMOVE ? all : 2.0 * all;
  }

  /**
   * Returns the weight of a bucket's l1 norm in the estimate of the l1 norm of all rows: 1/s in
   * level 0, {@code b^l} in level l.
   *
   * @param bucket in [0, rows())
   * @throws IndexOutOfBoundsException if the bucket is out of range
   */
  public double weight(int bucket) {
    int level = Objects.checkIndex(bucket, rows()) / buckets;
    return level == 0 ? 1.0 / copies : StrictMath.pow(base, level);
  }

  /**
   * Returns the index in the state of a column of a bucket. The order is bucket by bucket, level 0
   * first.
   *
   * @param bucket in [0, rows())
   * @throws IndexOutOfBoundsException if the bucket or the column is out of range
   */
  public int index(int bucket, int column) {
    Objects.checkIndex(bucket, rows());
    Objects.checkIndex(column, dimension);
    return bucket * dimension + column;
  }

  @Override
  public MultilevelSketch zero() {
    return new MultilevelSketch(this, new long[stateLength()]);
  }
}
