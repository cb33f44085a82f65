package io.gauze.report;

import java.util.Locale;

/** Numbers with as many digits as their errors leave. */
public final class Rounded {
  private static final int MOST_DECIMALS = 6;

  private Rounded() {}

  /**
   * Returns a number with two digits of its error.
   *
   * @param error the standard error; NaN or 0 if there is none: then the number has four digits
   */
  public static String of(double value, double error) {
    if (Double.isNaN(value)) {
      return "withheld";
    }
    if (!(error > 0.0 && error < Double.POSITIVE_INFINITY)) {
      return significant(value);
    }
    int decimals = 1 - (int) Math.floor(Math.log10(error));
    boolean tiny = decimals > MOST_DECIMALS;
    boolean huge = Math.abs(value) >= 1e9;
    if (!tiny && !huge) {
      return String.format(Locale.ROOT, "%,." + Math.max(0, decimals) + "f", value);
    }
    double digits = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(error));
    int shown = 1 + (int) Math.max(0, Math.min(12, digits)); // of 0, one
    return String.format(Locale.ROOT, "%." + shown + "e", value);
  }

  /** Returns a number with four digits. */
  static String significant(double value) {
    double size = Math.abs(value);
    if (size >= 1e4 && size < 1e9) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return size == 0 || (size >= 1e-4 && size < 1e4)
        ? String.format(Locale.ROOT, "%.4g", value)
        : String.format(Locale.ROOT, "%.3e", value);
  }
}
