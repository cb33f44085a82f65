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
 * @param clipped the number of rows that were longer than the row bound
 */
public record RowCounts(long rows, Map<String, Long> clamped, long clipped) {
  /** Copies the map. */
  public RowCounts {
    clamped = Collections.unmodifiableMap(new LinkedHashMap<>(clamped));
  }

  /** Returns the difference to {@code before}, earlier counts of the same encoder. */
  public RowCounts since(RowCounts before) {
    Map<String, Long> more = new LinkedHashMap<>();
    clamped.forEach((name, count) -> more.put(name, count - before.clamped.getOrDefault(name, 0L)));
    return new RowCounts(rows - before.rows, more, clipped - before.clipped);
  }

  /**
   * Returns the share of rows with a value outside of each column's range, for columns where it is
   * above a limit.
   */
  public Map<String, Double> clampedShares(double above) {
    Map<String, Double> shares = new LinkedHashMap<>();
    clamped.forEach(
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
