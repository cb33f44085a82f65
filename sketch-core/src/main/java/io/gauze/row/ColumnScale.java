package io.gauze.row;

/**
 * How a number is encoded: c becomes {@code (2 (c - low)) / width - less}, in this order of
 * operations.
 *
 * <p>For c in the public range the result is in [-1, 1] as computed: rounding is monotone, and the
 * width is computed by the difference that the ends have.
 *
 * @param low the lower end of the range, or the typical value
 * @param width the width of the range, or twice the distance of the typical value from the farther
 *     end; divided by the factor of the column
 * @param less the factor of the column, or 0 where a typical value is given
 */
record ColumnScale(double low, double width, double less) {
  /**
   * Returns the scale of a number.
   *
   * @param factor by which the encoded values are smaller than the range allows, in (0, 1]
   */
  static ColumnScale of(Column column, double factor) {
    return column.isCentred()
        ? new ColumnScale(column.lower(), (column.upper() - column.lower()) / factor, factor)
        : new ColumnScale(column.typical(), 2.0 * half(column) / factor, 0.0);
  }

  /** By how much the user's value grows when the encoded one grows by 1, for a factor of 1. */
  static double half(Column column) {
    return column.isCentred()
        ? 0.5 * (column.upper() - column.lower())
        : Math.max(column.upper() - column.typical(), column.typical() - column.lower());
  }

  double encode(double c) {
    return (2.0 * (c - low)) / width - less;
  }
}
