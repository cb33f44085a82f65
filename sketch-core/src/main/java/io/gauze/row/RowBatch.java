package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Arrays;
import java.util.Locale;

/**
 * A reusable buffer of encoded rows under their secret tags, which sketches add faster together
 * than one by one. Mutable, not thread-safe.
 *
 * <p>Of a row it has all D entries, or, if it is sparse, as many cells as a row has entries that
 * may differ from 0, each with its index.
 */
public final class RowBatch {
  private static final int MAX_VALUES = 1 << 24;

  private final int dimension;
  private final int width; // the values of a row
  private final int capacity;
  private final int[] values;
  private final int[] indexes; // those of the cells; empty if the batch is not sparse
  private final long[] firstTags;
  private final long[] secondTags;
  private final int[] signs;
  private int size;

  /**
   * Creates an empty batch of rows with all entries.
   *
   * @param dimension D, the number of encoded columns, in [1, 20000]
   * @param capacity the most updates that it holds; at least 1, with D at most 2^24 entries
   * @throws IllegalArgumentException if an argument is outside of its range
   */
  public RowBatch(int dimension, int capacity) {
    this(dimension, dimension, false, capacity);
  }

  private RowBatch(int dimension, int width, boolean isSparse, int capacity) {
    this.dimension = Checks.within("dimension", dimension, 1, Dimensions.MOST);
    this.width = Checks.within("cells", width, 1, dimension);
    this.capacity = Checks.within("capacity", capacity, 1, MAX_VALUES / width);
    values = new int[width * capacity];
    indexes = new int[isSparse ? width * capacity : 0];
    firstTags = new long[capacity];
    secondTags = new long[capacity];
    signs = new int[capacity];
  }

  /**
   * Creates an empty sparse batch.
   *
   * @param dimension D, the number of encoded columns, in [1, 20000]
   * @param cells the most entries of a row that differ from 0, in [1, D]
   * @param capacity the most updates that it holds; at least 1, with at most 2^24 cells
   * @throws IllegalArgumentException if an argument is outside of its range
   */
  public static RowBatch sparse(int dimension, int cells, int capacity) {
    return new RowBatch(dimension, cells, true, capacity);
  }

  /**
   * Appends a copy of an update. Allocates nothing.
   *
   * @param tag the row's tag
   * @param row of this batch's dimension, with entries in [-2^15, 2^15] like every encoded row:
   *     sketches add up batches in doubles, which are exact on this range only
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException if the dimension differs, an entry is out of range, the sign
   *     is neither 1 nor -1, or the batch is sparse and more entries than it has cells differ from
   *     0
   * @throws IllegalStateException if the batch is full
   */
  public void add(RowTag tag, EncodedRow row, int sign) {
    add(tag.first(), tag.second(), row, sign);
  }

  void add(long firstTag, long secondTag, EncodedRow row, int sign) {
    if (row.dimension() != dimension) {
      Checks.within("row dimension", row.dimension(), dimension, dimension);
    }
    check(sign);
    if (isSparse()) {
      gather(row.values());
    } else {
      copy(row.values(), values, size * dimension);
    }
    append(firstTag, secondTag, sign);
  }

  /**
   * Checks that another update can be appended.
   *
   * @throws IllegalArgumentException if the sign is neither 1 nor -1
   * @throws IllegalStateException if the batch is full
   */
  void check(int sign) {
    if (sign != 1 && sign != -1) {
      throw new IllegalArgumentException("sign must be 1 or -1. Provided value: " + sign);
    }
    if (size == capacity) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "batch must have at most %d updates; clear it first", capacity));
    }
  }

  /** Appends an update whose entries {@link RecordBatch} writes to {@link #values()}. */
  void append(long firstTag, long secondTag, int sign) {
    firstTags[size] = firstTag;
    secondTags[size] = secondTag;
    signs[size++] = sign;
  }

  private static void copy(int[] entries, int[] into, int at) {
    int bits = 0; // the bits of all entries: a cheap check, which is exact unless an entry is 2^15
    for (int i = 0; i < entries.length; i++) {
      int entry = entries[i];
      bits |= entry + Grid.MAX_ROW_STEPS;
      into[at + i] = entry;
    }
    if (bits >>> 16 != 0) {
      requireEachOnGrid(entries);
    }
  }

  private void gather(int... entries) {
    requireEachOnGrid(entries);
    int from = size * width;
    int next = from;
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] != 0) {
        if (next == from + width) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "row must have at most %d entries that differ from 0. Provided value: more",
                  width));
        }
        values[next] = entries[i];
        indexes[next++] = i;
      }
    }
    Arrays.fill(values, next, from + width, 0);
    Arrays.fill(indexes, next, from + width, dimension - 1);
  }

  private static void requireEachOnGrid(int... entries) {
    for (int entry : entries) {
      // the message must not show the value, which is private
      if (entry < -Grid.MAX_ROW_STEPS || entry > Grid.MAX_ROW_STEPS) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "entries of a row must be in [%d, %d]. Provided value: one beyond, not shown",
                -Grid.MAX_ROW_STEPS,
                Grid.MAX_ROW_STEPS));
      }
    }
  }

  /** Forgets the updates. */
  public void clear() {
    size = 0;
  }

  /** D: the number of encoded columns. */
  public int dimension() {
    return dimension;
  }

  /** The number of updates in the batch. */
  public int size() {
    return size;
  }

  int capacity() {
    return capacity;
  }

  /** Returns true if the batch accepts no further update. */
  public boolean isFull() {
    return size == capacity;
  }

  /** Whether rows are cells, and not all entries. */
  public boolean isSparse() {
    return indexes.length > 0;
  }

  /** The values of a row in {@link #values}: D, or the number of cells. */
  public int width() {
    return width;
  }

  /**
   * The rows, one after the other, of which the first {@link #size()} are valid, each with {@link
   * #width} values. Not a copy; must not be written to.
   */
  public int[] values() {
    return values;
  }

  /**
   * The index in [0, D) of each of the {@link #values} of a sparse batch among the entries of its
   * row. They do not fall; of equal indexes at most one has a value that is not 0. Not a copy; must
   * not be written to.
   */
  public int[] indexes() {
    return indexes;
  }

  /**
   * Returns an entry of a row of a sparse batch; O(cells).
   *
   * @param row in [0, {@link #size()})
   * @param index in [0, D)
   */
  public int entry(int row, int index) {
    int entry = 0;
    for (int i = row * width; i < (row + 1) * width; i++) {
      entry += indexes[i] == index ? values[i] : 0; // of equal ones all but one are 0
    }
    return entry;
  }

  /** The first 64 bits of the rows' tags; not a copy. */
  public long[] firstTags() {
    return firstTags;
  }

  /** The last 64 bits of the rows' tags; not a copy. */
  public long[] secondTags() {
    return secondTags;
  }

  /** The signs of the rows, 1 or -1; not a copy. */
  public int[] signs() {
    return signs;
  }

  static long memoryBytes(long bytesOfValues, int capacity) {
    return (bytesOfValues + 2L * Long.BYTES + Integer.BYTES) * capacity;
  }

  /** Shows the shape only: rows are private. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "RowBatch[dimension=%d, %d of %d]", dimension, size, capacity);
  }
}
