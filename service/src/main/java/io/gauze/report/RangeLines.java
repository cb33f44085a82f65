package io.gauze.report;

import io.gauze.row.RowCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Describes how many values are outside of the public ranges or missing, and how many rows exceed
 * the row bound.
 */
public final class RangeLines {
  /** The share of clipped rows from which on slopes can be clearly too small. */
  private static final double MANY = 0.05;

  private RangeLines() {}

  /**
   * Returns a line for each column with values outside of its range, one for each column with
   * missing values, and one for rows that exceed the row bound.
   *
   * @param choosesBounds whether releases shorten rows to bounds that they choose, whatever the row
   *     bound is
   */
  public static List<String> of(RowCounts counts, boolean choosesBounds) {
    List<String> lines = new ArrayList<>();
    counts
        .clampedShares(0.0)
        .forEach(
            (name, share) ->
                lines.add(
                    "column "
                        + name
                        + ": "
                        + percent(share)
                        + " of the values are outside of its range and were clamped to it"));
    counts
        .missingShares(0.0)
        .forEach(
            (name, share) ->
                lines.add(
                    "column "
                        + name
                        + ": "
                        + percent(share)
                        + " of the values are missing and count as 0 (missing: midpoint)"));
    if (counts.clipped() > 0 && !choosesBounds) {
      lines.add(
          percent(counts.clippedShare())
              + " of the rows are longer than rowBound, and a stream would shorten them"
              + (counts.clippedShare() < MANY
                  ? ""
                  : ". Slopes may come out too small: send the logarithm of a price or a cost, name"
                      + " the response, or raise rowBound"));
    }
    return lines;
  }

  private static String percent(double share) {
    double percent = 100.0 * share;
    return percent < 0.01
        ? "less than 0.01 %"
        : String.format(Locale.ROOT, percent < 10.0 ? "%.2g %%" : "%.0f %%", percent);
  }
}
