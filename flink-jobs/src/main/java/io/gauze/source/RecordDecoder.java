package io.gauze.source;

import io.gauze.row.RowRejectedException;
import io.gauze.source.format.RecordFormat;

/** A decoder of the records of one {@link RecordFormat}. Not thread-safe. */
public interface RecordDecoder {
  /**
   * Reads the value of one record. An insertion fills only {@code after}, a deletion only {@code
   * before}; an image that the record does not have is cleared. Values that a column does not allow
   * are not reported here but by {@link RowImage#encode}.
   *
   * @param value the value; the caller handles records without value (tombstones)
   * @throws RowRejectedException if the bytes do not match the format; the message says where and
   *     what to do, and never contains a value
   * @throws java.io.UncheckedIOException if the record cannot be read now, but perhaps later: the
   *     job must fail and restart from its checkpoint
   */
  Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException;
}
