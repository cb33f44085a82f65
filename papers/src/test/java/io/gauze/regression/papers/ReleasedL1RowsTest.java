package io.gauze.regression.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gauze.message.FitMessage;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.L1Buckets;
import io.gauze.regression.LadRows;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.regression.quantile.QuantileFit;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** 20,000 rows of 3 features, R^2 .9, normal residuals, in 400 buckets of two levels. */
class ReleasedL1RowsTest {
  private static final int RELEASES = 60;
  private static double[][] rows;
  private static MultilevelSketchSpec spec;
  private static RegressionProblem problem;
  private static Fit exact;

  @BeforeAll
  static void rows() {
    Simulation simulation = new Simulation(3, 0.9, 4);
    rows = IntStream.range(0, 20_000).mapToObj(i -> simulation.row()).toArray(double[][]::new);
    spec = MultilevelSketchSpec.forRows(5, 400, 20_000, 1, 1);
    problem = simulation.problem().withLoss(Loss.ABSOLUTE);
    ExactMoments moments = ExactMoments.create(5, Simulation.INTERCEPT);
    for (double[] row : rows) {
      moments.add(row);
    }
    exact = LadRows.fit(moments, simulation.problem());
  }

  private static ReleasedL1Rows release(double sigma, long seed) {
    return L1Buckets.release(rows, spec, sigma, seed);
  }

  @Test
  void withoutNoiseItIsTheSketchsFit() {
    ReleasedL1Rows input = release(0.0, 1);
    double[] x = new double[400 * 4];
    double[] y = new double[400];
    double[] w = new double[400];
    for (int k = 0; k < 400; k++) {
      for (int c = 0; c < 4; c++) {
        x[k * 4 + c] = input.value(k, c);
      }
      y[k] = input.value(k, 4);
      w[k] = spec.weight(k);
    }
    QuantileFit expected =
        ((QuantileOutcome.Solved) QuantileRegression.lad(WeightedRows.of(4, x, y, w))).fit();
    Fit fit = LadRows.fit(input, problem);
    for (int k = 0; k < 4; k++) {
      assertThat(fit.coefficients().get(k)).isCloseTo(expected.coefficients().get(k), within(1e-9));
    }
    assertThat(fit.rows()).isCloseTo(20_000, within(1e-6));
    assertThat(fit.warnings()).isEmpty();
  }

  /**
   * Little noise: both levels count. Some noise: it exceeds single rows' residuals, not those of
   * 100; without the correction slopes would be 2 % too small, 2 to 4 standard errors of the mean
   * of 60. 240 distances over their standard errors, 95 % within 1.96 if the errors are exact; a
   * share of .85 to 1 allows for 25 %. The mean excess is known to 10 %.
   */
  @Test
  void errorsAreToldAndNoiseIsCorrected() {
    for (double sigma : new double[] {0.02, 0.5}) {
      List<Fit> fits =
          IntStream.range(0, RELEASES)
              .mapToObj(seed -> LadRows.fit(release(sigma, seed), problem))
              .toList();
      int inside = 0;
      double slope = 0.0;
      double excess = 0.0;
      for (Fit fit : fits) {
        for (int k = 0; k < 4; k++) {
          double distance = fit.coefficients().get(k) - exact.coefficients().get(k);
          double error = Math.sqrt(fit.privacyCovariance().get(k, k));
          inside += Math.abs(distance) < 1.96 * error ? 1 : 0;
          slope += k == 0 ? 0.0 : fit.coefficients().get(k) * exact.coefficients().get(k);
        }
        excess += meanAbsolute(fit) / meanAbsolute(exact) - 1.0;
      }
      double norm = Simulation.norm2(exact.coefficients().toArray());
      assertThat(slope / RELEASES / norm).isCloseTo(1.0, within(0.025));
      assertThat(inside / (4.0 * RELEASES)).isBetween(0.85, 1.0);
      double predicted = fits.stream().mapToDouble(Fit::predictedExcess).average().orElse(0);
      assertThat(predicted).isBetween(0.5 * excess / RELEASES, 2.0 * excess / RELEASES);
      assertThat(fits.get(0).warnings().size()).isEqualTo(sigma > 0.1 ? 1 : 0);
    }
  }

  private static double meanAbsolute(Fit fit) {
    double sum = 0.0;
    for (double[] row : rows) {
      double residual = row[4];
      for (int k = 0; k < 4; k++) {
        residual -= fit.coefficients().get(k) * row[k];
      }
      sum += Math.abs(residual);
    }
    return sum / rows.length;
  }

  /** Noise of epsilon 1: of no use, and it says so. */
  @Test
  void saysWhatToExpect() {
    Fit fit = LadRows.fit(release(10.0, 1), problem);
    assertThat(Said.by(fit)).contains(FitMessage.SUMS, FitMessage.LEVELS);
  }

  @Test
  void epochsAdd() {
    ReleasedL1Rows one = release(3.0, 1);
    MultilevelSketchSpec otherSeed = MultilevelSketchSpec.forRows(5, 400, 20_000, 1, 2);
    ReleasedL1Rows two = L1Buckets.release(rows, otherSeed, 4.0, 2);
    ReleasedL1Rows sum = one.plus(two);
    assertThat(sum.sigma()).isEqualTo(5.0);
    assertThat(sum.value(7, 3)).isEqualTo(one.value(7, 3) + two.value(7, 3));
    MultilevelSketchSpec fewer = MultilevelSketchSpec.forRows(5, 200, 20_000, 1, 1);
    assertThatThrownBy(() -> one.plus(L1Buckets.release(rows, fewer, 4.0, 2)))
        .hasMessageContaining("equal levels");
    assertThat(one).hasToString("400 buckets x 5 columns");
  }

  @Test
  void refuses() {
    ReleasedL1Rows input = release(0.0, 1);
    assertThat(reason(input, problem.withLoss(Loss.SQUARED))).contains("lad only");
    assertThat(reason(input, problem.withLoss(new Loss.Quantile(0.3)))).contains("quantiles");
    assertThat(reason(input, problem.withLambda(1))).contains("penalty");
    assertThat(reason(release(1e5, 1), problem.withStrict(true)))
        .contains("no rows above its noise");
    MultilevelSketchSpec few = new MultilevelSketchSpec(5, 5, 0, 2, 1, 1);
    assertThat(reason(L1Buckets.release(rows, few, 0.0, 1), problem)).contains("5 buckets");
  }

  private static String reason(FitInput input, RegressionProblem problem) {
    return ((FitOutcome.Refused) Regression.fit(input, problem)).reason();
  }

  /** Whatever the numbers are: a fit or a reason, no exception. */
  @Test
  void poorDataNeverThrow() {
    SplittableRandom random = new SplittableRandom(1);
    MultilevelSketchSpec small = new MultilevelSketchSpec(5, 12, 1, 2, 2, 1);
    for (double scale : new double[] {0.0, 1e-300, 1e-9, 1.0, 1e9, 1e120, 1e300}) {
      for (int round = 0; round < 30; round++) {
        double[] values = random.doubles(small.stateLength()).map(u -> scale * u).toArray();
        double sigma = round % 2 == 0 ? 0.0 : 0.01 * scale;
        ReleasedL1Rows input = ReleasedL1Rows.of(small, values, sigma, 0.5);
        assertThat(Regression.fit(input, problem)).isNotNull();
      }
    }
  }
}
