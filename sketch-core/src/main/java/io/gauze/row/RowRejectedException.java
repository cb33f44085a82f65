package io.gauze.row;

/**
 * A record that cannot be encoded. The message names the column and what is allowed, never a value
 * of the record. It has no stack trace, so that a stream of bad records is cheap.
 */
public final class RowRejectedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String column;

  /**
   * A record that could not even be read.
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
