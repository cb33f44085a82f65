package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Neighbours;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitSummary.Estimate;
import io.gauze.regression.rows.MomentsInput;
import io.gauze.testing.Effort;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Estimates of fits as a whole, and predictions, over data sets of a known law and a release of
 * each: intervals of 95 % hold the truth in 92 to 98.5 % of all cases.
 *
 * <p>Of 400 the share has a standard deviation of 0.011; thoroughly, of 4000, of 0.0034. The limits
 * are 3.0 and 3.2 of the first away from 0.95. The seed is fixed.
 */
final class FitSummaryTest {
  private static final int RELEASES = Effort.of(400, 4000);
  private static final double Z = 1.959964;
  private static final double LEVEL = 0.95;
  private static final double EXPLAINED = 0.6;

  private static boolean holds(Estimate estimate, double truth) {
    return Math.abs(estimate.value() - truth) <= Z * estimate.standardError();
  }

  /** What intervals held, in releases whose estimates were not withheld. */
  private static final class Shares {
    private final Simulation simulation;
    private final double[] held = new double[5];
    private int given;

    Shares(Simulation simulation) {
      this.simulation = simulation;
    }

    void add(MomentsInput release, int rows) {
      Fit fit = Simulation.fit(release, simulation.problem());
      FitSummary summary = release.summary(fit);
      double[] far = row(0.9);
      double[] near = row(0.1);
      CoefficientTable predicted = fit.predict(List.of(near, far));
      if (summary.rSquared().reason().isPresent()
          || Double.isNaN(predicted.standardErrors().get(0))) {
        return;
      }
      given++;
      held[0] += holds(summary.rows(), rows) ? 1 : 0;
      held[1] += holds(summary.rSquared(), EXPLAINED) ? 1 : 0;
      held[2] += holds(summary.residualScale(), simulation.residualDeviation) ? 1 : 0;
      List<CoefficientTable.Interval> intervals = predicted.intervals(LEVEL);
      held[3] += intervals.get(0).contains(truth(near)) ? 1 : 0;
      held[4] += intervals.get(1).contains(truth(far)) ? 1 : 0;
    }

    private double[] row(double size) {
      double[] row = new double[simulation.dimension()];
      for (int i = 1; i <= simulation.features; i++) {
        row[i] = i % 2 == 0 ? size : -size;
      }
      return row;
    }

    private double truth(double... row) {
      double truth = 0.0;
      for (int i = 0; i < simulation.features; i++) {
        truth += simulation.slopes[i] * row[i + 1];
      }
      return truth;
    }

    private static boolean holds(Estimate estimate, double truth) {
      return FitSummaryTest.holds(estimate, truth);
    }

    void check() {
      assertThat(given).isGreaterThan(RELEASES * 9 / 10);
      for (double each : held) {
        assertThat(each / given).as(Arrays.toString(held)).isBetween(0.917, 0.985);
      }
    }
  }

  private static void check(Simulation simulation, int rows, Supplier<MomentsInput> release) {
    Shares shares = new Shares(simulation);
    for (int k = 0; k < RELEASES; k++) {
      shares.add(release.get(), rows);
    }
    shares.check();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.0, 8.0})
  void ofNoisyMoments(double epsilon) {
    Simulation simulation = new Simulation(5, EXPLAINED, 81);
    MomentNoise noise = new MomentNoise.Gaussian(Draws.sigma(epsilon, simulation.rowBound()));
    FitRandom random = Draws.random(3);
    int rows = 1 << 13;
    check(
        simulation,
        rows,
        () -> Draws.additive(Draws.moments(simulation, rows, random), noise, random));
  }

  @Test
  void ofProjections() {
    Simulation simulation = new Simulation(4, EXPLAINED, 82);
    int r = 1024 * 4;
    int rows = 1 << 15;
    double ridge = Draws.ridge(4.0, Neighbours.REPLACE_ONE, r, simulation.rowBound());
    FitRandom random = Draws.random(4);
    check(
        simulation,
        rows,
        () -> Draws.projection(Draws.moments(simulation, rows, random), r, ridge, random));
  }

  /** With far too much noise nothing is given, and every reason says so. */
  @Test
  void areWithheldWhereNoiseCoversThem() {
    Simulation simulation = new Simulation(5, EXPLAINED, 83);
    FitRandom random = Draws.random(5);
    MomentNoise noise = new MomentNoise.Gaussian(Draws.sigma(0.01, simulation.rowBound()));
    MomentsInput release = Draws.additive(Draws.moments(simulation, 500, random), noise, random);
    FitSummary summary = release.summary(Simulation.fit(release, simulation.problem()));
    assertThat(summary.rSquared().value()).isNaN();
    assertThat(summary.rSquared().reason()).isPresent();
    assertThat(summary.residualScale().standardError()).isNaN();
  }
}
