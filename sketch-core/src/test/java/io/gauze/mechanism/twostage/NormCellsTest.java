package io.gauze.mechanism.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class NormCellsTest {
  private static final int LAST = NormCells.COUNT - 1;

  /** A cell has its lower edge, and not its upper one; the edges are powers of the root of 2. */
  @Test
  void anEdgeIsInTheCellAboveIt() {
    assertThat(NormCells.upper(0)).isEqualTo(0.25);
    assertThat(NormCells.upper(4)).isEqualTo(1.0);
    assertThat(NormCells.upper(LAST - 1)).isEqualTo(4096.0);
    for (int cell = 0; cell < LAST; cell++) {
      double edge = NormCells.upper(cell);
      assertThat(NormCells.of(Math.nextDown(edge))).isEqualTo(cell);
      assertThat(NormCells.of(edge)).isEqualTo(cell + 1);
      if (cell > 0) {
        assertThat(edge / NormCells.upper(cell - 1)).isCloseTo(Math.sqrt(2.0), within(1e-15));
      }
    }
  }

  /** Every squared norm has a cell, also one that overflows and one that is no number. */
  @Test
  void whatIsNoNumberIsInTheLastCell() {
    assertThat(NormCells.of(0.0)).isZero();
    assertThat(NormCells.of(Double.MIN_VALUE)).isZero();
    assertThat(NormCells.of(1e300)).isEqualTo(LAST);
    assertThat(NormCells.of(Double.POSITIVE_INFINITY)).isEqualTo(LAST);
    assertThat(NormCells.of(Double.NaN)).isEqualTo(LAST);
    assertThat(NormCells.upper(LAST)).isInfinite();
  }

  @Test
  void whatStandsForACellIsInIt() {
    for (int cell = 1; cell < LAST; cell++) {
      assertThat(NormCells.of(NormCells.typical(cell))).isEqualTo(cell);
    }
    assertThat(NormCells.typical(0)).isEqualTo(0.25);
    assertThat(NormCells.typical(LAST)).isEqualTo(4096.0);
  }
}
