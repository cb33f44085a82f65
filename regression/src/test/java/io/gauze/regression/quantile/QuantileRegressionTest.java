package io.gauze.regression.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fits of small rows against trial of every vertex, and the laws of quantile regression. */
class QuantileRegressionTest {
  private static final double EXACT = 1e-9;
  private static final int TRIALS = 60;

  @ParameterizedTest
  @CsvSource({"0.1, 2", "0.1, 3", "0.25, 2", "0.25, 3", "0.5, 3", "0.9, 2", "0.9, 3", "0.01, 1"})
  void isTheBestOfAllVertices(double tau, int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (int trial = 0; trial < TRIALS; trial++) {
      QuantileCase rows = QuantileCase.smooth(4 + random.nextInt(16), columns, random);
      double least = rows.least(tau);
      QuantileFit fit = rows.fit(tau);
      assertThat(fit.objective()).as("trial %d", trial).isCloseTo(least, within(EXACT * least));
      assertThat(rows.loss(tau, fit.coefficients().toArray()))
          .isCloseTo(least, within(EXACT * least));
      double[] worse = fit.coefficients().toArray();
      worse[columns - 1] += 1e-3;
      assertThat(rows.loss(tau, worse)).isGreaterThan(least * (1.0 + EXACT));
    }
  }

  @ParameterizedTest
  @CsvSource({"0.1, 2", "0.25, 3", "0.5, 2", "0.5, 3", "0.9, 3"})
  void isTheBestOfAllVerticesWithTies(double tau, int columns) {
    SplittableRandom random = new SplittableRandom(10 + columns);
    int solved = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      QuantileCase rows = QuantileCase.tied(4 + random.nextInt(16), columns, random);
      double least = rows.least(tau);
      QuantileOutcome outcome = QuantileRegression.solve(rows.rows(), tau);
      assertThat(outcome instanceof QuantileOutcome.Refused).isEqualTo(Double.isInfinite(least));
      if (outcome instanceof QuantileOutcome.Solved fitted) {
        solved++;
        assertThat(fitted.fit().objective())
            .as("trial %d", trial)
            .isCloseTo(least, within(EXACT * Math.max(least, 1e-3)));
      }
    }
    assertThat(solved).isGreaterThan(TRIALS / 2);
  }

  /** Without a start near the minimum, the search over vertices alone must find it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void exchangesFindTheMinimumFromAfar(int iterations) {
    SplittableRandom random = new SplittableRandom(20);
    int pivots = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      boolean tied = trial % 2 == 0;
      QuantileCase rows =
          tied ? QuantileCase.tied(400, 5, random) : QuantileCase.smooth(400, 5, random);
      QuantileOutcome outcome =
          QuantileRegression.solve(
              rows.rows(), 0.3, new QuantileRegression.Limits(iterations, 1_000));
      QuantileFit fit = ((QuantileOutcome.Solved) outcome).fit();
      double expected = rows.fit(0.3).objective();
      assertThat(fit.objective()).isCloseTo(expected, within(EXACT * expected));
      assertThat(fit.iterations()).isEqualTo(iterations);
      pivots += fit.pivots();
    }
    assertThat(pivots).isGreaterThan(TRIALS);
  }

  @Test
  void anInterceptAloneIsTheWeightedQuantile() {
    double[] y = {9.0, 1.0, 4.0, 2.0, 7.0};
    double[] w = {1.0, 1.0, 1.0, 5.0, 1.0};
    WeightedRows rows = WeightedRows.of(1, new double[] {1, 1, 1, 1, 1}, y, w);
    QuantileFit median = ((QuantileOutcome.Solved) QuantileRegression.lad(rows)).fit();
    assertThat(median.coefficients().get(0)).isEqualTo(2.0);
    assertThat(median.objective()).isEqualTo(7.0 + 1.0 + 2.0 + 5.0);
    QuantileFit ninth = ((QuantileOutcome.Solved) QuantileRegression.solve(rows, 8.0 / 9.5)).fit();
    assertThat(ninth.coefficients().get(0)).isEqualTo(7.0);
  }

  @Test
  void weightsEqualRepeatedRows() {
    SplittableRandom random = new SplittableRandom(30);
    for (int trial = 0; trial < TRIALS; trial++) {
      QuantileCase rows = QuantileCase.smooth(60, 3, random);
      for (int i = 0; i < rows.w.length; i++) {
        rows.w[i] = random.nextInt(4);
      }
      QuantileFit repeated =
          ((QuantileOutcome.Solved) QuantileRegression.solve(rows.repeated(), 0.37)).fit();
      QuantileFit weighted = rows.fit(0.37);
      assertThat(weighted.objective())
          .isCloseTo(repeated.objective(), within(EXACT * repeated.objective()));
      assertClose(weighted.coefficients(), repeated.coefficients().toArray());
    }
  }

  /** b(s y + X c) = s b(y) + c for s above 0; for s below, the quantile is 1 - tau. */
  @ParameterizedTest
  @ValueSource(doubles = {1e6, 1e-6, 0.3, -0.3, -1e6})
  void followsScaleAndShiftOfTheResponse(double factor) {
    SplittableRandom random = new SplittableRandom(40);
    double[] shift = {3.0 * factor, -2.0 * factor, 0.5 * factor, factor};
    for (int trial = 0; trial < TRIALS; trial++) {
      QuantileCase rows = QuantileCase.smooth(200, 4, random);
      double[] moved = new double[rows.y.length];
      for (int i = 0; i < moved.length; i++) {
        moved[i] = factor * rows.y[i];
        for (int j = 0; j < shift.length; j++) {
          moved[i] += rows.x[i * shift.length + j] * shift[j];
        }
      }
      QuantileFit fit = rows.fit(0.2);
      QuantileFit other =
          new QuantileCase(rows.columns, rows.x, moved, rows.w).fit(factor > 0.0 ? 0.2 : 0.8);
      double expected = Math.abs(factor) * fit.objective();
      assertThat(other.objective()).isCloseTo(expected, within(EXACT * expected));
      for (int j = 0; j < shift.length; j++) {
        double b = factor * fit.coefficients().get(j) + shift[j];
        assertThat(other.coefficients().get(j)).isCloseTo(b, within(EXACT * Math.abs(factor) * 9));
      }
    }
  }

  /** b of X A is A^-1 b of X; here A is diagonal but for one entry. */
  @Test
  void followsANewBasisOfTheColumns() {
    SplittableRandom random = new SplittableRandom(50);
    for (int trial = 0; trial < TRIALS; trial++) {
      QuantileCase rows = QuantileCase.smooth(150, 3, random);
      double[] changed = rows.x.clone();
      for (int i = 0; i < rows.y.length; i++) {
        changed[i * 3 + 2] = 1e5 * rows.x[i * 3 + 2] + 7.0;
      }
      QuantileFit fit = rows.fit(0.6);
      QuantileFit other = new QuantileCase(3, changed, rows.y, rows.w).fit(0.6);
      double slope = fit.coefficients().get(2) * 1e-5;
      assertClose(
          other.coefficients(),
          fit.coefficients().get(0) - 7.0 * slope,
          fit.coefficients().get(1),
          slope);
      assertThat(other.coefficients().get(2)).isCloseTo(slope, within(1e-13));
    }
  }

  @Test
  void powersOfTwoAsUnitsChangeNoDigit() {
    QuantileCase rows = QuantileCase.smooth(300, 4, new SplittableRandom(60));
    double[] x = rows.x.clone();
    double[] y = rows.y.clone();
    double[] w = rows.w.clone();
    for (int i = 0; i < y.length; i++) {
      x[4 * i + 1] *= 0x1p300;
      y[i] *= 0x1p-400;
      w[i] *= 0x1p200;
    }
    QuantileFit fit = rows.fit(0.7);
    QuantileFit other = new QuantileCase(4, x, y, w).fit(0.7);
    assertThat(other.objective()).isEqualTo(fit.objective() * 0x1p-200);
    for (int j = 0; j < 4; j++) {
      double unit = j == 1 ? 0x1p-700 : 0x1p-400;
      assertThat(other.coefficients().get(j)).isEqualTo(fit.coefficients().get(j) * unit);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.5, 0.8})
  void aShareOfTauIsBelowTheFit(double tau) {
    QuantileCase rows = QuantileCase.smooth(1_000, 4, new SplittableRandom(70));
    Arrays.fill(rows.w, 1.0);
    double[] b = rows.fit(tau).coefficients().toArray();
    int below = 0;
    for (int i = 0; i < rows.y.length; i++) {
      double residual = rows.y[i];
      for (int j = 0; j < 4; j++) {
        residual -= rows.x[4 * i + j] * b[j];
      }
      below += residual < -1e-12 ? 1 : 0;
    }
    // with an intercept: #below <= n tau <= #below + #interpolated, and p rows are interpolated
    assertThat(below).isBetween((int) Math.ceil(1_000 * tau) - 4, (int) (1_000 * tau));
  }

  @Test
  void mediansAreHalfOfAbsoluteDeviations() {
    QuantileCase rows = QuantileCase.smooth(80, 3, new SplittableRandom(80));
    QuantileFit lad = ((QuantileOutcome.Solved) QuantileRegression.lad(rows.rows())).fit();
    assertThat(lad.objective()).isEqualTo(2.0 * rows.fit(0.5).objective());
    assertThat(lad.coefficients()).isEqualTo(rows.fit(0.5).coefficients());
  }

  private static void assertClose(DoubleVector actual, double... expected) {
    for (int j = 0; j < expected.length; j++) {
      assertThat(actual.get(j))
          .isCloseTo(expected[j], within(EXACT * Math.max(1.0, Math.abs(expected[j]))));
    }
  }
}
