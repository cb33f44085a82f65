package io.gauze.row;

import java.util.Optional;

/**
 * A reusable buffer of records that are encoded together, which is faster than one by one. It takes
 * records under their secret tags, or under their positions in a log, from which it makes the tags.
 * Mutable, not thread-safe.
 *
 * <p>A record is {@link RowEncoder#accept accepted}, then added; {@link #encode} puts all records
 * on the grid for the sketches. Adding a record allocates nothing.
 */
public final class RecordBatch {
  private final RowEncoder encoder;
  private final Optional<BatchHasher> hasher;
  private final RowBatch rows;
  private final double[] waiting; // the last records, clamped, not yet scaled or clipped
  private int encoded;
  private int tagged;

  private RecordBatch(RowEncoder encoder, Optional<BatchHasher> hasher, RowBatch rows) {
    this.encoder = encoder;
    this.hasher = hasher;
    this.rows = rows;
    waiting = new double[waitingRows(rows.width(), rows.capacity()) * rows.width()];
  }

  private static int waitingRows(int width, int capacity) {
    return Math.min(capacity, Scaling.blockRows(width));
  }

  private static RowBatch rows(RowEncoder encoder, boolean isSparse, int capacity) {
    return isSparse
        ? RowBatch.sparse(encoder.dimension(), encoder.cells(), capacity)
        : new RowBatch(encoder.dimension(), capacity);
  }

  /**
   * Creates an empty batch of records under their tags.
   *
   * @param encoder accepts the records, and counts those that are clipped in {@link #encode}
   * @param capacity the most records that it holds; at least 1, with D at most 2^24 entries
   * @throws IllegalArgumentException if the capacity is outside of its range
   */
  public static RecordBatch ofTags(RowEncoder encoder, int capacity) {
    return ofTags(encoder, false, capacity);
  }

  /**
   * Creates an empty batch of records under their tags, as {@link #ofTags(RowEncoder, int)}.
   *
   * @param isSparse whether {@link #encode} returns a sparse batch, with a cell for the intercept
   *     and one for each column
   */
  public static RecordBatch ofTags(RowEncoder encoder, boolean isSparse, int capacity) {
    return new RecordBatch(encoder, Optional.empty(), rows(encoder, isSparse, capacity));
  }

  /**
   * Creates an empty batch of records under their positions.
   *
   * @param encoder as in {@link #ofTags}
   * @param hasher makes the tags
   * @param capacity as in {@link #ofTags}
   * @throws IllegalArgumentException if the capacity is outside of its range
   */
  public static RecordBatch ofPositions(RowEncoder encoder, BatchHasher hasher, int capacity) {
    return ofPositions(encoder, hasher, false, capacity);
  }

  /**
   * Creates an empty batch of records under their positions, as {@link #ofPositions(RowEncoder,
   * BatchHasher, int)}.
   *
   * @param isSparse as in {@link #ofTags(RowEncoder, boolean, int)}
   */
  public static RecordBatch ofPositions(
      RowEncoder encoder, BatchHasher hasher, boolean isSparse, int capacity) {
    return new RecordBatch(encoder, Optional.of(hasher), rows(encoder, isSparse, capacity));
  }

  /**
   * Appends the record that the encoder has accepted.
   *
   * @param tag the record's tag
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException if the sign is neither 1 nor -1
   * @throws IllegalStateException if the batch is full or takes positions, or if no record is
   *     accepted
   */
  public void add(RowTag tag, int sign) {
    requireTags(true);
    append(tag.first(), tag.second(), sign);
  }

  /**
   * Appends a copy of an encoded row.
   *
   * @param tag the row's tag
   * @param row of the encoder's dimension, as in {@link RowBatch#add}
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException as in {@link RowBatch#add}
   * @throws IllegalStateException if the batch is full or takes positions
   */
  public void add(RowTag tag, EncodedRow row, int sign) {
    requireTags(true);
    append(tag.first(), tag.second(), row, sign);
  }

  /**
   * Inserts the record that the encoder has accepted.
   *
   * @param partition the partition of the log that holds the record
   * @param offset its offset there; no two records have the same partition and offset
   * @throws IllegalStateException if the batch is full or takes tags, or if no record is accepted
   */
  public void addAt(long partition, long offset) {
    requireTags(false);
    append(partition, offset, 1);
  }

  /**
   * Inserts a copy of an encoded row.
   *
   * @param partition as in {@link #addAt(long, long)}
   * @param offset as in {@link #addAt(long, long)}
   * @param row of the encoder's dimension, as in {@link RowBatch#add}
   * @throws IllegalArgumentException as in {@link RowBatch#add}
   * @throws IllegalStateException if the batch is full or takes tags
   */
  public void addAt(long partition, long offset, EncodedRow row) {
    requireTags(false);
    append(partition, offset, row, 1);
  }

  private void requireTags(boolean tags) {
    if (tags == hasher.isPresent()) {
      throw new IllegalStateException(
          tags ? "batch is of positions; add with one" : "batch is of tags; add with one");
    }
  }

  private void append(long first, long second, int sign) {
    rows.check(sign);
    int at = (rows.size() - encoded) * rows.width();
    if (at == waiting.length) {
      encodeWaiting();
      at = 0;
    }
    if (rows.isSparse()) {
      encoder.writeCells(waiting, at, rows.indexes(), rows.size() * rows.width());
    } else {
      encoder.write(waiting, at);
    }
    rows.append(first, second, sign);
  }

  private void append(long first, long second, EncodedRow row, int sign) {
    encodeWaiting();
    rows.add(first, second, row, sign);
    encoded = rows.size();
  }

  private void encodeWaiting() {
    if (encoded < rows.size()) {
      int count = rows.size() - encoded;
      if (rows.isSparse()) {
        encoder.encodeCells(waiting, count, rows.values(), encoded * rows.width());
      } else {
        encoder.encode(waiting, count, rows.values(), encoded * rows.width());
      }
      encoded = rows.size();
    }
  }

  /** Encodes and tags the records. The returned batch is valid until the next change. */
  public RowBatch encode() {
    encodeWaiting();
    if (hasher.isPresent()) {
      hasher.get().tag(rows.firstTags(), rows.secondTags(), tagged, rows.size());
    }
    tagged = rows.size();
    return rows;
  }

  /** Forgets the records. */
  public void clear() {
    rows.clear();
    encoded = 0;
    tagged = 0;
  }

  /** Returns true if the batch accepts no further record. */
  public boolean isFull() {
    return rows.isFull();
  }

  /** Returns the bytes of memory that a batch of this shape takes. */
  public static long memoryBytes(int dimension, int capacity) {
    return memoryBytes(dimension, Integer.BYTES, capacity);
  }

  /**
   * Returns the bytes of memory that a sparse batch takes.
   *
   * @param columns those of the schema
   */
  public static long sparseBytes(int columns, int capacity) {
    return memoryBytes(1 + columns, 2 * Integer.BYTES, capacity);
  }

  private static long memoryBytes(int width, int bytesOfValue, int capacity) {
    return RowBatch.memoryBytes((long) bytesOfValue * width, capacity)
        + (long) Double.BYTES * width * waitingRows(width, capacity);
  }

  /** Shows the shape only: records are private. */
  @Override
  public String toString() {
    return "RecordBatch[" + rows + "]";
  }
}
