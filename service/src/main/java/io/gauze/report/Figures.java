package io.gauze.report;

import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.Locale;

/** Figures of reports as text for people. */
public final class Figures {
  private Figures() {}

  /**
   * The bound, how long a row could be, and the part of responses.
   *
   * @param isChosen whether releases choose bounds of their own
   */
  public static String rowBound(RowSchema schema, boolean isChosen) {
    if (isChosen) {
      return number(schema.rowBound())
          + " for the first sums, from which each release chooses a bound of its own";
    }
    double largest = schema.largestNorm();
    ResponseBound responses = schema.responses();
    return String.format(
        Locale.ROOT,
        "%s; longer rows are shortened to it (the longest possible row: %s, the intercept: %s)%s",
        number(schema.rowBound()),
        number(largest),
        number(schema.intercept()),
        responses.isEmpty()
            ? ""
            : "; "
                + number(responses.bound())
                + " for "
                + String.join(", ", responses.columns())
                + ", apart");
  }

  /** Returns a predicted excess in percent, of which NaN is not known. */
  public static String excess(double share) {
    return Double.isNaN(share) ? "not known" : String.format(Locale.ROOT, "%.3g %%", 100.0 * share);
  }

  /** Returns a number with six digits, enough to recognise it. */
  public static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value)
        .replaceFirst("(\\.\\d*?)0+(e|$)", "$1$2")
        .replaceFirst("\\.(e|$)", "$1");
  }

  /** Returns the name of the loss of a fit; ridge without a penalty is called least squares. */
  static String loss(String name, double lambda) {
    return name.equals("ridge") && lambda == 0.0 ? "least squares" : name;
  }

  /** Returns a number of rows with its noun, such as 1 row or 5,000 rows. */
  public static String rows(long rows) {
    return String.format(Locale.ROOT, rows == 1 ? "%,d row" : "%,d rows", rows);
  }

  /** Returns a share in percent with four digits at most, such as 2.5 %. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.4g", 100.0 * share).replaceFirst("\\.?0+$", "") + " %";
  }
}
