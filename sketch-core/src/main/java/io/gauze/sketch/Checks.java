package io.gauze.sketch;

import io.gauze.row.EncodedRow;
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

  static void update(SketchSpec spec, EncodedRow row, int sign) {
    if (row.dimension() != spec.dimension()) {
      within("row dimension", row.dimension(), spec.dimension(), spec.dimension());
    }
    if (sign != 1 && sign != -1) {
      throw new IllegalArgumentException("sign must be 1 or -1. Provided value: " + sign);
    }
  }

  static void merge(SketchSpec mine, SketchSpec other) {
    if (!mine.equals(other)) {
      throw new IllegalArgumentException(
          "merged sketches must have equal specs. Provided value: " + mine + " and " + other);
    }
  }
}
