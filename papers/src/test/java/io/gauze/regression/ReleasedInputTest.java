package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.payload.MomentNoise.Gaussian;
import io.gauze.payload.MomentNoise.Laplace;
import io.gauze.payload.MomentNoise.Wishart;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.moments.ReleasedRows;
import io.gauze.regression.papers.ReleasedInverse;
import io.gauze.regression.rows.MomentsInput;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of released moments: debiasing, merging, empty epochs, arguments. */
class ReleasedInputTest {
  private static final SymmetricMatrix TWO = SymmetricMatrix.ofUpperTriangle(2, 10, 1, 20);

  @Test
  void noisesAdd() {
    assertThat(new Gaussian(3).plus(new Gaussian(4))).isEqualTo(new Gaussian(5));
    assertThat(new Wishart(10, 2).plus(new Wishart(5, 2))).isEqualTo(new Wishart(15, 2));
    assertThat(new Laplace(2, 1).plus(new Laplace(2, 1))).isEqualTo(new Laplace(2, 1, 2));
  }

  /** Unequal scales: variances stay exact, and Wishart's mean. */
  @Test
  void unequalNoisesAdd() {
    Laplace laplace = new Laplace(2, 1).plus(new Laplace(3, 4));
    assertThat(laplace.diagonalVariance()).isCloseTo(2 * (4 + 9), within(1e-12));
    assertThat(laplace.offDiagonalVariance()).isCloseTo(2 * (1 + 16), within(1e-12));
    // fourth cumulants: 12 (1 + 256) = 12 K b^4 for K b^2 = 17
    assertThat(laplace.terms()).isCloseTo(17.0 * 17.0 / 257.0, within(1e-12));
    Wishart wishart = new Wishart(10, 2).plus(new Wishart(20, 3));
    assertThat(wishart.degrees() * wishart.scale()).isCloseTo(80, within(1e-12));
    assertThat(wishart.offDiagonalVariance()).isCloseTo(10 * 4 + 20 * 9, within(1e-12));
    assertThat(wishart.diagonalVariance()).isCloseTo(2 * (10 * 4 + 20 * 9), within(1e-12));
  }

  @Test
  void kindsDoNotMix() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Gaussian(3).plus(new Laplace(1, 1)))
        .withMessage(
            "merged releases must have noise of one kind. Provided value: Gaussian[sigma=3.0] and"
                + " Laplace[diagonalScale=1.0, offDiagonalScale=1.0, terms=1.0]");
  }

  @Test
  void meansAreTakenOff() {
    ReleasedMoments wishart = ReleasedMoments.debiased(TWO, new Wishart(3, 2), 1);
    assertThat(wishart.moments()).isEqualTo(SymmetricMatrix.ofUpperTriangle(2, 4, 1, 14));
    assertThat(wishart.plus(wishart).noise()).isEqualTo(new Wishart(6, 2));
    // nu - D - 1 = 5
    ReleasedInverse inverse = ReleasedInverse.of(TWO, 8, 30, 1);
    assertThat(inverse.moments()).isEqualTo(SymmetricMatrix.ofUpperTriangle(2, 20, 5, 70));
    assertThat(inverse.degrees()).isEqualTo(8);
    assertThat(inverse.psi()).isEqualTo(30);
    ReleasedRows rows = ReleasedRows.projection(4, 1, new double[] {2, 4, 6, 2}, 3, 1);
    assertThat(rows.moments().get(0, 0)).isCloseTo(60.0 / 4 - 3, within(1e-12));
    assertThat(rows.plus(rows).sigma()).isCloseTo(Math.sqrt(6.0 / 4), within(1e-12));
  }

  /**
   * Empty epochs are refused by a strict fit all but once in a thousand: of 200 no more than 2 are
   * taken for data but once in 900.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 6, 13})
  void emptyEpochs(int dimension) {
    SymmetricMatrix none =
        SymmetricMatrix.ofUpperTriangle(dimension, new double[SymmetricMatrix.length(dimension)]);
    FitRandom random = Draws.random(dimension);
    int[] fitted = new int[6];
    for (int i = 0; i < 200; i++) {
      fitted[0] += fitted(Draws.additive(none, new Laplace(4, 1), random));
      fitted[1] += fitted(Draws.additive(none, new Laplace(1, 1, 5), random));
      fitted[2] += fitted(Draws.additive(none, new Wishart(1000, 0.1), random));
      fitted[3] += fitted(Draws.additive(none, new Wishart(dimension + 2, 1), random));
      fitted[4] += fitted(Draws.projection(none, 200, 50, random));
      fitted[5] += fitted(InverseDraws.of(none, 200, 50, random));
    }
    assertThat(IntStream.of(fitted).max().orElseThrow()).isLessThanOrEqualTo(2);
  }

  private static int fitted(MomentsInput input) {
    RegressionProblem strict = Simulation.problem(input.dimension()).withStrict(true);
    FitOutcome outcome = input.solve(strict);
    return outcome instanceof FitOutcome.Fitted ? 1 : 0;
  }

  /** Each of these noises covers some of the rows' signal: fitted, with a warning. */
  @Test
  void warnings() {
    Simulation simulation = new Simulation(6, 0.9, 8);
    FitRandom random = Draws.random(1);
    SymmetricMatrix exact = Draws.moments(simulation, 1 << 14, random);
    MomentsInput[] releases = {
      Draws.additive(exact, new Gaussian(400), random),
      Draws.additive(exact, new Laplace(400, 200), random),
      Draws.additive(exact, new Wishart(1000, 9), random),
      Draws.projection(exact, 100, 2800, random),
      InverseDraws.of(exact, 100, 2800, random)
    };
    for (MomentsInput release : releases) {
      Fit fit = Simulation.fit(release, simulation.problem());
      assertThat(Said.by(fit)).contains(FitMessage.FEW);
      assertThat(fit.predictedExcess()).isBetween(0.05, 3.0);
      assertThat(fit.lambda()).isPositive();
    }
  }

  /** A projection without a ridge is least squares on its rows. */
  @Test
  void projectionWithoutRidge() {
    Simulation simulation = new Simulation(4, 0.9, 9);
    FitRandom random = Draws.random(2);
    SymmetricMatrix exact = Draws.moments(simulation, 1 << 14, random);
    Fit fit = Simulation.fit(Draws.projection(exact, 64, 0.0, random), simulation.problem());
    assertThat(fit.lambda()).isZero();
    assertThat(fit.warnings()).isEmpty();
    // p / (2 r)
    assertThat(fit.predictedExcess()).isCloseTo(5.0 / 128, within(0.3 * 5.0 / 128));
  }

  @Test
  void argumentsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Laplace(1, 1, 0.5))
        .withMessage("terms must be >= 1.0. Provided value: 0.5");
    assertThatIllegalArgumentException().isThrownBy(() -> new Laplace(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Wishart(5, Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReleasedMoments(TWO, new Wishart(1, 1), 1))
        .withMessage("degreesOfFreedom must be >= 2.0. Provided value: 1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReleasedInverse.of(TWO, 5, 1, 1))
        .withMessage("degreesOfFreedom must be in [6, 16777216]. Provided value: 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReleasedInverse.of(TWO, 9, 0, 1))
        .withMessage("psi must be > 0 and finite. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReleasedRows.projection(1, 2, new double[2], -1, 1))
        .withMessage("ridge must be >= 0 and finite. Provided value: -1.0");
  }
}
