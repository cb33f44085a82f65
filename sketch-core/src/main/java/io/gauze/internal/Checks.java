package io.gauze.internal;

import java.util.Locale;

/**
 * Guards of arguments, written so that NaN fails them. Each throws an {@link
 * IllegalArgumentException} that says the name, the allowed range and the value.
 */
public final class Checks {
  private Checks() {}

  /** Checks that a value is in [lower, upper], and returns it. */
  public static int within(String name, int value, int lower, int upper) {
    within(name, (long) value, lower, upper);
    return value;
  }

  /** Checks that a value is in [lower, upper], and returns it. */
  public static long within(String name, long value, long lower, long upper) {
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

  /** Checks that a value is in [lower, upper], and returns it. */
  public static double within(String name, double value, double lower, double upper) {
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

  /** Checks that a value is in (0, 1), and returns it. */
  public static double inOpenUnit(String name, double value) {
    if (!(value > 0.0 && value < 1.0)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be in (0, 1). Provided value: %s", name, value));
    }
    return value;
  }

  /** Checks that a value is in (0, infinity), and returns it. */
  public static double positiveFinite(String name, double value) {
    if (!(value > 0.0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be > 0 and finite. Provided value: %s", name, value));
    }
    return value;
  }

  /** Checks that a value is in [0, infinity), and returns it. */
  public static double nonNegativeFinite(String name, double value) {
    if (!(value >= 0.0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be >= 0 and finite. Provided value: %s", name, value));
    }
    return value;
  }

  /** Checks that a value is in [least, infinity], and returns it. */
  public static double atLeast(String name, double value, double least) {
    if (!(value >= least)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be >= %s. Provided value: %s", name, least, value));
    }
    return value;
  }

  /** Checks that all values are finite. */
  public static void finite(String name, double... values) {
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%s[%d] must be finite. Provided value: %s", name, i, values[i]));
      }
    }
  }

  /** Checks that the number of entries is as expected. */
  public static void length(String name, int length, long expected) {
    if (length != expected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must have %d entries. Provided value: %d", name, expected, length));
    }
  }

  /** Checks that a text is not blank, and returns it. */
  public static String notBlank(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must not be blank. Provided value: '%s'", name, value));
    }
    return value;
  }

  /** Formats a number: whole numbers without a decimal point, others as Java does. */
  public static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }
}
