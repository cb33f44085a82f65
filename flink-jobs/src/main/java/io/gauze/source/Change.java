package io.gauze.source;

/** What a record does to the table of rows. */
public enum Change {
  /** A new row: its image is {@code after}. */
  INSERT,
  /** A row that is there now, whatever was known of its key: its image is {@code after}. */
  READ,
  /** A row has changed: from {@code before} to {@code after}. */
  UPDATE,
  /** A row is gone: its image is {@code before}. */
  DELETE,
  /** Nothing: the record is not about a row. */
  NONE
}
