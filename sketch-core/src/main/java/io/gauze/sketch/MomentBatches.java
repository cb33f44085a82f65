package io.gauze.sketch;

import io.gauze.row.ColumnBatch;
import io.gauze.row.RowBatch;
import java.util.Arrays;

/**
 * Adds batches to one or more second-moment matrices, which are stored one after the other in a
 * state. Sorts the rows by matrix and sign first.
 */
final class MomentBatches {
  private final int matrices;
  private final MomentKernel kernel;
  private final MomentKernel.Rows rows = new MomentKernel.Rows();
  // the end of each group: insertions and deletions of the first matrix, then of the next, ...
  private final int[] ends;
  private int[] groups = {};

  MomentBatches(int dimension, int matrices) {
    this.matrices = matrices;
    this.kernel = new MomentKernel(dimension);
    this.ends = new int[2 * matrices];
  }

  /** Returns the bytes that this object holds after batches of up to {@code rows} rows. */
  static long bytes(int dimension, int matrices, int rows) {
    return MomentKernel.bytes(dimension, rows) + 2L * Integer.BYTES * (rows + (long) matrices);
  }

  /**
   * Returns an array for the groups of a batch of this size. The caller writes {@code 2 matrix +
   * (deletion ? 1 : 0)} for each row.
   */
  int[] groups(int size) {
    if (groups.length < size) {
      groups = new int[size];
      rows.starts = new int[size];
    }
    return groups;
  }

  /** Adds a batch whose {@link #groups} have been filled in. */
  void add(RowBatch batch, long[] state) {
    sort(batch);
    int length = state.length / matrices;
    int from = 0;
    for (int group = 0; group < ends.length; group++) {
      rows.from = from;
      rows.to = ends[group];
      rows.sign = 1 - 2 * (group & 1);
      kernel.add(batch.values(), rows, state, (group >> 1) * length);
      from = ends[group];
    }
  }

  /** Inserts the rows of a batch, in steps, into the first matrix. */
  void add(ColumnBatch batch, long[] state) {
    kernel.add(batch, 1, state, 0);
  }

  private void sort(RowBatch batch) {
    Arrays.fill(ends, 0);
    for (int k = 0; k < batch.size(); k++) {
      ends[groups[k]]++;
    }
    int start = 0;
    for (int group = 0; group < ends.length; group++) {
      int count = ends[group];
      ends[group] = start; // the next free index, and finally the end
      start += count;
    }
    for (int k = 0; k < batch.size(); k++) {
      rows.starts[ends[groups[k]]++] = k * batch.dimension();
    }
  }
}
