package io.gauze.row;

/** The treatment of a record in which a field is missing or null. */
public enum MissingValues {
  /** The row is rejected. */
  REJECT,
  /**
   * The column is encoded as 0: the middle of the range for numbers, ranks and indicators, the
   * baseline for categories.
   */
  MIDPOINT
}
