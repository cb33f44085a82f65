package io.gauze.row;

import java.util.Locale;

/** Checks the public range of a column. */
final class PublicRange {
  private PublicRange() {}

  /** Checks that both ends are finite, {@code lower < upper}, and twice the width is finite. */
  static void check(String column, double lower, double upper) {
    if (!(lower < upper && 2.0 * (upper - lower) < Double.POSITIVE_INFINITY)) { // also refuses NaN
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
