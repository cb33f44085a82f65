package io.gauze.row;

/**
 * Where the numbers of a record stand while it is encoded: all D entries of its row, or one cell
 * for each column, since at most one entry of a column is not 0. The intercept is first. Immutable.
 */
final class RowLayout {
  private final int length;
  private final int[] starts;
  private final boolean hasCells;

  private RowLayout(int length, int[] starts, boolean hasCells) {
    this.length = length;
    this.starts = starts;
    this.hasCells = hasCells;
  }

  /** Returns the layout of rows with all entries. */
  static RowLayout ofEntries(RowSchema schema) {
    int[] starts = new int[schema.columns().size()];
    for (int c = 0; c < starts.length; c++) {
      starts[c] = schema.offset(c);
    }
    return new RowLayout(schema.dimension(), starts, false);
  }

  /** Returns the layout of rows with one cell for the intercept and one for each column. */
  static RowLayout ofCells(RowSchema schema) {
    int[] starts = new int[schema.columns().size()];
    for (int c = 0; c < starts.length; c++) {
      starts[c] = 1 + c;
    }
    return new RowLayout(1 + starts.length, starts, true);
  }

  /** The numbers of a row. */
  int length() {
    return length;
  }

  /** Returns the index of the first number of a column. */
  int start(int column) {
    return starts[column];
  }

  /** Returns how many numbers of a row a column has. */
  int width(Column column) {
    return hasCells ? 1 : column.width();
  }
}
