package io.gauze.regression;

import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * What an entry of an encoded row can be.
 *
 * @param lower the least value
 * @param upper the largest value
 * @param isNumber whether the column has numbers, and no codes of texts
 */
public record EntryRange(double lower, double upper, boolean isNumber) {
  /** Returns the ranges of all entries, that of the intercept first. */
  static List<EntryRange> of(RowSchema schema) {
    List<EntryRange> ranges = new ArrayList<>();
    ranges.add(new EntryRange(schema.intercept(), schema.intercept(), false));
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      int first = schema.offset(c);
      double end = schema.factor(c);
      for (int i = 0; i < column.width(); i++) {
        ranges.add(
            column.numeric()
                ? new EntryRange(
                    schema.encoded(first, column.lower()),
                    schema.encoded(first, column.upper()),
                    true)
                : new EntryRange(-end, end, false));
      }
    }
    return ranges;
  }

  /** The largest square of the entry. */
  public double largestSquare() {
    return Math.max(lower * lower, upper * upper);
  }
}
