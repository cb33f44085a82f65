package io.gauze.sketch;

import java.util.Locale;

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

  static void rowBound(double value) {
    if (!(value > 0.0 && value < Double.POSITIVE_INFINITY)) { // NaN too
      throw new IllegalArgumentException(
          "rowBound must be > 0 and finite. Provided value: " + value);
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
