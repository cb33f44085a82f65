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
    NormCounts counts = new NormCounts(counts(10, 1000, 24, 30), 10.0);
    assertThat(counts.rows()).isEqualTo(1030.0);
    assertThat(new NormCounts(counts(), 10.0).rows()).isEqualTo(1.0);
  }

  /** Half of the rows have 4 times the bound's square: they keep a quarter. */
  @Test
  void theShareIsThatOfTheRowsWeight() {
    double[] rows = counts();
    rows[NormCells.of(1.1)] = 500;
    int far = NormCells.of(4.5);
    rows[far] = 500;
    NormCounts counts = new NormCounts(rows, 1.0);
    double bound = NormCells.typical(far) / 4.0;
    double near = Math.max(0.0, 1.0 - bound / NormCells.typical(NormCells.of(1.1)));
    assertThat(counts.share(bound)).isCloseTo(0.5 * 0.75 + 0.5 * near, within(1e-12));
    assertThat(counts.share(1e9)).isZero();
    assertThat(counts.cost(1e9)).isZero();
    assertThat(counts.shareDeviation(bound)).isGreaterThan(0.0);
  }

  @Test
  void aTailIsAtMostThatOfALawWithFourthMoments() {
    NormCounts falling = new NormCounts(counts(0, 0, 0, 900, 90), 5.0);
    NormCounts level = new NormCounts(counts(0, 0, 0, 900, 900), 5.0);
    double bound = NormCells.upper(4);
    assertThat(falling.cost(bound)).isZero();
    assertThat(falling.costWithTail(bound)).isPositive();
    assertThat(level.costWithTail(bound)).isGreaterThan(falling.costWithTail(bound));
    assertThat(new NormCounts(counts(), 5.0).costWithTail(bound)).isFinite();
  }

  @Test
  void theBoundFollowsTheNoise() {
    double[] rows = counts();
    for (int cell = 0; cell < 14; cell++) {
      rows[cell] = 4000.0 * Math.pow(0.6, Math.abs(cell - 4));
    }
    NormCounts counts = new NormCounts(rows, 1.0);
    Whitening.Step step =
        new Whitening.Step(CommonOps_DDRM.identity(4), 4.0, new double[] {1.0, 1.0}, 1.0, 1.0);
    double last = 0.0;
    for (double deviation : new double[] {1000.0, 100.0, 10.0, 1.0, 0.01}) {
      double square = BoundChoice.square(counts, step, counts.rows(), deviation);
      assertThat(square).isGreaterThanOrEqualTo(last);
      last = square;
    }
    assertThat(BoundChoice.square(counts, step, counts.rows(), 1e9)).isEqualTo(NormCells.upper(1));
    assertThat(last).isGreaterThan(NormCells.upper(10));
  }
}
