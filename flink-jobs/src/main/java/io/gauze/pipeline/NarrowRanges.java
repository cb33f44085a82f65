package io.gauze.pipeline;

import io.gauze.row.RowCounts;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds columns with many clamped values, among the rows since the last check. */
final class NarrowRanges {
  /** The share of a column's values from which on they are many. */
  private static final double MANY = 0.01;

  private static final long LEAST_ROWS = 100;

  private final RateLimiter lines = new RateLimiter();
  private RowCounts seen = new RowCounts(0, Map.of(), 0);

  /**
   * Returns a warning if one is due and a column has many clamped values. It holds shares, never a
   * value.
   *
   * @param counts the counts since the start
   * @param now wall-clock milliseconds
   */
  Optional<String> look(RowCounts counts, long now) {
    if (counts.rows() - seen.rows() < LEAST_ROWS || !lines.isDue(now)) {
      return Optional.empty();
    }
    Map<String, Double> shares = counts.since(seen).clampedShares(MANY);
    seen = counts;
    return shares.isEmpty()
        ? Optional.empty()
        : Optional.of(
            shares.entrySet().stream()
                    .map(
                        column ->
                            String.format(
                                Locale.ROOT,
                                "%s %.0f %%",
                                column.getKey(),
                                100.0 * column.getValue()))
                    .collect(
                        Collectors.joining(", ", "values outside of their range are clamped: ", ""))
                + ". Fits are off where that is more than a little; a wider range is a new stream.");
  }
}
