package io.gauze.row;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts of rows whose values the encoding changed. The counts are private, for the operator only.
 *
 * @param rows the number of accepted rows; for a changed row, the row before and the row after
 *     count separately
 * @param clamped the number of rows with a value outside of its range, by the name of each numeric
 *     column, in the order of the columns; immutable
 * @param missing the number of rows without a value, by the name of each column, in the order of
 *     the columns; immutable
 * @param clipped the number of rows that were longer than the row bound
 */
public record RowCounts(
    long rows, Map<String, Long> clamped, Map<String, Long> missing, long clipped) {
  /** The counts before the first row. */
  public static final RowCounts NONE = new RowCounts(0, Map.of(), Map.of(), 0);

  /** Copies the maps. */
  public RowCounts {
    clamped = Collections.unmodifiableMap(new LinkedHashMap<>(clamped));
    missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
  }

  /** Returns the difference to {@code before}, earlier counts of the same encoder. */
  public RowCounts since(RowCounts before) {
    return new RowCounts(
        rows - before.rows,
        more(before.clamped, clamped),
        more(before.missing, missing),
        clipped - before.clipped);
  }

  private static Map<String, Long> more(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> more = new LinkedHashMap<>();
    after.forEach((name, count) -> more.put(name, count - before.getOrDefault(name, 0L)));
    return more;
  }

  /**
   * Returns the share of rows with a value outside of each column's range, for columns where it is
   * above a limit.
   */
  public Map<String, Double> clampedShares(double above) {
    return shares(clamped, above);
  }

  /** Returns the share of rows without a value, for columns where it is above a limit. */
  public Map<String, Double> missingShares(double above) {
    return shares(missing, above);
  }

  private Map<String, Double> shares(Map<String, Long> counts, double above) {
    Map<String, Double> shares = new LinkedHashMap<>();
    counts.forEach(
        (name, count) -> {
          double share = share(count);
          if (share > above) {
            shares.put(name, share);
          }
        });
    return shares;
  }

  /** The share of rows that were longer than the row bound; 0 if there is none. */
  public double clippedShare() {
    return share(clipped);
  }

  private double share(long count) {
    return rows == 0 ? 0.0 : (double) count / rows;
  }
}
