package io.gauze.pipeline.read;

import io.gauze.pipeline.RateLimiter;
import io.gauze.row.RowCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds columns with many values that are clamped or missing, among the rows since the last check.
 */
final class NarrowRanges {
  /** The share of a column's values from which on they are many. */
  private static final double MANY = 0.01;

  /** The share of missing values above which a column is likely to be read from a wrong field. */
  private static final double MOSTLY = 0.5;

  private static final long LEAST_ROWS = 100;

  private final RateLimiter lines = new RateLimiter();
  private RowCounts seen = RowCounts.NONE;

  /**
   * Returns a warning if one is due and a column has many clamped values, or hardly any value. It
   * holds shares, never a value.
   *
   * @param counts the counts since the start
   * @param now wall-clock milliseconds
   */
  Optional<String> look(RowCounts counts, long now) {
    if (counts.rows() - seen.rows() < LEAST_ROWS || !lines.isDue(now)) {
      return Optional.empty();
    }
    RowCounts since = counts.since(seen);
    seen = counts;
    List<String> warnings = new ArrayList<>();
    listed(since.clampedShares(MANY))
        .ifPresent(
            columns ->
                warnings.add(
                    "values outside of their range are clamped: "
                        + columns
                        + ". Fits are off where that is more than a little; a wider range is a new"
                        + " stream."));
    listed(since.missingShares(MOSTLY))
        .ifPresent(
            columns ->
                warnings.add(
                    "values are missing and encoded as 0: "
                        + columns
                        + ". Check the names of the fields (source) against the records; another"
                        + " source is a new stream."));
    return warnings.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", warnings));
  }

  private static Optional<String> listed(Map<String, Double> shares) {
    return shares.entrySet().stream()
        .map(
            column ->
                String.format(
                    Locale.ROOT, "%s %.0f %%", column.getKey(), 100.0 * column.getValue()))
        .reduce((first, second) -> first + ", " + second);
  }
}
