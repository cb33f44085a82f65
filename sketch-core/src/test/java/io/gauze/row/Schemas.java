package io.gauze.row;

import java.util.List;
import java.util.Map;

/** Schemas for tests. */
final class Schemas {
  static final List<Column> MIXED =
      List.of(
          new NumericColumn("alcohol", "alcohol", 8, 15),
          new OrdinalColumn("cut", "cut", Map.of("Fair", 0.0, "Good", 1.0, "Ideal", 2.0), 0, 2),
          new IndicatorColumn("female", "sex", "Female"),
          new IndicatorColumn("male", "sex", "Male"),
          new CategoryColumn("region", "region", List.of("north", "south", "east")),
          new NumericColumn("price", "price", -20, 1000));

  private Schemas() {}

  /** All kinds of columns; D = 8; fields alcohol, cut, sex, region, price. */
  static RowSchema mixed(double intercept, double rowBound, MissingValues missing) {
    return RowSchema.of(MIXED, intercept, rowBound, missing);
  }

  /** The same with intercept 1 and the default row bound. */
  static RowSchema mixed(MissingValues missing) {
    return mixed(1.0, RowSchema.largestNorm(MIXED, 1.0), missing);
  }
}
