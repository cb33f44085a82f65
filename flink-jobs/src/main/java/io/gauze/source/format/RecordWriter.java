package io.gauze.source.format;

import io.gauze.row.RowRejectedException;
import io.gauze.source.file.CsvRow;

/** Writes rows of a file as the values of records of one {@link RecordFormat}. Not thread-safe. */
public interface RecordWriter {
  /**
   * Returns the value of the record for a row.
   *
   * @throws RowRejectedException if the row cannot be written in the format; the message says which
   *     field and why, and never contains a value
   */
  byte[] write(CsvRow row) throws RowRejectedException;
}
