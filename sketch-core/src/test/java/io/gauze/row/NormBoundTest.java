package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormBoundTest {
  private static NormBound of(double bound) {
    return new NormBound(bound, Grid.forRowBound(bound));
  }

  @Test
  void roundsTowardZero() {
    int[] steps = new int[4];
    boolean longer = of(4.0).apply(new double[] {1.0, 0.99999, -0.99999, -0.5}, steps);
    assertThat(longer).isFalse();
    assertThat(steps).containsExactly(8192, 8191, -8191, -4096);
  }

  @Test
  void clipsToTheBound() {
    int[] steps = new int[3];
    boolean longer = of(1.0).apply(new double[] {1.0, -1.0, 1.0}, steps);
    assertThat(longer).isTrue();
    assertThat(steps).containsExactly(18918, -18918, 18918); // 32768 / sqrt(3) = 18918.6
  }

  /**
   * A bound just below sqrt(5) passes the floating-point test; the integers are then one step over
   * it.
   */
  @Test
  void takesOneStepOffTheLargestEntryIfTheIntegersAreOver() {
    double below = Math.nextDown(Math.sqrt(5.0));
    int[] steps = new int[5];
    boolean longer = of(below).apply(new double[] {1, 1, 1, 1, 1}, steps);
    assertThat(longer).isFalse();
    assertThat(steps).containsExactly(8192, 8192, 8192, 8192, 8191);
    int[] negative = new int[5];
    of(below).apply(new double[] {1, -1, -1, -1, -1}, negative);
    assertThat(negative).containsExactly(8192, -8192, -8192, -8192, -8191);
  }

  /** Without the integer check the same row would be longer than the bound: the check is needed. */
  @Test
  void truncationAloneWouldNotDo() {
    double below = Math.nextDown(Math.sqrt(5.0));
    assertThat(5L * 8192 * 8192).isGreaterThan(of(below).largestSquare());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0x1p-6, 0.1, 1.0, 2.0, 2.5, 3.605551275463989, 200.0, 256.0})
  void largestSquareIsExact(double bound) {
    BigDecimal steps = new BigDecimal(bound).multiply(BigDecimal.valueOf(2).pow(bitsOf(bound)));
    BigDecimal next = BigDecimal.valueOf(of(bound).largestSquare() + 1);
    assertThat(BigDecimal.valueOf(of(bound).largestSquare()))
        .isLessThanOrEqualTo(steps.pow(2))
        .isLessThanOrEqualTo(BigDecimal.valueOf(1L << 30));
    assertThat(next).isGreaterThan(steps.pow(2));
  }

  private static int bitsOf(double bound) {
    return Grid.forRowBound(bound).fractionBits();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0x1p-6, 0.7, 1.0, 1.7320508075688772, 2.5, 4.0})
  void noRowIsLongerThanTheBound(double bound) {
    NormBound norm = of(bound);
    SplittableRandom random = new SplittableRandom(2);
    double[] row = new double[12];
    int[] steps = new int[row.length];
    for (int trial = 0; trial < 50_000; trial++) {
      for (int i = 0; i < row.length; i++) {
        row[i] = random.nextInt(4) == 0 ? 1 - random.nextInt(3) : 2 * random.nextDouble() - 1;
      }
      norm.apply(row, steps);
      long square = 0;
      for (int step : steps) {
        square += (long) step * step;
      }
      assertThat(square).isLessThanOrEqualTo(norm.largestSquare());
    }
  }
}
