package io.gauze.pipeline.again;

import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
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

  private final String[] groups;
  private final double[] row;
  private final double[] values;
  private final Optional<Throwable> failure;
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
    this.groups = new String[capacity];
    this.row = new double[dimension];
    this.values = new double[capacity * dimension];
    this.failure = failure;
  }

  /** Returns a chunk that says why there are no more rows. */
  static RowChunk failed(Throwable failure) {
    return new RowChunk(0, 0, Optional.of(failure));
  }

  /** Adds the row that the encoder has accepted. */
  void add(String group, RowEncoder encoder) throws RowRejectedException {
    encoder.scale(row);
    System.arraycopy(row, 0, values, rows * row.length, row.length);
    groups[rows++] = group;
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
   * Goes through the rows.
   *
   * @param out takes the group and D entries, which are overwritten afterwards
   */
  void forEach(BiConsumer<String, double[]> out) {
    for (int k = 0; k < rows; k++) {
      System.arraycopy(values, k * row.length, row, 0, row.length);
      out.accept(groups[k], row);
    }
  }
}
