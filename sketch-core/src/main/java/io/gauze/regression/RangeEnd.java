package io.gauze.regression;

import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * An end of a numeric column's public range that values may exceed. Such values are clamped, and a
 * fit warns if there are many.
 *
 * @param column index of the encoded column
 * @param upper whether it is the upper end
 * @param value the end in the user's units
 */
public record RangeEnd(int column, boolean upper, double value) {
  /**
   * The largest distance from 0, over the range's width, at which an end is treated as 0: a limit
   * that nothing exceeds.
   */
  private static final double NEAR_ZERO = 0.05;

  /**
   * Returns the ends of all numeric columns, except those at 0 or nearly at 0: amounts and counts
   * end there, and many of them are 0.
   */
  static List<RangeEnd> of(RowSchema schema) {
    List<RangeEnd> ends = new ArrayList<>();
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      if (column.numeric()) {
        double near = NEAR_ZERO * (column.upper() - column.lower());
        for (boolean upper : new boolean[] {false, true}) {
          double value = upper ? column.upper() : column.lower();
          if (Math.abs(value) > near) {
            ends.add(new RangeEnd(schema.offset(c), upper, value));
          }
        }
      }
    }
    return List.copyOf(ends);
  }
}
