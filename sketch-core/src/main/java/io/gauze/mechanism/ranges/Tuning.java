package io.gauze.mechanism.ranges;

/**
 * The constants of estimated ranges that were chosen on data. A change of one is a new {@link
 * EstimatedRanges#VERSION}.
 */
public final class Tuning {
  /**
   * The part of the counted rows that may be beyond each end of a range.
   *
   * <p>Unit: rows over rows, in (0, 0.5). Data: wine, california, diamonds and flights. Chosen: by
   * hand, by benchmarks/accuracy DATA 20 ranges 1.0. Figure: the tries are not kept; with it the
   * excess of ridge is 8.52, 7.87, 3.32 and 0.229 %, and 18.2, 21.4, 166 and 51.2 % with ranges
   * that are 5 times too wide (benchmarks/results/estimated-ranges.md).
   */
  static final double BEYOND = 0.005;

  /**
   * The cells by which a range is wider at each end: rare values there are hidden by the noise.
   * They cost little, since the spread decides how a column is encoded.
   *
   * <p>Unit: cells, at least 0. Data: wine, california, diamonds and flights. Chosen: by hand, with
   * {@link #BEYOND}. Figure: as of {@link #BEYOND}.
   */
  static final int MARGIN = 1;

  private Tuning() {}
}
