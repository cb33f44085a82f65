package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import java.io.Serializable;

/**
 * The shape and public parameters of a linear sketch. Sketches of equal specs can be merged.
 * Immutable. Sketches that can be stored are entries of {@code StoredKind}.
 */
public interface SketchSpec extends Serializable {
  /** The largest number of longs in a state: 1 GiB. */
  long MAX_STATE_LENGTH = 1L << 27;

  /** D, the number of entries of a row, intercept included. */
  int dimension();

  /** The number of longs in the state. */
  int stateLength();

  /**
   * The number of buckets (blocks of the state that are sums over rows) to which a single row is
   * added.
   */
  int bucketsTouched();

  /**
   * Returns the largest l2 distance between the states of neighbouring streams, without noise.
   *
   * <p>The distance is in the unit of the bound, squared for sums of products, and 1 per row for
   * counts. A replaced row may change its bucket, stratum or cell. Always rounded up.
   *
   * @param rowBound B: every row has l2 norm at most B; positive
   * @param neighbours which streams are neighbours
   */
  double sensitivity(double rowBound, Neighbours neighbours);

  /** Whether the state depends on the tags of rows; if not, they need none. */
  default boolean usesTags() {
    return true;
  }

  /** Whether the time to add a row of a sparse batch depends on its cells, and not on D. */
  default boolean addsCells() {
    return false;
  }

  /** The size of the state in bytes. */
  default long memoryBytes() {
    return (long) Long.BYTES * stateLength();
  }

  /**
   * The bytes of working memory, beside the state, that a sketch keeps after batches.
   *
   * @param rows the largest number of rows of a batch, at least 1
   */
  default long batchBytes(int rows) {
    return 0L;
  }

  /** Returns an empty sketch. */
  LinearSketch<?> zero();
}
