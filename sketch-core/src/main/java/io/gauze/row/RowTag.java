package io.gauze.row;

/**
 * The secret identifier of a row: 128 bits, made from the row's key by a {@link RowHasher}. Every
 * random choice that a sketch makes for a row is a function of its tag alone, so that a deletion
 * under the same key removes exactly what the insertion added.
 *
 * <p>A reusable holder, mutable, not thread-safe.
 */
public final class RowTag {
  private long first;
  private long second;

  /** Creates the tag 0. */
  public RowTag() {}

  /** Overwrites the tag. */
  public void set(long first, long second) {
    this.first = first;
    this.second = second;
  }

  /** The first 64 bits. */
  public long first() {
    return first;
  }

  /** The last 64 bits. */
  public long second() {
    return second;
  }

  /** Shows nothing of the tag. */
  @Override
  public String toString() {
    return "RowTag[secret]";
  }
}
