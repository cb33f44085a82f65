package io.gauze.mechanism.twostage;

import java.util.function.ToDoubleFunction;

/**
 * Transformed rows with a bound that noisy counts of their norms chose. A function of these counts,
 * and of what is public before them.
 */
final class ShortenedRows {
  private final RowTransform transform;
  private final double square;
  private final long[] map;
  private final long[] counts;

  private ShortenedRows(RowTransform transform, double square, long[] map, long... counts) {
    this.transform = transform;
    this.square = square;
    this.map = map;
    this.counts = counts;
  }

  /**
   * Counts norms and chooses the bound.
   *
   * @param sums that count
   * @param before the transform so far
   * @param step the next one
   * @param round of the counts
   * @param deviation of the noise of each count
   * @param rows their number, as far as the counts or the moments before them tell it
   * @param next the deviation of the noise in the moments of the shortened rows
   */
  static ShortenedRows of(
      RowSums sums,
      RowTransform before,
      Whitening.Step step,
      int round,
      double deviation,
      ToDoubleFunction<NormCounts> rows,
      double next) {
    RowTransform wide = before.then(step.map());
    long[] counts = sums.norms(wide, round);
    NormCounts norms = new NormCounts(TwoStageRelease.values(counts), deviation);
    double square = BoundChoice.square(norms, step, rows.applyAsDouble(norms), next);
    long[] map = wide.times(1.0 / Math.sqrt(square)).numbers(TwoStageRelease.UNIT);
    return new ShortenedRows(before.of(TwoStageRelease.values(map)), square, map, counts);
  }

  /** The transform after which the bound is 1. */
  RowTransform transform() {
    return transform;
  }

  /** The squared bound, in the unit of {@link NormCells}. */
  double square() {
    return square;
  }

  /** The entries of the transform, in units of a release; not to be changed. */
  long[] map() {
    return map;
  }

  /** The noisy counts, in units of a release; not to be changed. */
  long[] counts() {
    return counts;
  }
}
