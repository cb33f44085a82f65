package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.message.FitMessage;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.regression.rows.ExactMoments;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Absolute, quantile and Huber losses on plain moments: normal residuals. */
class NormalResidualsTest {
  private static final Simulation SIMULATION = new Simulation(4, 0.5, 7);
  private static final ExactMoments ROWS = SIMULATION.moments(50_000);
  private static final ReleasedMoments RELEASE =
      Simulation.release(ROWS, 5.0, new SplittableRandom(1));

  private static Fit fit(Loss loss) {
    FitOutcome outcome = Regression.fit(RELEASE, SIMULATION.problem().withLoss(loss));
    return ((FitOutcome.Fitted) outcome).fit();
  }

  @Test
  void symmetricLossesAreLeastSquares() {
    Fit squares = fit(Loss.SQUARED);
    for (Loss loss : new Loss[] {Loss.ABSOLUTE, new Loss.Huber(0.1)}) {
      Fit fit = fit(loss);
      assertThat(fit.coefficients()).isEqualTo(squares.coefficients());
      assertThat(fit.loss()).isEqualTo(fit.problem().lossName()).isNotEqualTo("ridge");
      assertThat(fit.withheld()).hasSize(fit.coefficients().size());
      assertThat(Said.by(fit)).contains(FitMessage.NORMAL);
    }
  }

  /** Residuals of the simulation are normal: 1.2816 of their deviations above the mean. */
  @Test
  void quantilesShiftTheIntercept() {
    Fit squares = fit(Loss.SQUARED);
    Fit upper = fit(new Loss.Quantile(0.9));
    Fit exact = Simulation.fit(ROWS, SIMULATION.problem());
    double deviation = ROWS.rmse(exact);
    double shift = upper.encoded().estimates().get(0) - squares.encoded().estimates().get(0);
    assertThat(shift).isCloseTo(1.2816 * deviation, within(0.05 * deviation));
    assertThat(upper.coefficients().get(1)).isEqualTo(squares.coefficients().get(1));
  }

  /** Squares are those around the mean, and moments do not show tails. */
  @Test
  void quantilesAreDoubtfulAtBest() {
    for (double tau : new double[] {0.01, 0.1, 0.9, 0.99}) {
      assertThat(FitQuality.of(RELEASE, fit(new Loss.Quantile(tau))))
          .isEqualTo(FitQuality.DOUBTFUL);
    }
    assertThat(FitQuality.of(RELEASE, fit(Loss.ABSOLUTE))).isEqualTo(FitQuality.DOUBTFUL);
  }

  @Test
  void refuses() {
    RegressionProblem lad = SIMULATION.problem().withLoss(Loss.ABSOLUTE);
    assertThat(Regression.fit(RELEASE, lad.withStrict(true)))
        .isInstanceOfSatisfying(
            FitOutcome.Refused.class,
            refused -> assertThat(refused.reason()).contains("stratified-moments"));
    Penalty lasso = new Penalty(java.util.OptionalDouble.of(1.0), 0.5, false);
    assertThat(Regression.fit(RELEASE, lad.withPenalty(lasso)))
        .isInstanceOf(FitOutcome.Refused.class);
  }
}
