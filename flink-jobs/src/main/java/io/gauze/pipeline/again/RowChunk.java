package io.gauze.pipeline.again;

import io.gauze.row.RowEncoder;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Some rows in the encoded scale, which one thread reads and another one takes; or why there are no
 * more. It is in memory only.
 */
final class RowChunk {
  private static final int MOST_ROWS = 1024;
  private static final int MOST_VALUES = 1 << 14; // 128 kB: several wait in each thread

  private static final double[] NO_VALUES = {};

  private final int dimension;
  private final String[] groups;
  private final Optional<Throwable> failure;
  private double[] values = NO_VALUES;
  private int rows;
  private boolean last;

  /**
   * Creates a chunk without rows.
   *
   * @param dimension D
   */
  RowChunk(int dimension) {
    this(dimension, Math.max(1, Math.min(MOST_ROWS, MOST_VALUES / dimension)), Optional.empty());
  }

  private RowChunk(int dimension, int capacity, Optional<Throwable> failure) {
    this.dimension = dimension;
    this.groups = new String[capacity];
    this.failure = failure;
  }

  /** Returns a chunk that says why there are no more rows. */
  static RowChunk failed(Throwable failure) {
    return new RowChunk(0, 0, Optional.of(failure));
  }

  /** Adds the record that an encoder has accepted, which is the same encoder for all rows. */
  void add(String group, RowEncoder accepted) {
    if (values.length == 0) { // often there are no rows of the epoch
      values = new double[groups.length * dimension];
    }
    accepted.write(values, rows * dimension);
    groups[rows++] = group;
  }

  /** Scales the rows, once, before they are taken: all together, which is faster. */
  void scale(RowEncoder accepted) {
    accepted.scale(values, rows);
  }

  boolean isFull() {
    return rows == groups.length;
  }

  /** Returns this chunk, after which there are no more. */
  RowChunk last() {
    last = true;
    return this;
  }

  boolean isLast() {
    return last;
  }

  /** Throws the failure, if there is one. */
  void checkFailure() throws IOException {
    if (failure.isEmpty()) {
      return;
    }
    Throwable cause = failure.get();
    if (cause instanceof IOException checked) {
      throw checked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) cause; // what is read throws no other checked exception
  }

  /**
   * Goes through the rows that were added.
   *
   * @param out takes the group and D entries, which are overwritten afterwards
   */
  void forEach(BiConsumer<String, double[]> out) {
    double[] row = new double[dimension];
    for (int k = 0; k < rows; k++) {
      System.arraycopy(values, k * dimension, row, 0, dimension);
      out.accept(groups[k], row);
    }
  }
}
