package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormBoundTest {
  private static NormBound of(int dimension, double bound) {
    return new NormBound(dimension, bound, Double.MAX_VALUE, Grid.forRowBound(bound));
  }

  @Test
  void roundsTowardZero() {
    int[] steps = new int[4];
    int longer = of(4, 4.0).apply(new double[] {1.0, 0.99999, -0.99999, -0.5}, 1, steps, 0);
    assertThat(longer).isZero();
    assertThat(steps).containsExactly(8192, 8191, -8191, -4096);
  }

  /** One row after the other, and what is missing counts as 0. */
  @Test
  void takesManyRows() {
    double[] rows = {1.0, Double.NaN, -1.0, 0.0, 0.5, Double.NaN, 9, 9, 9};
    int[] steps = {7, 7, 7, 7, 7, 7, 7, 7};
    assertThat(of(3, 1.0).apply(rows, 2, steps, 1)).isEqualTo(1);
    assertThat(steps).containsExactly(7, 23170, 0, -23170, 0, 16384, 0, 7); // 32768 / sqrt(2)
  }

  @Test
  void clipsToTheBound() {
    int[] steps = new int[3];
    int longer = of(3, 1.0).apply(new double[] {1.0, -1.0, 1.0}, 1, steps, 0);
    assertThat(longer).isOne();
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
    int longer = of(5, below).apply(new double[] {1, 1, 1, 1, 1}, 1, steps, 0);
    assertThat(longer).isZero();
    assertThat(steps).containsExactly(8192, 8192, 8192, 8192, 8191);
    int[] negative = new int[5];
    of(5, below).apply(new double[] {1, -1, -1, -1, -1}, 1, negative, 0);
    assertThat(negative).containsExactly(8192, -8192, -8192, -8192, -8191);
  }

  /** Without the integer check the same row would be longer than the bound: the check is needed. */
  @Test
  void truncationAloneWouldNotDo() {
    double below = Math.nextDown(Math.sqrt(5.0));
    assertThat(5L * 8192 * 8192).isGreaterThan(of(5, below).largestSquare());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0x1p-6, 0.1, 1.0, 2.0, 2.5, 3.605551275463989, 200.0, 256.0})
  void largestSquareIsExact(double bound) {
    BigDecimal steps = new BigDecimal(bound).multiply(BigDecimal.valueOf(2).pow(bitsOf(bound)));
    BigDecimal next = BigDecimal.valueOf(of(1, bound).largestSquare() + 1);
    assertThat(BigDecimal.valueOf(of(1, bound).largestSquare()))
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
    NormBound norm = of(12, bound);
    SplittableRandom random = new SplittableRandom(2);
    double[] row = new double[12];
    int[] steps = new int[row.length];
    for (int trial = 0; trial < 50_000; trial++) {
      for (int i = 0; i < row.length; i++) {
        row[i] = random.nextInt(4) == 0 ? 1 - random.nextInt(3) : 2 * random.nextDouble() - 1;
      }
      norm.apply(row, 1, steps, 0);
      long square = 0;
      for (int step : steps) {
        square += (long) step * step;
      }
      assertThat(square).isLessThanOrEqualTo(norm.largestSquare());
    }
  }

  /** Rows whose squares are added up side by side are those that are clipped one by one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 12, 600})
  void rowsTogetherAreThoseAlone(int dimension) {
    SplittableRandom random = new SplittableRandom(dimension);
    int count = 23;
    double[] rows = new double[count * dimension];
    int[] together = new int[rows.length];
    int[] alone = new int[rows.length];
    int all = 0;
    for (int trial = 0; trial < 500; trial++) {
      double bound = trial == 0 ? 0x1p-6 : Math.nextUp(random.nextDouble(0x1p-6, 5));
      for (int k = 0; k < count; k++) {
        fill(rows, k * dimension, dimension, bound, random);
      }
      NormBound norm = of(dimension, bound);
      int longer = norm.apply(rows.clone(), count, together, 0);
      int longerAlone = 0;
      for (int k = 0; k < count; k++) {
        int from = k * dimension;
        double[] row = Arrays.copyOfRange(rows, from, from + dimension);
        longerAlone += norm.apply(row, 1, alone, from);
      }
      assertThat(together).isEqualTo(alone);
      assertThat(longer).isEqualTo(longerAlone);
      all += longer;
    }
    assertThat(all).isBetween(500, (count - 1) * 500);
  }

  /**
   * A row far below the bound, at it up to some roundings, or above it; or one without a number.
   */
  private static void fill(
      double[] rows, int from, int dimension, double bound, SplittableRandom random) {
    double square = 0;
    for (int i = from; i < from + dimension; i++) {
      rows[i] = random.nextDouble(-1, 1);
      square += rows[i] * rows[i];
    }
    double[] sizes = {0.0, 0x1p-600, 0.5, 1 - 0x1p-30, 1 - 0x1p-40, 1, 1 + 0x1p-41, 1.5, 1e300};
    double size = sizes[random.nextInt(sizes.length)] * bound / Math.sqrt(square);
    for (int i = from; i < from + dimension; i++) {
      rows[i] *= size * (1 + random.nextInt(-3, 4) * 0x1p-52);
    }
    if (random.nextInt(10) == 0) {
      rows[from + random.nextInt(dimension)] = Double.NaN;
    }
  }

  /** Rows that cannot be longer than the bound are those that the check leaves as they are. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 12, 600})
  void withoutTheCheckAsWithIt(int dimension) {
    double bound = largest(dimension);
    NormBound unchecked = new NormBound(dimension, bound, bound, Grid.forRowBound(bound));
    SplittableRandom random = new SplittableRandom(dimension);
    double[] rows = new double[3 * dimension];
    int[] steps = new int[rows.length];
    int[] expected = new int[rows.length];
    for (int trial = 0; trial < 2_000; trial++) {
      for (int i = 0; i < rows.length; i++) {
        int kind = random.nextInt(trial % 4 == 0 ? 3 : 30);
        rows[i] = kind < 2 ? 2 * kind - 1 : trial % 4 == 0 ? -0.0 : 2 * random.nextDouble() - 1;
        if (kind == 29) {
          rows[i] = Double.NaN;
        }
      }
      assertThat(unchecked.apply(rows.clone(), 3, steps, 0)).isZero();
      assertThat(of(dimension, bound).apply(rows, 3, expected, 0)).isZero();
      assertThat(steps).isEqualTo(expected);
    }
  }

  private static double largest(int dimension) {
    double root = Math.sqrt(dimension);
    boolean above = new BigDecimal(root).pow(2).compareTo(new BigDecimal(dimension)) >= 0;
    return above ? root : Math.nextUp(root);
  }
}
