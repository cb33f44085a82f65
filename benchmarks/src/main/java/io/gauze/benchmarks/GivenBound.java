package io.gauze.benchmarks;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStageRelease;
import java.util.Optional;

/**
 * Releases of two stages whose last sums are of rows that are shortened to a given bound, whatever
 * the counts of norms say: to measure what the rule that chooses a bound loses to the best one.
 */
final class GivenBound implements RowSums {
  private final RowSums sums;
  private final double square;
  private Optional<RowTransform> wide = Optional.empty();
  private long[] map = {};

  private GivenBound(RowSums sums, double square) {
    this.sums = sums;
    this.square = square;
  }

  /**
   * Returns the numbers of a release.
   *
   * @param square the squared bound, over the mean that transforms are made for
   */
  static long[] numbers(TwoStageMoments mechanism, RowSums sums, double square) {
    GivenBound given = new GivenBound(sums, square);
    long[] numbers = mechanism.numbers(given);
    numbers[1] = Math.round(square / TwoStageRelease.UNIT);
    System.arraycopy(given.map, 0, numbers, 2, given.map.length);
    return numbers;
  }

  @Override
  public SymmetricMatrix encoded() {
    return sums.encoded();
  }

  @Override
  public long[] norms(RowTransform transform, int round) {
    wide = Optional.of(transform);
    return sums.norms(transform, round);
  }

  @Override
  public long[] moments(RowTransform transform, int round, boolean isLast) {
    if (!isLast) {
      return sums.moments(transform, round, false);
    }
    RowTransform before = wide.orElseThrow();
    map = before.times(1.0 / Math.sqrt(square)).numbers(TwoStageRelease.UNIT);
    int last = transform.order().get(transform.dimension() - 1);
    double[] entries = TwoStageRelease.values(map);
    return sums.moments(RowTransform.of(transform.dimension(), last, entries), round, true);
  }
}
