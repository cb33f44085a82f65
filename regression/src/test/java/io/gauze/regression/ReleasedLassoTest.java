package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.rows.ExactMoments;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** LASSO and elastic net on releases of rows whose response depends on 3 of 20 features. */
class ReleasedLassoTest {
  private static final int SEEDS = 31;

  private static Simulation sparse(int seed) {
    Simulation simulation = new Simulation(20, 0.9, seed);
    for (int i = 0; i < 20; i++) {
      simulation.slopes[i] = i < 3 ? Math.sqrt(0.3) : 0.0;
    }
    return simulation;
  }

  private static RegressionProblem problem(Simulation simulation, double alpha) {
    return simulation.problem().withPenalty(new Penalty(OptionalDouble.empty(), alpha, false));
  }

  /**
   * With lambda chosen from the noise: 2^14 rows, sigma of epsilon .5. Excess medians are 8, 6 and
   * 5 % for ridge, elastic net and LASSO, each by a tenth; LASSO drops about half of the 17 that
   * are not there, and gives no intervals of the others.
   */
  @Test
  void choosesLambda() {
    double[][] excess = new double[3][SEEDS];
    int dropped = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Simulation simulation = sparse(seed);
      FitRandom random = Draws.random(seed);
      SymmetricMatrix exact = Draws.moments(simulation, 1 << 14, random);
      MomentNoise noise = new MomentNoise.Gaussian(Draws.sigma(0.5, simulation.rowBound()));
      ReleasedMoments release = Draws.additive(exact, noise, random);
      for (int k = 0; k < 3; k++) {
        Fit fit = Simulation.fit(release, problem(simulation, 1.0 - 0.5 * k));
        excess[k][seed] = Draws.excess(exact, fit);
        assertThat(fit.lambda()).isPositive();
        CoefficientTable table = fit.encoded();
        for (int j = 1; k == 2 && j <= 20; j++) {
          boolean zero = table.estimates().get(j) == 0.0;
          dropped += zero ? 1 : 0;
          assertThat(table.standardErrors().get(j)).isNaN();
        }
      }
    }
    assertThat(Draws.median(excess[2])).isLessThan(0.8 * Draws.median(excess[0]));
    assertThat(Draws.median(excess[1])).isLessThan(0.9 * Draws.median(excess[0]));
    assertThat(dropped).isBetween(3 * SEEDS, 17 * SEEDS);
  }

  /** Next to no noise: the non-private LASSO with this lambda, of the same zeros. */
  @Test
  void explicitLambda() {
    Simulation simulation = sparse(1);
    ExactMoments rows = simulation.moments(1 << 12);
    RegressionProblem problem = problem(simulation, 0.0).withLambda(30.0);
    Fit exact = Simulation.fit(rows, problem);
    Fit fit = Simulation.fit(Simulation.release(rows, 1e-4, simulation.random()), problem);
    assertThat(fit.lambda()).isEqualTo(30.0);
    for (int k = 0; k < 21; k++) {
      double estimate = fit.coefficients().get(k);
      assertThat(estimate).isCloseTo(exact.coefficients().get(k), within(1e-6));
      assertThat(estimate == 0.0).isEqualTo(exact.coefficients().get(k) == 0.0);
    }
    assertThat(Said.by(fit)).contains(FitMessage.KEPT);
    assertThat(exact.coefficients().get(20)).isZero();
  }

  @Test
  void warnsThatAnotherReleaseCanKeepOthers() {
    Simulation simulation = sparse(2);
    FitRandom random = Draws.random(2);
    SymmetricMatrix exact = Draws.moments(simulation, 1 << 14, random);
    ReleasedMoments release = Draws.additive(exact, new MomentNoise.Gaussian(30), random);
    Fit lasso = Simulation.fit(release, problem(simulation, 0.0));
    assertThat(Said.by(lasso)).contains(FitMessage.CHOICE);
    assertThat(Said.of(FitMessage.CHOICE, lasso))
        .allMatch(w -> w.matches("The l1 penalty kept \\d+ of 20 coefficients .*"));
    assertThat(Said.by(Simulation.fit(release, simulation.problem())))
        .doesNotContain(FitMessage.CHOICE, FitMessage.KEPT);
    assertThat(lasso).isEqualTo(Simulation.fit(release, problem(simulation, 0.0)));
  }
}
