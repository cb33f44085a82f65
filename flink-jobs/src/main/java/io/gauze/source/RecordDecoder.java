package io.gauze.source;

import io.gauze.row.RowRejectedException;

/** Reads records of one {@link RecordFormat}. Not thread-safe. */
public interface RecordDecoder {
  /**
   * Reads the value of one record. An insertion fills {@code after} alone, a deletion {@code
   * before} alone; an image that the record does not have is cleared. Columns with values that are
   * not allowed are no error here, but of {@link RowImage#encode}.
   *
   * @param value not empty optional: a record without value (a tombstone) is the caller's
   * @throws RowRejectedException if the bytes are not of the format; the message says where and
   *     what to do, and never holds a value
   * @throws java.io.UncheckedIOException if the record cannot be read now, but may be later: the
   *     job must fail and begin again at its checkpoint
   */
  Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException;
}
