package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.moments.CoefficientErrors;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.papers.ReleasedStatistics;
import io.gauze.regression.rows.MomentsInput;
import io.gauze.regression.rows.NormalEquations;
import java.util.Arrays;
import java.util.function.Supplier;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No fit is worse than no fit. */
class NoSignalTest {
  private static final int ROWS = 1000;
  private static final int RELEASES = 40;

  /** Rows whose response does not depend on the 8 features, and their moments. */
  private final Simulation simulation = unrelated();

  private final FitRandom random = Draws.random(5);
  private final SymmetricMatrix exact = Draws.moments(simulation, ROWS, random);

  private static Simulation unrelated() {
    Simulation simulation = new Simulation(8, 0.5, 3);
    Arrays.fill(simulation.slopes, 0.0);
    return simulation;
  }

  /**
   * The median RMSE of fits is at most 4 % above that of coefficients 0, from noise that covers
   * everything to noise that covers the slopes only.
   */
  @ParameterizedTest
  @ValueSource(doubles = {3, 30, 300, 30_000})
  void isNoWorseThanZeros(double sigma) {
    MomentNoise noise = new MomentNoise.Gaussian(sigma);
    assertThat(median(() -> Draws.additive(exact, noise, random))).isLessThan(1.04);
    assertThat(median(() -> Draws.projection(exact, 256, 16 * sigma, random))).isLessThan(1.04);
    assertThat(median(() -> InverseDraws.of(exact, 64, sigma, random))).isLessThan(1.04);
  }

  private double median(Supplier<MomentsInput> release) {
    double[] errors = new double[RELEASES];
    for (int k = 0; k < RELEASES; k++) {
      Fit fit = Simulation.fit(release.get(), simulation.problem());
      DMatrixRMaj u = new DMatrixRMaj(10, 1);
      for (int j = 0; j < 9; j++) {
        u.set(j, -fit.coefficients().get(j));
      }
      u.set(9, 1.0);
      errors[k] = Math.sqrt(exact.quadraticForm(u.getData()) / exact.get(9, 9));
    }
    return Draws.median(errors);
  }

  /** Of AdaSSP too, whose own penalty is too small without signal. */
  @Test
  void ofSufficientStatistics() {
    RegressionProblem problem = simulation.problem();
    double[] errors = new double[RELEASES];
    for (int k = 0; k < RELEASES; k++) {
      Fit fit = fit(statistics(20.0), problem);
      DMatrixRMaj b = DMatrixRMaj.wrap(9, 1, fit.coefficients().toArray());
      NormalEquations rows =
          new NormalEquations(exact.select(problem.columns(10)), problem.ridgeWeights(0.5));
      errors[k] = Math.sqrt(rows.residual(b) / exact.get(9, 9));
    }
    assertThat(Draws.median(errors)).isLessThan(1.04);
    assertThat(statistics(1e6).solve(problem.withStrict(true)))
        .isInstanceOf(FitOutcome.Refused.class);
    Fit silent = fit(statistics(1e6), problem);
    assertThat(Said.by(silent)).contains(FitMessage.EMPTY);
    assertThat(silent.predictedExcess()).isNaN();
  }

  private static Fit fit(FitInput input, RegressionProblem problem) {
    return ((FitOutcome.Fitted) input.solve(problem)).fit();
  }

  private ReleasedStatistics statistics(double sigma) {
    ReleasedMoments all = Draws.additive(exact, new MomentNoise.Gaussian(sigma), random);
    int[] features = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    double[] upper = new double[SymmetricMatrix.length(9)];
    int next = 0;
    for (int i : features) {
      for (int j = i; j < 9; j++) {
        upper[next++] = all.moments().get(i, j);
      }
    }
    return new ReleasedStatistics(
        9,
        new ReleasedMoments(SymmetricMatrix.ofUpperTriangle(9, upper), sigma, Simulation.INTERCEPT),
        DoubleVector.generate(9, k -> all.moments().get(k, 9)),
        0.0,
        Math.sqrt(0.5) * sigma,
        sigma,
        0.1);
  }

  /** The median of chi-squares with 1, 4 and 10 degrees of freedom, over their means. */
  @Test
  void medianOfASkewError() {
    assertThat(median(1)).isCloseTo(0.4549, within(0.02));
    assertThat(median(4)).isCloseTo(3.3567 / 4, within(0.01));
    assertThat(median(10)).isCloseTo(9.3418 / 10, within(0.01));
  }

  private static double median(int directions) {
    DMatrixRMaj moments = new DMatrixRMaj(12, 12);
    DMatrixRMaj errors = new DMatrixRMaj(12, 12);
    for (int k = 0; k < 12; k++) {
      moments.set(k, k, k + 1.0);
      errors.set(k, k, k < directions ? 1.0 / (directions * (k + 1.0)) : 0.0);
    }
    return CoefficientErrors.medianExcess(moments, errors);
  }
}
