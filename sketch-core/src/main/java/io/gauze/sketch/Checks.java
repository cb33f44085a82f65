package io.gauze.sketch;

import io.gauze.row.Neighbours;
import java.util.Locale;
import java.util.Objects;

/** Guards of arguments. */
final class Checks {
  private Checks() {}

  static void within(String name, long value, long lower, long upper) {
    if (value < lower || value > upper) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be in [%d, %d]. Provided value: %d",
              name,
              lower,
              upper,
              value));
    }
  }

  static void neighbours(double rowBound, Neighbours neighbours) {
    Objects.requireNonNull(neighbours, "neighbours");
    if (!(rowBound > 0.0 && rowBound < Double.POSITIVE_INFINITY)) { // NaN too
      throw new IllegalArgumentException(
          "rowBound must be > 0 and finite. Provided value: " + rowBound);
    }
  }

  static void dimension(SketchSpec spec, int dimension) {
    if (dimension != spec.dimension()) {
      within("row dimension", dimension, spec.dimension(), spec.dimension());
    }
  }

  static void merge(SketchSpec mine, SketchSpec other) {
    if (!mine.equals(other)) {
      throw new IllegalArgumentException(
          "merged sketches must have equal specs. Provided value: " + mine + " and " + other);
    }
  }
}
