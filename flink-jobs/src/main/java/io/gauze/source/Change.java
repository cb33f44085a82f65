package io.gauze.source;

/** The effect of a record on the table of rows. */
public enum Change {
  /** Inserts a row: its image is {@code after}. */
  INSERT,
  /** Sets the current row of the key, whatever it was before: its image is {@code after}. */
  READ,
  /** Replaces the row {@code before} by {@code after}. */
  UPDATE,
  /** Deletes a row: its image is {@code before}. */
  DELETE,
  /** Changes nothing: the record is not about a row. */
  NONE
}
