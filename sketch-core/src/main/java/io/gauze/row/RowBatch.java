package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Locale;
import java.util.Optional;

/**
 * A reusable buffer of updates, which sketches take faster together than one by one, and in which
 * rows are encoded together, too. Mutable, not thread-safe.
 */
public final class RowBatch {
  private static final int MAX_VALUES = 1 << 24;

  private final int dimension;
  private final int capacity;
  private final int[] values;
  private final long[] firstTags;
  private final long[] secondTags;
  private final int[] signs;
  private final Optional<RowEncoder> encoder;
  private final double[] waiting; // the last rows, as long as they are not encoded
  private int size;
  private int encoded;

  /**
   * An empty batch of encoded rows.
   *
   * @param dimension D, the number of encoded columns, in [1, 4096]
   * @param capacity the most updates that it holds; at least 1, with D at most 2^24 entries
   * @throws IllegalArgumentException if an argument is outside of its range
   */
  public RowBatch(int dimension, int capacity) {
    this(dimension, capacity, Optional.empty());
  }

  /**
   * An empty batch of the rows of an encoder, on whose thread it is used.
   *
   * @param encoder counts rows that are clipped when they are encoded, which is at the latest when
   *     the batch is read
   * @param capacity as above
   * @throws IllegalArgumentException if the capacity is outside of its range
   */
  public RowBatch(RowEncoder encoder, int capacity) {
    this(encoder.dimension(), capacity, Optional.of(encoder));
  }

  private RowBatch(int dimension, int capacity, Optional<RowEncoder> encoder) {
    this.encoder = encoder;
    this.dimension = Checks.within("dimension", dimension, 1, RowSchema.MAX_DIMENSION);
    this.capacity = Checks.within("capacity", capacity, 1, MAX_VALUES / dimension);
    values = new int[dimension * capacity];
    firstTags = new long[capacity];
    secondTags = new long[capacity];
    signs = new int[capacity];
    waiting = new double[encoder.isPresent() ? waitingRows(dimension, capacity) * dimension : 0];
  }

  private static int waitingRows(int dimension, int capacity) {
    return Math.min(capacity, Scaling.blockRows(dimension));
  }

  /**
   * Appends a copy of an update. Allocates nothing.
   *
   * @param tag the row's tag
   * @param row of this batch's dimension, its entries in [-2^15, 2^15] as every encoded row's are:
   *     sketches add up batches in doubles, which are exact on this range only
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException if the dimension differs, an entry is out of range or the sign
   *     is neither 1 nor -1
   * @throws IllegalStateException if the batch is full
   */
  public void add(RowTag tag, EncodedRow row, int sign) {
    check(row.dimension(), sign);
    encodeWaiting();
    copy(row.values(), values, size * dimension);
    append(tag, sign);
    encoded = size;
  }

  /**
   * Appends the record that the batch's encoder has accepted. Allocates nothing.
   *
   * @param tag the row's tag
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException if the sign is neither 1 nor -1
   * @throws IllegalStateException if the batch is full or has no encoder, or if no record is
   *     accepted
   */
  public void add(RowTag tag, int sign) {
    RowEncoder source = encoder.orElseThrow(RowBatch::noEncoder);
    check(dimension, sign);
    int at = (size - encoded) * dimension;
    if (at == waiting.length) {
      encodeWaiting();
      at = 0;
    }
    source.write(waiting, at);
    append(tag, sign);
  }

  private static IllegalStateException noEncoder() {
    return new IllegalStateException("batch has no encoder; make it with one");
  }

  private void check(int rowDimension, int sign) {
    if (rowDimension != dimension) {
      Checks.within("row dimension", rowDimension, dimension, dimension);
    }
    if (sign != 1 && sign != -1) {
      throw new IllegalArgumentException("sign must be 1 or -1. Provided value: " + sign);
    }
    if (size == capacity) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "batch must have at most %d updates; clear it first", capacity));
    }
  }

  private void append(RowTag tag, int sign) {
    firstTags[size] = tag.first();
    secondTags[size] = tag.second();
    signs[size++] = sign;
  }

  private void encodeWaiting() {
    if (encoded < size) {
      encoder
          .orElseThrow(RowBatch::noEncoder)
          .encode(waiting, size - encoded, values, encoded * dimension);
      encoded = size;
    }
  }

  private static void copy(int[] entries, int[] into, int at) {
    int bits = 0; // of all entries in one: cheap, and exact unless one is 2^15
    for (int i = 0; i < entries.length; i++) {
      int entry = entries[i];
      bits |= entry + Grid.MAX_ROW_STEPS;
      into[at + i] = entry;
    }
    if (bits >>> 16 != 0) {
      requireEachOnGrid(entries);
    }
  }

  private static void requireEachOnGrid(int... entries) {
    for (int entry : entries) {
      if (entry < -Grid.MAX_ROW_STEPS || entry > Grid.MAX_ROW_STEPS) { // the value is private
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
    encoded = 0;
  }

  /** D: the number of encoded columns. */
  public int dimension() {
    return dimension;
  }

  /** How many updates it holds. */
  public int size() {
    return size;
  }

  /** Whether another update would be refused. */
  public boolean isFull() {
    return size == capacity;
  }

  /**
   * The rows, one after the other, of which the first {@link #size()} count; not a copy, and not to
   * be written to.
   */
  public int[] values() {
    encodeWaiting();
    return values;
  }

  /** The first 64 bits of the rows' tags; not a copy. */
  public long[] firstTags() {
    return firstTags;
  }

  /** The last 64 bits of the rows' tags; not a copy. */
  public long[] secondTags() {
    return secondTags;
  }

  /** 1 or -1 for each row; not a copy. */
  public int[] signs() {
    return signs;
  }

  /** The bytes that a batch of this shape takes, with an encoder. */
  public static long memoryBytes(int dimension, int capacity) {
    long rowBytes = (long) Integer.BYTES * dimension + 2L * Long.BYTES + Integer.BYTES;
    return rowBytes * capacity + (long) Double.BYTES * dimension * waitingRows(dimension, capacity);
  }

  /** The shape only: rows are private. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "RowBatch[dimension=%d, %d of %d]", dimension, size, capacity);
  }
}
