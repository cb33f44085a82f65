package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Locale;

/** Checks the public range of a column. */
final class PublicRange {
  private PublicRange() {}

  /** The typical value is in a range that is one. */
  static void check(String column, double lower, double upper, double typical) {
    check(column, lower, upper);
    Checks.within("column " + column + ": typical", typical, lower, upper);
  }

  /** Both ends are finite, {@code lower < upper}, and twice the width is finite. */
  private static void check(String column, double lower, double upper) {
    if (!(lower < upper && 2.0 * (upper - lower) < Double.POSITIVE_INFINITY)) { // NaN too
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
}
