package io.gauze.mechanism.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

final class NormCountsTest {
  private static double[] counts(double... atFirst) {
    double[] counts = new double[NormCells.COUNT];
    System.arraycopy(atFirst, 0, counts, 0, atFirst.length);
    return counts;
  }

  @Test
  void countsThatNoiseHidesAreNone() {
    NormCounts counts = new NormCounts(counts(26, 1000, 24, 30), 10.0);
    assertThat(counts.rows()).isEqualTo(1026.0);
    assertThat(new NormCounts(counts(), 10.0).rows()).isEqualTo(1.0);
  }

  /** A tenth of the rows have twice the bound's square, and lose half of their squares. */
  @Test
  void theLostSquaresAreThoseBeyondTheBound() {
    double[] rows = counts();
    int near = NormCells.of(1.1);
    rows[near] = 90_000;
    rows[near + 1] = 10_000;
    NormCounts counts = new NormCounts(rows, 4_000.0);
    double bound = NormCells.typical(near + 1) / 2.0;
    double far = 0.1 * NormCells.typical(near + 1);
    double all = far + 0.9 * NormCells.typical(near);
    double nearLost = Math.max(0.0, NormCells.typical(near) - bound);
    assertThat(counts.lostSquares(bound))
        .isGreaterThanOrEqualTo((0.5 * far + 0.9 * nearLost) / all);
    assertThat(counts.lostSquares(1e9)).isZero();
    assertThat(counts.cost(1e9)).isZero();
    assertThat(counts.lostWeight(bound))
        .isGreaterThanOrEqualTo(0.05 + 0.9 * nearLost / NormCells.typical(near))
        .isLessThan(counts.lostSquares(bound));
    assertThat(counts.lostWeight(1e9)).isZero();
    assertThat(counts.lostWeightDeviation(bound)).isBetween(4_000.0 * 0.5 / 1e5, 1.0);
  }

  @Test
  void countsThatNoiseHidesLeaveEverythingOpen() {
    NormCounts hidden = new NormCounts(counts(), 1.0);
    assertThat(hidden.lostWeight(1.0)).isEqualTo(1.0);
    assertThat(hidden.lostSquares(1.0)).isEqualTo(1.0);
    assertThat(hidden.lostWeightDeviation(1.0)).isEqualTo(1.0);
  }

  /** Of 30 cells noise fills one in six releases beyond 2.5 deviations. */
  @Test
  void aCountBeyondAGapIsNoise() {
    double[] rows = counts(100, 2000, 300);
    NormCounts clean = new NormCounts(rows, 10.0);
    rows[20] = 31;
    NormCounts noisy = new NormCounts(rows, 10.0);
    assertThat(noisy.rows()).isEqualTo(clean.rows());
    assertThat(noisy.lostWeight(NormCells.upper(2)))
        .isEqualTo(clean.lostWeight(NormCells.upper(2)));
  }

  /** Rows of a rare kind may be far away from all others. */
  @Test
  void aCountBeyondAGapThatNoNoiseMakesIsOneOfRows() {
    double[] rows = counts(100, 2000, 300);
    rows[20] = 46;
    rows[21] = 26;
    NormCounts counts = new NormCounts(rows, 10.0);
    assertThat(counts.rows()).isEqualTo(2472.0);
    double bound = NormCells.upper(2);
    assertThat(counts.lostWeight(bound)).isGreaterThan(71.0 / 2472.0);
    assertThat(counts.cost(bound))
        .isGreaterThan(2.0 * new NormCounts(counts(100, 2000, 300), 10.0).cost(bound));
    assertThat(counts.isHidden()).isFalse();
  }

  /** As above, but in several cells, none of which is sure alone; they are not taken to go on. */
  @Test
  void countsBeyondAGapStandOutTogether() {
    double[] rows = counts(100, 2000, 300);
    for (int cell = 14; cell < 22; cell++) {
      rows[cell] = 22;
    }
    NormCounts counts = new NormCounts(rows, 10.0);
    assertThat(counts.rows()).isBetween(2520.0, 2576.0);
    NormCounts one = new NormCounts(counts(100, 2000, 300), 10.0);
    double bound = NormCells.upper(2);
    double lost = counts.lostWeight(bound) * counts.rows() - one.lostWeight(bound) * one.rows();
    assertThat(lost / (counts.rows() - one.rows())).isBetween(0.9, 1.0);
  }

  /** The fullest cell of none is one of noise. */
  @Test
  void aFullestCellThatNoiseMakesIsNone() {
    double[] rows = counts(12, -8, 26, 3);
    rows[25] = 44;
    NormCounts counts = new NormCounts(rows, 10.0);
    assertThat(counts.isHidden()).isTrue();
    assertThat(counts.lostWeight(1.0)).isEqualTo(1.0);
  }

  @Test
  void aTailIsAtMostThatOfALawWithFourthMoments() {
    NormCounts falling = new NormCounts(counts(0, 0, 0, 900, 90), 5.0);
    NormCounts level = new NormCounts(counts(0, 0, 0, 900, 900), 5.0);
    double bound = NormCells.upper(4);
    assertThat(falling.cost(bound)).isZero();
    assertThat(falling.lostSquares(bound)).isPositive();
    assertThat(level.lostSquares(bound)).isGreaterThan(falling.lostSquares(bound));
  }

  @Test
  void theBoundFollowsTheNoise() {
    double[] rows = counts();
    for (int cell = 0; cell < 14; cell++) {
      rows[cell] = 4000.0 * Math.pow(0.6, Math.abs(cell - 4));
    }
    NormCounts counts = new NormCounts(rows, 1.0);
    Whitening.Step step = new Whitening.Step(CommonOps_DDRM.identity(4), 4.0, 3.0, 3.0);
    double last = 0.0;
    for (double deviation : new double[] {1000.0, 100.0, 10.0, 1.0, 0.01}) {
      double square = BoundChoice.square(counts, step, counts.rows(), deviation);
      assertThat(square).isGreaterThanOrEqualTo(last);
      last = square;
    }
    assertThat(BoundChoice.square(counts, step, counts.rows(), 1e9)).isEqualTo(NormCells.upper(1));
    assertThat(last).isGreaterThan(NormCells.upper(10));
  }

  /** A tenth exceeds a bound by a known part, and the rows that noise hides go on beyond. */
  @Test
  void theMeanAboveABoundHasTheTail() {
    double[] rows = counts();
    rows[4] = 90_000;
    rows[5] = 10_000;
    double bound = NormCells.typical(4);
    double seen = 0.1 * (NormCells.typical(5) - bound);
    assertThat(new NormCounts(rows, 1e-3).meanAbove(bound)).isBetween(seen, 1.1 * seen);
    assertThat(new NormCounts(rows, 2_000.0).meanAbove(bound)).isGreaterThan(1.2 * seen);
    assertThat(new NormCounts(rows, 1e-3).meanAbove(1e9)).isZero();
    assertThat(new NormCounts(counts(), 1.0).meanAbove(1.0)).isZero();
  }

  /** A row beyond the bound counts with the bound times its size; hidden rows do not count. */
  @Test
  void whatWeighsLessBeyondABoundIsThatOfTheRowsThatAreSeen() {
    double[] rows = counts();
    rows[4] = 90_000;
    rows[6] = 10_000;
    rows[20] = 20;
    NormCounts counts = new NormCounts(rows, 100.0);
    double near = NormCells.typical(4);
    double far = NormCells.typical(6);
    double all = 0.9 * near * near + 0.1 * far * far;
    assertThat(counts.keptSquares(near))
        .isCloseTo((0.9 * near * near + 0.1 * far * near) / all, within(1e-12));
    assertThat(counts.keptSquares(1e9)).isCloseTo(1.0, within(1e-12));
    assertThat(counts.meanSeenAbove(near)).isCloseTo(0.1 * (far - near), within(1e-12));
    assertThat(counts.meanSeenAbove(1e9)).isZero();
    assertThat(new NormCounts(counts(), 1.0).keptSquares(1.0)).isEqualTo(1.0);
  }
}
