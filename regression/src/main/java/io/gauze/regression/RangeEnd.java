package io.gauze.regression;

import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * An end of a numeric column's public range that values may exceed. Such values are clamped, and a
 * fit warns if there are many.
 *
 * @param column index of the encoded column
 * @param upper whether it is the upper end
 * @param value where it is, in the user's units
 * @param encodedLower the lower end of the range in the encoded scale, in [-1, 0]
 * @param encodedUpper the upper end of the range in the encoded scale, in [0, 1]
 */
public record RangeEnd(
    int column, boolean upper, double value, double encodedLower, double encodedUpper) {
  /** An end of a column whose typical value is the middle of its range. */
  public RangeEnd(int column, boolean upper, double value) {
    this(column, upper, value, -1.0, 1.0);
  }

  /** How far the value 0 of the encoded scale is from this end; in [0, 1]. */
  public double distance() {
    return upper ? encodedUpper : -encodedLower;
  }

  /** The width of the range in the encoded scale, in [1, 2]. */
  public double width() {
    return encodedUpper - encodedLower;
  }

  /** The middle of the range in the encoded scale. */
  public double middle() {
    return 0.5 * (encodedLower + encodedUpper);
  }

  /** Returns the warning of many values near this end, for the column of this name. */
  Message clampedWarning(String name) {
    return FitMessage.CLAMPED.of(
        name,
        upper ? "upper" : "lower",
        BigDecimal.valueOf(value).stripTrailingZeros().toPlainString(),
        upper ? "above" : "below");
  }

  /**
   * Returns the ends of all numeric columns, except those at 0 or nearly at 0: amounts and counts
   * end there, and many of them are 0.
   */
  public static List<RangeEnd> of(RowSchema schema) {
    List<RangeEnd> ends = new ArrayList<>();
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      if (column.numeric()) {
        double near = Tuning.NEAR_ZERO * (column.upper() - column.lower());
        for (boolean upper : new boolean[] {false, true}) {
          double value = upper ? column.upper() : column.lower();
          if (Math.abs(value) > near) {
            int encoded = schema.offset(c);
            ends.add(
                new RangeEnd(
                    encoded,
                    upper,
                    value,
                    schema.encoded(encoded, column.lower()),
                    schema.encoded(encoded, column.upper())));
          }
        }
      }
    }
    return List.copyOf(ends);
  }
}
