package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gauze.message.FitMessage;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.Clipping;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.LadRows;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.row.Grid;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasedStrataTest {
  private static final StratifiedMomentsSpec SPEC = spec(2, 2);
  private static final RegressionProblem LAD = Simulation.problem(3).withLoss(Loss.ABSOLUTE);

  private static StratifiedMomentsSpec spec(int column, int strata) {
    return new StratifiedMomentsSpec(3, column, strata, Grid.forRowBound(1.0));
  }

  private static ReleasedStrata strata(double sigma, double... values) {
    return ReleasedStrata.of(SPEC, values, sigma, 0.5);
  }

  private static double[] count(double factor) {
    return DoubleStream.iterate(1, i -> i + 1).limit(12).map(i -> factor * i).toArray();
  }

  @Test
  void readsStratumByStratum() {
    ReleasedStrata strata = strata(3.0, count(1));
    assertThat(strata.strata()).isEqualTo(2);
    assertThat(strata.column()).isEqualTo(2);
    assertThat(strata.lower(0)).isEqualTo(-1.0);
    assertThat(strata.lower(1)).isEqualTo(0.0);
    assertThat(strata.moments(0).get(2, 1)).isEqualTo(5.0);
    assertThat(strata.moments(1).get(0, 0)).isEqualTo(7.0);
    assertThat(strata).hasToString("2 strata of column 2, 3 columns");
  }

  @Test
  void epochsAdd() {
    ReleasedStrata sum = strata(3.0, count(1)).plus(strata(4.0, count(10)));
    assertThat(sum.sigma()).isEqualTo(5.0);
    assertThat(sum.moments(1).get(2, 2)).isEqualTo(132.0);
  }

  @Test
  void pools() {
    ReleasedMoments pooled = (ReleasedMoments) strata(3.0, count(1)).pooled();
    assertThat(((MomentNoise.Gaussian) pooled.noise()).sigma()).isEqualTo(3.0 * Math.sqrt(2.0));
    assertThat(pooled.moments().get(0, 0)).isEqualTo(8.0);
    assertThat(strata(0.0, count(1)).pooled()).isInstanceOf(ExactMoments.class);
  }

  /** A column whose values are all above 0: the lower stratum is nothing but noise. */
  @Test
  void leavesOutStrataThatNoRowCanBeIn() {
    ReleasedStrata upper = strata(3.0, count(1)).within(0.0, 1.0);
    assertThat(upper.possible()).containsExactly(1);
    assertThat(upper.plus(upper).possible()).containsExactly(1);
    ReleasedMoments pooled = (ReleasedMoments) upper.pooled();
    assertThat(((MomentNoise.Gaussian) pooled.noise()).sigma()).isEqualTo(3.0);
    assertThat(pooled.moments().get(0, 0)).isEqualTo(7.0);
    assertThat(upper.within(-0.5, 0.5).range(0)).isEqualTo(new StratumRange(-0.5, 0.0, 1.0));
    assertThatThrownBy(() -> upper.within(0.1, 1.0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** 100 rows of length 2, the bound: those in the upper stratum were shortened by a half. */
  @Test
  void findsShortenedRows() {
    double[] values = new double[12];
    values[6] = 100 * 0.0625;
    values[11] = 100 * (4.0 - 0.0625);
    List<StratumRange> ranges =
        StratumClipping.ranges(strata(0.0, values), new Clipping(2.0, List.of()));
    assertThat(ranges.get(1).share()).isCloseTo(0.25, within(1e-12));
    assertThat(ranges.get(1).upper()).isCloseTo(2.0, within(1e-12));
    assertThat(StratumClipping.ranges(strata(0.0, values), Clipping.UNKNOWN).get(1).share())
        .isEqualTo(1.0);
  }

  /** Without signal all coefficients are 0, and nothing is said about their errors. */
  @Test
  void answersWithoutSignal() {
    ReleasedStrata noise = strata(100.0, count(1));
    Fit fit = LadRows.fit(noise, LAD);
    assertThat(FitQuality.of(noise, fit)).isEqualTo(FitQuality.USELESS);
    assertThat(fit.coefficients().toArray()).containsOnly(0.0);
    assertThat(fit.withheld()).hasSize(2);
    assertThat(fit.predictedExcess()).isNaN();
    assertThat(Said.by(fit)).contains(FitMessage.EMPTY);
  }

  /**
   * 4,000 rows whose feature tells nothing: the constant is the mean, if it is not in the noise.
   */
  @ParameterizedTest
  @CsvSource({"39, 0", "-39, 0", "100, 0.084", "-100, -0.084"}) // 40 is two deviations
  void aConstantIsTheTypicalValueUnlessItIsSeenToBeOff(double sum, double constant) {
    double[] lower = {500, 0, sum / 2 - 150, 100, 0, 80};
    double[] upper = {500, 0, sum / 2 + 150, 100, 0, 80};
    ReleasedStrata strata =
        strata(20.0, DoubleStream.concat(DoubleStream.of(lower), DoubleStream.of(upper)).toArray());
    Fit fit = LadRows.fit(strata, LAD);
    assertThat(Said.by(fit)).contains(FitMessage.VAIN);
    assertThat(fit.coefficients().get(0)).isCloseTo(constant, within(2e-3));
    assertThat(fit.coefficients().get(1)).isZero();
  }

  @Test
  void rejects() {
    assertThatThrownBy(() -> strata(1.0, 1.0)).isInstanceOf(IllegalArgumentException.class);
    double[] bad = count(1);
    bad[4] = Double.NaN;
    assertThatThrownBy(() -> strata(1.0, bad)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> strata(Double.NaN, count(1)))
        .hasMessageContaining("sigma must be >= 0");
    ReleasedStrata strata = strata(1.0, count(1));
    ReleasedStrata other = ReleasedStrata.of(spec(1, 2), count(1), 1.0, 0.5);
    assertThatThrownBy(() -> strata.plus(other)).hasMessageContaining("column");
    ReleasedStrata constant = ReleasedStrata.of(SPEC, count(1), 1.0, 1.0);
    assertThatThrownBy(() -> strata.plus(constant)).hasMessageContaining("intercept");
    assertThatThrownBy(() -> strata.moments(2)).hasMessageContaining("stratum");
  }

  /** Whatever the numbers are: a fit or a reason, no exception. */
  @ParameterizedTest
  @ValueSource(doubles = {0.0, 1e-300, 1e-9, 1.0, 1e9, 1e59, 1e120, 1e300})
  void poorDataNeverThrow(double scale) {
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 200; round++) {
      double[] values = random.doubles(12).map(u -> scale * (2.0 * u - 1.0)).toArray();
      if (round % 2 == 0) {
        values[0] = Math.abs(values[0]);
        values[6] = round % 4 == 0 ? 0.0 : Math.abs(values[6]);
      }
      double sigma = round % 3 == 0 ? 0.0 : Math.min(1e30, scale) * (round % 3) * 0.1;
      Loss loss = round % 5 == 0 ? new Loss.Huber(0.1) : new Loss.Quantile(0.1 + 0.1 * (round % 8));
      assertThat(Regression.fit(strata(sigma, values), LAD.withLoss(loss))).isNotNull();
    }
  }

  @Test
  void refuses() {
    ReleasedStrata strata = strata(0.0, count(1));
    assertThat(reason(strata, LAD.withPenalty(new Penalty(OptionalDouble.of(1), 0.5, false))))
        .contains("l1 penalty");
    assertThat(reason(strata(0.0, new double[12]), LAD)).contains("no signal");
    assertThat(reason(strata(100.0, count(1)), LAD.withStrict(true))).contains("no signal");
    assertThat(reason(strata(100.0, count(1)), LAD.withLambda(1))).contains("no signal");
    assertThat(reason(ReleasedStrata.of(spec(0, 2), count(1), 0.0, 0.5), LAD))
        .contains("constant column");
    assertThat(reason(strata.pooled(), LAD)).contains("stratified-moments");
    assertThat(reason(strata.pooled(), LAD.withLoss(new Loss.Huber(1)))).contains("huber needs");
  }

  private static String reason(FitInput input, RegressionProblem problem) {
    return ((FitOutcome.Refused) Regression.fit(input, problem)).reason();
  }

  /** Three rows (1/2, x, y) on a line, in two strata: all losses find it. */
  @Test
  void findsALine() {
    double[] values = new double[12];
    for (double[] row :
        List.of(
            new double[] {.5, -.4, -.8},
            new double[] {.5, .1, .2},
            new double[] {.5, .3, .6},
            new double[] {.5, -.1, -.2})) {
      int next = row[2] < 0 ? 0 : 6;
      for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
          values[next++] += row[i] * row[j];
        }
      }
    }
    for (Loss loss : List.of(Loss.ABSOLUTE, new Loss.Quantile(0.3), new Loss.Huber(0.01))) {
      Fit fit = LadRows.fit(strata(0.0, values), LAD.withLoss(loss));
      assertThat(fit.coefficients().get(0)).isBetween(-1e-4, 1e-4);
      assertThat(fit.coefficients().get(1)).isBetween(1.9999, 2.0001);
    }
  }
}
