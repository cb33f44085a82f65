package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.util.Objects;

/**
 * The shape of a {@link CountSketch}: buckets, each a sum of rows.
 *
 * @param dimension D, in [1, 20000]
 * @param buckets a power of two in [1, 2^20]; with D a state of at most 2^27 longs
 * @param seed separates the sketches of one stream; public, since the secret is in the row's tag
 */
public record CountSketchSpec(int dimension, int buckets, long seed) implements SketchSpec {
  private static final int MAX_BUCKETS = 1 << 20;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if the dimension, the buckets or the length of the state are
   *     out of range
   */
  public CountSketchSpec {
    Checks.within("dimension", dimension, 1, Dimensions.MOST);
    Checks.within("buckets", buckets, 1, MAX_BUCKETS);
    if (Integer.bitCount(buckets) != 1) {
      throw new IllegalArgumentException(
          "buckets must be a power of two. Provided value: " + buckets);
    }
    Checks.within("dimension * buckets", (long) dimension * buckets, 1, MAX_STATE_LENGTH);
  }

  /** Returns the most buckets of a sketch of D columns. */
  public static int mostBuckets(int dimension) {
    return Integer.highestOneBit((int) Math.min(MAX_BUCKETS, MAX_STATE_LENGTH / dimension));
  }

  @Override
  public int stateLength() {
    return dimension * buckets;
  }

  @Override
  public boolean addsCells() {
    return true;
  }

  @Override
  public int bucketsTouched() {
    return 1;
  }

  /** Returns B for add-remove, and 2 B for replace-one, where all entries may change their sign. */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    Objects.requireNonNull(neighbours, "neighbours");
    return neighbours == Neighbours.ADD_REMOVE ? rowBound : 2.0 * rowBound;
  }

  /**
   * Returns the index in the state of a column of a bucket. The order is bucket by bucket.
   *
   * @throws IndexOutOfBoundsException if the bucket or the column is out of range
   */
  public int index(int bucket, int column) {
    Objects.checkIndex(bucket, buckets);
    Objects.checkIndex(column, dimension);
    return bucket * dimension + column;
  }

  @Override
  public CountSketch zero() {
    return new CountSketch(this, new long[stateLength()]);
  }
}
