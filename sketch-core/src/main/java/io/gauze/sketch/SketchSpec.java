package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import java.io.Serializable;

/**
 * The shape and public parameters of a linear sketch. Sketches of equal specs can be merged.
 * Immutable.
 */
public sealed interface SketchSpec extends Serializable
    permits SecondMomentsSpec,
        CountSketchSpec,
        MultilevelSketchSpec,
        GaussianProjectionSpec,
        StratifiedMomentsSpec,
        HistogramSpec {

  /** The most longs in a state: 1 GiB. */
  long MAX_STATE_LENGTH = 1L << 27;

  /** D: the entries of a row, intercept included. */
  int dimension();

  /** The number of longs in the state. */
  int stateLength();

  /** In how many buckets (blocks of the state that are sums over rows) a single row counts. */
  int bucketsTouched();

  /**
   * The largest l2 distance between the states of neighbouring streams, without noise.
   *
   * <p>It is in the unit of the bound, squared for sums of products, and 1 a row for counts. A
   * replaced row may change its bucket, stratum or cell. Rounded up, never down.
   *
   * @param rowBound B: every row has l2 norm at most B; positive
   * @param neighbours which streams are neighbours
   */
  double sensitivity(double rowBound, Neighbours neighbours);

  /** The bytes of the state. */
  default long memoryBytes() {
    return (long) Long.BYTES * stateLength();
  }

  /**
   * The bytes of working memory, beside the state, that a sketch keeps after batches.
   *
   * @param rows the most rows of a batch, at least 1
   */
  default long batchBytes(int rows) {
    return 0L;
  }

  /** An empty sketch. */
  LinearSketch<?> zero();
}
