package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.Buckets;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.regression.rows.ExactMoments;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fits of CountSketch rows. */
class ReleasedRowsFitTest {

  /**
   * The moments of the buckets are unbiased: over 4000 sketches their mean is off by less than 5.5
   * standard errors, for 6 entries below 3e-7. Without the debiasing it would be off by 32 * 9 =
   * 288, more than 30 of them.
   */
  @Test
  void momentsAreUnbiased() {
    SplittableRandom random = new SplittableRandom(11);
    double[][] rows = new double[300][3];
    ExactMoments exact = ExactMoments.create(3, Simulation.INTERCEPT);
    for (double[] row : rows) {
      row[0] = Simulation.INTERCEPT;
      row[1] = random.nextDouble();
      row[2] = random.nextDouble() - 0.5;
      exact.add(row);
    }
    int draws = 4000;
    double[] sum = new double[9];
    double[] squares = new double[9];
    for (int t = 0; t < draws; t++) {
      SymmetricMatrix moments = Buckets.release(rows, 32, 3.0, random).moments();
      for (int k = 0; k < 9; k++) {
        double error = moments.get(k / 3, k % 3) - exact.moments().get(k / 3, k % 3);
        sum[k] += error;
        squares[k] += error * error;
      }
    }
    for (int k = 0; k < 9; k++) {
      double standardError = Math.sqrt(squares[k]) / draws;
      assertThat(Math.abs(sum[k] / draws)).isLessThan(5.5 * standardError);
      assertThat(standardError).isLessThan(288.0 / 30);
    }
  }

  /**
   * 40 sketches of the same rows, d 6: coefficients against the non-private fit of these rows. 280
   * nearly independent ones; at 95 % 0.88 is 5.4 standard deviations away, 4e-8 by the normal law;
   * where noise covers directions the release does not bound what is left out there, and intervals
   * are withheld.
   */
  @ParameterizedTest
  @CsvSource({"64, 10, 0", "256, 10, 0", "1024, 5, 0.05", "256, 5, 0.05", "4096, 0.1, 1"})
  void intervalsCoverTheNonPrivateFit(int buckets, double sigma, double least) {
    Simulation simulation = new Simulation(6, 0.8, 4);
    double[][] rows =
        IntStream.range(0, 1 << 16).mapToObj(i -> simulation.row()).toArray(double[][]::new);
    ExactMoments exact = ExactMoments.create(8, Simulation.INTERCEPT);
    for (double[] row : rows) {
      exact.add(row);
    }
    CoefficientTable best = Simulation.fit(exact, simulation.problem()).encoded();
    List<Double> distances = new ArrayList<>();
    for (int seed = 0; seed < 40; seed++) {
      ReleasedRows release = Buckets.release(rows, buckets, sigma, new SplittableRandom(seed));
      FitOutcome outcome = release.solve(simulation.problem());
      if (!(outcome instanceof FitOutcome.Fitted fitted)) {
        continue;
      }
      double unit = sigma * sigma * Math.sqrt(2.0 * buckets * 8.0);
      double lambda = fitted.fit().lambda() / unit;
      assertThat(PenaltyBootstrap.GRID).usingComparatorWithPrecision(1e-9).contains(lambda);
      CoefficientTable table = fitted.fit().encoded();
      List<FitMessage> said = Said.by(fitted.fit());
      if (!said.contains(FitMessage.EMPTY)) { // which says all that there is to say of noise
        assertThat(fitted.fit().withheld().isEmpty()).isEqualTo(!said.contains(FitMessage.HIDDEN));
      }
      for (int k = 0; k < 7; k++) {
        if (fitted.fit().withheld().contains(k)) {
          continue;
        }
        double error = Math.abs(table.estimates().get(k) - best.estimates().get(k));
        distances.add(error / table.privacyStandardErrors().get(k));
      }
    }
    double inside = distances.stream().filter(d -> d < 1.96).count();
    assertThat(distances).hasSizeGreaterThanOrEqualTo((int) (280 * least));
    if (least > 0.0) {
      assertThat(inside / distances.size()).isGreaterThan(0.88);
      assertThat(distances).allMatch(d -> d < 7.0);
      assertThat(distances).anyMatch(d -> d > 1.0);
    }
  }

  @Test
  void epochsAdd() {
    ReleasedRows one = ReleasedRows.of(2, 2, new double[] {1, 2, 3, 4}, 3.0, 0.5);
    ReleasedRows two = ReleasedRows.of(2, 2, new double[] {1, 1, 1, 1}, 4.0, 0.5);
    ReleasedRows both = one.plus(two);
    assertThat(both.sigma()).isEqualTo(5.0);
    // buckets (2, 3), (4, 5); noise 2 * 25 on the diagonal
    assertThat(both.moments())
        .isEqualTo(SymmetricMatrix.ofUpperTriangle(2, 4 + 16 - 50, 6 + 20, 9 + 25 - 50));
    assertThat(both.buckets()).isEqualTo(2);
  }

  /** Of many columns, and of few of them, entry by entry the sum over buckets less the noise. */
  @ParameterizedTest
  @CsvSource({"1, 3", "7, 40", "8, 600", "5, 5000"})
  void momentsOfSomeColumnsAreThoseOfAll(int buckets, int dimension) {
    double[] values = new Random(3).doubles((long) buckets * dimension, -1.0, 1.0).toArray();
    ReleasedRows rows = ReleasedRows.of(buckets, dimension, values, 0.3, 0.5);
    int[] columns = {dimension - 1, 0, 2, dimension / 2};
    DMatrixRMaj some = rows.momentsOf(columns);
    for (int i = 0; i < columns.length; i++) {
      for (int j = 0; j < columns.length; j++) {
        double sum = 0.0;
        for (int b = 0; b < buckets; b++) {
          int from = b * dimension;
          sum += values[from + columns[i]] * values[from + columns[j]];
        }
        sum += columns[i] == columns[j] ? -buckets * 0.3 * 0.3 : 0.0;
        assertThat(some.get(i, j)).isEqualTo(sum);
        if (dimension < 1000) {
          assertThat(rows.moments().get(columns[i], columns[j])).isEqualTo(sum);
        }
      }
    }
    assertThat(rows.dimension()).isEqualTo(dimension);
  }

  /** Without their moments, which would take minutes. */
  @Test
  @Timeout(20)
  void moreColumnsThanBucketsAreRefusedAtOnce() {
    ReleasedRows rows = ReleasedRows.of(64, 3000, new double[64 * 3000], 0.3, 0.5);
    RegressionProblem all =
        new RegressionProblem(
            IntStream.range(0, 3000).mapToObj(k -> "c" + k).toList(),
            1,
            IntStream.range(0, 3000).filter(k -> k != 1).boxed().toList(),
            Loss.SQUARED,
            Penalty.AUTO);
    assertThat(Regression.fit(rows, all))
        .isInstanceOfSatisfying(
            FitOutcome.Refused.class,
            refused -> assertThat(refused.reason()).startsWith("64 buckets cannot hold 2999 "));
  }

  @Test
  void moreColumnsThanASolverTakesAreRefused() {
    ReleasedRows rows = ReleasedRows.of(1, 5000, new double[5000], 0.3, 0.5);
    assertThatIllegalArgumentException()
        .isThrownBy(rows::moments)
        .withMessageContaining("dimension must be in [1, 4096]");
    RegressionProblem all =
        new RegressionProblem(
            IntStream.range(0, 5000).mapToObj(k -> "c" + k).toList(),
            1,
            IntStream.range(0, 5000).filter(k -> k != 1).boxed().toList(),
            Loss.SQUARED,
            Penalty.AUTO);
    assertThat(Regression.fit(rows, all))
        .isInstanceOfSatisfying(
            FitOutcome.Refused.class,
            refused ->
                assertThat(refused.reason())
                    .isEqualTo(
                        "a fit must have at most 4095 features, and this one has 4999; name those"
                            + " that matter"));
  }
}
