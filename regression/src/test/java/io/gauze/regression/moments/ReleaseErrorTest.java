package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.payload.MomentNoise;
import io.gauze.regression.rows.NormalEquations;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;

/** Two uncorrelated features. All of the slope is along the first one, whose square is large. */
class ReleaseErrorTest {
  private static final NoiseLaw LAW = new AdditiveLaw(new MomentNoise.Gaussian(1.0));

  /** Returns the largest hidden square of the second slope, whose feature has this square. */
  private static double hidden(double square) {
    return hidden(square, 0.0);
  }

  private static double hidden(double square, double lambda) {
    double residual = 1e4;
    DMatrixRMaj joint =
        new DMatrixRMaj(3, 3, true, 1e6, 0, 1e6, 0, square, 0, 1e6, 0, 1e6 + residual);
    NormalEquations equations = new NormalEquations(joint, new double[] {1, 1});
    NormalEquations.Solution solution = equations.solve(lambda, 0.0);
    return new ReleaseError(LAW, joint, equations, solution, residual).unseen(true).get(1, 1);
  }

  /** Below the edge of the noise a slope may be as large as all others together, here 1. */
  @Test
  void aDirectionUnderTheNoiseMayHideTheUsualSlope() {
    double square = 0.9 * LAW.edge(2);
    assertThat(hidden(square)).isCloseTo(Math.pow(LAW.unit(3) / square, 2), within(1e-9));
  }

  /** A ridge that leaves nothing of the first slope does not make the second one small. */
  @Test
  void theUsualSlopeIsThatWithoutTheRidge() {
    assertThat(hidden(0.9 * LAW.edge(2), 1e12)).isCloseTo(1.0, within(1e-6));
  }

  /** One of two directions must be above all that noise reaches, else nothing bounds the other. */
  @Test
  void aDirectionBetweenEdgeAndReachDoesNotTellTheUsualSlope() {
    assertThat(hasUsualSize(0.5 * (LAW.edge(2) + LAW.reach(2)))).isFalse();
    assertThat(hasUsualSize(1.01 * LAW.reach(2))).isTrue();
  }

  /** With one feature of this square and one that is all noise. */
  private static boolean hasUsualSize(double square) {
    DMatrixRMaj joint = new DMatrixRMaj(3, 3, true, square, 0, 0, 0, 0.1, 0, 0, 0, 1e4);
    NormalEquations equations = new NormalEquations(joint, new double[] {1, 1});
    NormalEquations.Solution solution = equations.solve(0.0, 0.0);
    return new ReleaseError(LAW, joint, equations, solution, 1e4).hasUsualSize();
  }

  /** Above it the slope is what the release shows, 0 give or take its noise. */
  @Test
  void aDirectionAboveTheNoiseShowsItsSlope() {
    double square = 1.5 * LAW.edge(2);
    double noise = 0.5 * 2.0 / (square * square); // |(-b, 1)|^2 = 2
    assertThat(hidden(square)).isCloseTo(noise * Math.pow(LAW.unit(3) / square, 2), within(1e-9));
    assertThat(hidden(3.1 * LAW.edge(2))).isZero();
  }
}
