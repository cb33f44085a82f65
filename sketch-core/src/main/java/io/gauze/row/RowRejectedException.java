package io.gauze.row;

/**
 * Thrown if a record cannot be encoded. The message names the column and the allowed values, never
 * a value of the record. The exception has no stack trace, so that a stream of bad records is
 * cheap.
 */
public final class RowRejectedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String column;

  /**
   * Creates the exception for a record that could not be read.
   *
   * @param reason what is wrong and what to do, without a value of the record
   */
  public RowRejectedException(String reason) {
    super(reason, null, false, false);
    this.column = "";
  }

  RowRejectedException(String column, String reason) {
    super("column " + column + ": " + reason, null, false, false);
    this.column = column;
  }

  /** The schema's name of the column that could not be encoded; empty if none could be read. */
  public String column() {
    return column;
  }
}
