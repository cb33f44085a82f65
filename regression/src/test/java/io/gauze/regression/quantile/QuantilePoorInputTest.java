package io.gauze.regression.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that leave a fit open, exact fits, limits, and arguments out of range. */
class QuantilePoorInputTest {
  private static final double[] NONE = {};

  @Test
  void fewerRowsThanColumnsAreRefused() {
    WeightedRows rows =
        WeightedRows.of(2, new double[] {1, 2, 1, 3, 1, 4}, new double[3], new double[] {0, 1, 0});
    assertThat(reason(rows))
        .isEqualTo(
            "there is 1 row of positive weight for 2 coefficients; send more, or drop columns");
    assertThat(reason(WeightedRows.unweighted(1, NONE, NONE))).startsWith("there are 0 rows");
  }

  @Test
  void aColumnOfZerosIsRefused() {
    double[] x = {1, 0, 1, 0, 1, 5};
    WeightedRows rows = WeightedRows.of(2, x, new double[] {1, 2, 3}, new double[] {1, 1, 0});
    assertThat(reason(rows)).isEqualTo("column 1 is 0 in all rows of positive weight; drop it");
  }

  @Test
  void dependentColumnsAreRefusedByIndex() {
    QuantileCase rows = QuantileCase.smooth(500, 6, new SplittableRandom(1));
    for (int i = 0; i < 500; i++) {
      rows.x[6 * i + 4] = 3.0 * rows.x[6 * i + 1] - rows.x[6 * i + 2];
    }
    assertThat(reason(rows.rows()))
        .isEqualTo("columns 1, 2, 4 depend on each other linearly; drop 1 of them");
    for (int i = 0; i < 500; i++) {
      rows.x[6 * i + 4] = rows.x[6 * i + 1] - rows.x[6 * i + 2];
      rows.x[6 * i + 5] = 1e6;
    }
    assertThat(reason(rows.rows()))
        .isEqualTo("columns 0, 1, 2, 4, 5 depend on each other linearly; drop 2 of them");
  }

  @Test
  void nearlyDependentColumnsAreFitted() {
    QuantileCase rows = QuantileCase.smooth(500, 3, new SplittableRandom(2));
    for (int i = 0; i < 500; i++) {
      rows.x[3 * i + 2] = rows.x[3 * i + 1] + 1e-5 * rows.x[3 * i + 2];
    }
    QuantileFit fit = rows.fit(0.5);
    assertThat(fit.relativeGap()).isLessThan(1e-10);
    assertThat(rows.loss(0.5, fit.coefficients().toArray()))
        .isCloseTo(fit.objective(), within(1e-9 * fit.objective()));
  }

  @Test
  void asManyRowsAsColumnsAreInterpolated() {
    QuantileFit fit =
        solved(WeightedRows.unweighted(2, new double[] {1, 1, 1, 3}, new double[] {5, 9}));
    assertThat(fit.coefficients().toArray()).containsExactly(new double[] {3, 2}, within(1e-14));
    assertThat(fit.objective()).isLessThan(1e-13);
  }

  @Test
  void responsesOfZeroGiveZero() {
    QuantileCase rows = QuantileCase.smooth(50, 3, new SplittableRandom(3));
    Arrays.fill(rows.y, 0.0);
    assertThat(rows.fit(0.2)).isEqualTo(new QuantileFit(DoubleVector.of(0, 0, 0), 0, 0, 0, 0));
  }

  @Test
  void exactFitsAreFound() {
    QuantileCase rows = QuantileCase.smooth(2_000, 3, new SplittableRandom(4));
    for (int i = 0; i < 2_000; i++) {
      rows.y[i] = 2.0 - rows.x[3 * i + 1] + 0.5 * rows.x[3 * i + 2];
    }
    QuantileFit fit = rows.fit(0.2);
    assertThat(fit.coefficients().toArray())
        .containsExactly(new double[] {2, -1, 0.5}, within(1e-13));
    for (int i = 0; i < 700; i++) {
      rows.y[i] += 1e8 * (i % 2 == 0 ? 1 : -1); // outliers do not matter to a median
    }
    Arrays.fill(rows.w, 1.0);
    assertThat(rows.fit(0.5).coefficients().toArray())
        .containsExactly(new double[] {2, -1, 0.5}, within(1e-13));
  }

  @Test
  void whatDoublesCannotHoldIsRefused() {
    QuantileCase rows = QuantileCase.smooth(20, 2, new SplittableRandom(8));
    Arrays.setAll(rows.y, i -> rows.y[i] * 1e300);
    Arrays.setAll(rows.w, i -> rows.w[i] * 1e100);
    assertThat(reason(rows.rows()))
        .isEqualTo("the fit exceeds the range of doubles; use other units");
    Arrays.fill(rows.w, 1e-10);
    Arrays.setAll(rows.x, i -> i % 2 == 0 ? 1.0 : rows.x[i] * 1e-10);
    assertThat(reason(rows.rows()))
        .isEqualTo("the fit exceeds the range of doubles; use other units");
  }

  /** Half of the sum of deviations fits into a double, all of it does not. */
  @Test
  void deviationsThatDoublesCannotHoldAreRefused() {
    double[] y = {1e308, -1e308, 0};
    WeightedRows rows = WeightedRows.unweighted(1, new double[] {1, 1, 1}, y);
    assertThat(QuantileRegression.solve(rows, 0.5)).isInstanceOf(QuantileOutcome.Solved.class);
    assertThat(reason(rows)).isEqualTo("the fit exceeds the range of doubles; use other units");
  }

  /** Or the gap could come out below 0. */
  @Test
  void positionsStayWithinWeightsThatAreNextToNothing() {
    double[] w = {1, 1e-200, 3e-120, 0.5, 1e-308};
    ScaledRows rows =
        ScaledRows.of(
            WeightedRows.of(1, new double[] {1, 1, 1, 1, 1}, new double[] {1, 2, 3, 4, 5}, w));
    FrischNewton interior = new FrischNewton(rows, 0.5, rows.y, 0.5);
    interior.run(20, 1e-14);
    assertThat(interior.iterations()).isPositive();
    for (int i = 0; i < w.length; i++) {
      assertThat(interior.positions()[i]).isBetween(0.0, rows.w[i]);
    }
  }

  /** Units from the least to the largest doubles: an outcome, whatever it is. */
  @Test
  void noRowsThrow() {
    SplittableRandom random = new SplittableRandom(3);
    for (int n = 0; n < 20_000; n++) {
      int columns = 1 + n % 3;
      double[] x = anything(random, columns * 8);
      double[] y = anything(random, 8);
      double[] w = anything(random, 8);
      Arrays.setAll(w, i -> Math.abs(w[i]));
      WeightedRows rows = WeightedRows.of(columns, x, y, w);
      assertThatCode(() -> QuantileRegression.lad(rows)).doesNotThrowAnyException();
      assertThatCode(() -> QuantileRegression.solve(rows, 1e-9)).doesNotThrowAnyException();
    }
  }

  private static double[] anything(SplittableRandom random, int size) {
    int span = new int[] {0, 3, 300, 1020}[random.nextInt(4)];
    return random
        .doubles(size, -8.0, 8.0)
        .map(z -> Math.abs(z) < 1 ? 0.0 : Math.scalb(z, random.nextInt(-span, span + 1)))
        .toArray();
  }

  @Test
  void rowsOfWeightZeroDoNotCount() {
    QuantileCase rows = QuantileCase.smooth(100, 2, new SplittableRandom(5));
    Arrays.fill(rows.w, 0, 50, 0.0);
    QuantileFit fit = rows.fit(0.4);
    Arrays.fill(rows.y, 0, 50, 1e300);
    Arrays.fill(rows.x, 0, 100, -1e300);
    assertThat(rows.fit(0.4)).isEqualTo(fit);
  }

  @Test
  void aLimitIsNotSilent() {
    QuantileCase rows = QuantileCase.smooth(2_000, 6, new SplittableRandom(6));
    QuantileOutcome outcome =
        QuantileRegression.solve(rows.rows(), 0.5, new QuantileRegression.Limits(2, 1));
    assertThat(outcome).isInstanceOf(QuantileOutcome.Stalled.class);
    QuantileOutcome.Stalled stalled = (QuantileOutcome.Stalled) outcome;
    assertThat(stalled.reason())
        .startsWith(
            "the minimum is not proved after 2 iterations (limit 2) and 1 exchanges (limit 1)");
    double least = rows.fit(0.5).objective();
    double above = stalled.fit().objective() / least - 1.0;
    assertThat(above).isGreaterThan(1e-9); // it did stop early, and says at least by how much
    assertThat(stalled.fit().relativeGap()).isBetween(above * 0.5, 1.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, 1.0, -0.5, Double.NaN, Double.POSITIVE_INFINITY})
  void tauMustBeWithinItsRange(double tau) {
    WeightedRows rows = WeightedRows.unweighted(1, new double[] {1}, new double[] {1});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuantileRegression.solve(rows, tau))
        .withMessage("tau must be in (0, 1). Provided value: " + tau);
  }

  @Test
  void badRowsAreNamed() {
    double[] two = {1.0, 2.0};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.unweighted(1, new double[] {1, Double.NaN}, two))
        .withMessage("x[1] must be finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> WeightedRows.unweighted(1, two, new double[] {Double.NEGATIVE_INFINITY, 1}))
        .withMessage("y[0] must be finite. Provided value: -Infinity");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.of(1, two, two, new double[] {1.0, -0.25}))
        .withMessage("w[1] must be >= 0 and finite. Provided value: -0.25");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.of(1, two, two, new double[] {Double.NaN, 1.0}))
        .withMessage("w[0] must be >= 0 and finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.of(1, two, two, new double[3]))
        .withMessage("w must have 2 entries. Provided value: 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.unweighted(3, two, two))
        .withMessage("x must have 6 entries. Provided value: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRows.unweighted(0, NONE, NONE))
        .withMessage("columns must be in [1, 1024]. Provided value: 0");
  }

  @Test
  void rowsAreCopiedAndNotShown() {
    double[] x = {1.0, 1.0, 1.0};
    double[] y = {4.5, 5.5, 6.5};
    WeightedRows rows = WeightedRows.unweighted(1, x, y);
    Arrays.fill(x, 0.0);
    Arrays.fill(y, 0.0);
    assertThat(solved(rows).coefficients()).isEqualTo(DoubleVector.of(5.5));
    assertThat(rows).hasToString("3 rows x 1 columns");
    assertThat(rows.columns()).isEqualTo(1);
  }

  private static QuantileFit solved(WeightedRows rows) {
    return ((QuantileOutcome.Solved) QuantileRegression.lad(rows)).fit();
  }

  private static String reason(WeightedRows rows) {
    return ((QuantileOutcome.Refused) QuantileRegression.lad(rows)).reason();
  }
}
