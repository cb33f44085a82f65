package io.gauze.mechanism.twostage;

import java.util.List;
import org.ejml.data.DMatrixRMaj;

/**
 * What one or two rounds of noisy sums say of where rows lie. A function of these sums alone.
 *
 * @param transform of the last round, which the whitening is of
 * @param whitening of the rows under that transform
 * @param rounds their number
 */
record FirstStage(RowTransform transform, Whitening whitening, int rounds) {
  /**
   * Makes rounds until the noise hides little of the rows. O(D^3) time beside that of the sums.
   *
   * @param same the transform that changes nothing but the order of columns
   * @param intercept the constant of encoded rows
   * @param deviations of the noise in the moments of each round that there may be
   * @param ofCounts the deviation of the noise in a count of norms
   */
  static FirstStage of(
      RowSums sums, RowTransform same, double intercept, List<Double> deviations, double ofCounts) {
    RowTransform transform = same;
    DMatrixRMaj moments =
        sums.encoded().select(same.order().stream().mapToInt(Integer::intValue).toArray());
    for (int round = 1; ; round++) {
      Whitening whitening =
          new Whitening(moments, deviations.get(round - 1), transform.constant(intercept));
      if (round == deviations.size() || whitening.isEnough()) {
        return new FirstStage(transform, whitening, round);
      }
      ShortenedRows rows =
          ShortenedRows.of(
              sums,
              transform,
              whitening.ofAll(),
              round,
              ofCounts,
              counts -> whitening.rows(),
              deviations.get(round));
      transform = rows.transform();
      long[] next = sums.moments(transform, round, false);
      moments = TwoStageRelease.matrix(same.dimension(), TwoStageRelease.values(next));
    }
  }
}
