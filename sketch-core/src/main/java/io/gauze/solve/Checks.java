package io.gauze.solve;

import java.util.Locale;

/** Guards of arguments, written so that NaN fails them. */
final class Checks {
  private Checks() {}

  static int within(String name, int value, int lower, int upper) {
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
    return value;
  }

  static double positiveFinite(String name, double value) {
    if (!(value > 0.0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be > 0 and finite. Provided value: %s", name, value));
    }
    return value;
  }

  static double nonNegativeFinite(String name, double value) {
    if (!(value >= 0.0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be >= 0 and finite. Provided value: %s", name, value));
    }
    return value;
  }

  static double atLeast(String name, double value, double least) {
    if (!(value >= least)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be >= %s. Provided value: %s", name, least, value));
    }
    return value;
  }

  static void finite(String name, double[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%s[%d] must be finite. Provided value: %s", name, i, values[i]));
      }
    }
  }

  static void length(String name, int length, long expected) {
    if (length != expected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must have %d entries. Provided value: %d", name, expected, length));
    }
  }
}
