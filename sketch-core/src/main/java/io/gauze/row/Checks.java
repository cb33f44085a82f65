package io.gauze.row;

import java.util.Locale;

/** Guards of constructor arguments, written so that NaN fails them. */
final class Checks {
  private Checks() {}

  static String notBlank(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must not be blank. Provided value: '%s'", name, value));
    }
    return value;
  }

  /** A public range: both ends finite, {@code lower < upper}, and twice its width is finite. */
  static void range(String column, double lower, double upper) {
    if (!(lower < upper && 2.0 * (upper - lower) < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column %s: lower must be < upper, both finite, at most 8e307 apart."
                  + " Provided value: [%s, %s]",
              column,
              lower,
              upper));
    }
  }

  static double within(String name, double value, double lower, double upper) {
    if (!(value >= lower && value <= upper)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be in [%s, %s]. Provided value: %s",
              name,
              number(lower),
              number(upper),
              value));
    }
    return value;
  }

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

  /** Whole numbers without a decimal point, others as Java writes them. */
  static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }
}
