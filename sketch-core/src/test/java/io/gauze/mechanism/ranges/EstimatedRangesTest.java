package io.gauze.mechanism.ranges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.row.RangeGrid;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EstimatedRangesTest {
  private static double[] counts(double... values) {
    double[] counts = new double[RangeGrid.CELLS];
    for (double value : values) {
      counts[RangeGrid.cell(value)]++;
    }
    return counts;
  }

  private static EstimatedRanges.Range choose(double[] counts, double sigma) {
    return EstimatedRanges.choose(i -> counts[i], sigma, 1).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1.8",
    "1.7999999, 1, 1.8",
    "1.8, 1.8, 3.2",
    "9.999, 5.6, 10",
    "1e-6, 1e-6, 1.8e-6",
    "1e13, 5.6e11, 1e12",
    "-1, -1.8, -1",
    "-1e300, -1e12, -5.6e11",
    "9.9e-7, 0, 0",
    "-0.0, 0, 0",
    "4.9e-324, 0, 0"
  })
  void cellsHaveRoundEdges(double value, double lower, double upper) {
    int cell = RangeGrid.cell(value);
    assertThat(RangeGrid.lower(cell)).isEqualTo(lower);
    assertThat(RangeGrid.upper(cell)).isEqualTo(upper);
  }

  @Test
  void cellsAreInRisingOrderWithoutGaps() {
    for (int cell = 1; cell < RangeGrid.CELLS; cell++) {
      double gap = RangeGrid.lower(cell) - RangeGrid.upper(cell - 1);
      boolean atZero = cell == RangeGrid.CELLS / 2 || cell == RangeGrid.CELLS / 2 + 1;
      assertThat(gap).isEqualTo(atZero ? RangeGrid.LEAST : 0.0);
      assertThat(RangeGrid.cell(RangeGrid.lower(cell) * 1.0001))
          .isEqualTo(RangeGrid.lower(cell) < 0.0 ? cell - 1 : cell);
    }
  }

  /** Reference: cells times m times the normal law above z is .001, with 40 digits. */
  @ParameterizedTest
  @CsvSource({"1, 4.347129", "7, 4.756432", "12, 4.864162", "100, 5.267983"})
  void deviationsGrowWithTheCells(int columns, double z) {
    assertThat(EstimatedRanges.deviations(columns)).isCloseTo(z, within(1e-5));
  }

  @Test
  void halfAPercentMayBeBeyondEachEnd() {
    double[] counts = new double[RangeGrid.CELLS];
    counts[RangeGrid.cell(-2000)] = 4;
    counts[RangeGrid.cell(-2)] = 490;
    counts[RangeGrid.cell(30)] = 500;
    counts[RangeGrid.cell(4e5)] = 6;
    EstimatedRanges.Range range = choose(counts, 0.1);
    assertThat(range.lower()).isEqualTo(-5.6);
    assertThat(range.upper()).isEqualTo(1e6);
    assertThat(range.typical()).isEqualTo(25.0);
    assertThat(range.reachesTheEnd()).isFalse();
  }

  @Test
  void whatIsAboutZeroHasARange() {
    EstimatedRanges.Range zero = choose(counts(0, 0, 1e-9), 0.1);
    assertThat(zero).isEqualTo(new EstimatedRanges.Range(-1.8e-6, 1.8e-6, 0.0, 3.6e-6 / 64.0));
    assertThat(zero.isAboutZero()).isTrue();
    assertThat(choose(counts(2000, 2010), 0.1).isFarFromZero()).isTrue();
    assertThat(choose(counts(2, 2010), 0.1).isFarFromZero()).isFalse();
    assertThat(choose(counts(0, 0, 5), 0.1).toString()).isEqualTo("[-1.8E-6, 10]");
    assertThat(choose(counts(1e14, 3), 0.1).reachesTheEnd()).isTrue();
  }

  /**
   * No row, 12 columns, 400 times: a range is found with a probability of at most .001 each time,
   * so 8 times with one of 1e-8. At three deviations, as often taken, nearly always.
   */
  @Test
  void noiseAloneHasNoRange() {
    Random normal = new Random(3);
    int found = 0;
    int loose = 0;
    for (int run = 0; run < 400; run++) {
      boolean any = false;
      double largest = 0.0;
      for (int column = 0; column < 12; column++) {
        double[] counts = new double[RangeGrid.CELLS];
        for (int i = 0; i < counts.length; i++) {
          counts[i] = 60.0 * normal.nextGaussian();
          largest = Math.max(largest, counts[i]);
        }
        any |= EstimatedRanges.choose(i -> counts[i], 60.0, 12).isPresent();
      }
      found += any ? 1 : 0;
      loose += largest > 180.0 ? 1 : 0;
    }
    assertThat(found).isLessThan(8);
    assertThat(loose).isGreaterThan(300);
  }
}
