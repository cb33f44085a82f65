package io.gauze.benchmarks.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class MatrixTest {
  private static final double[][] COVARIANCE = {{4, 2, 0.6}, {2, 5, 1}, {0.6, 1, 3}};

  @Test
  void aRootTimesItselfIsTheMatrix() {
    double[][] root = Matrix.root(COVARIANCE);
    double[][] product = new double[3][3];
    for (int k = 0; k < 3; k++) {
      Matrix.add(product, root[0][k], root[1][k], root[2][k]);
    }
    assertNear(product, COVARIANCE, 1e-12);
    assertThat(Matrix.root(Matrix.plusDiagonal(COVARIANCE, -4))).isEmpty();
  }

  /** The first pivot is 0, and the matrix is indefinite. */
  @Test
  void anIndefiniteSystemIsSolved() {
    double[][] matrix = {{0, 2, 1}, {2, -3, 1}, {1, 1, 5}};
    assertThat(Matrix.solve(matrix, 7, -1, 18)).containsExactly(new double[] {1, 2, 3}, near());
  }

  @Test
  void aRegressionFindsTheModelOfItsRows() {
    double[][] moments = new double[3][3];
    for (double[] x : new double[][] {{1, 0}, {1, 1}, {1, 2}, {1, 5}}) {
      Matrix.add(moments, x[0], x[1], 0.5 * x[0] - 2 * x[1]);
    }
    assertThat(Matrix.regression(moments)).containsExactly(new double[] {0.5, -2}, near());
  }

  /**
   * Means of 2,000 matrices, of few degrees of freedom and of many: entries are off by a deviation
   * of at most 7 / sqrt(2,000 n) of their size, here .03 and .003. The seed is fixed.
   */
  @Test
  void wishartMatricesHaveTheMomentsOfTheirRows() {
    SplittableRandom random = new SplittableRandom(5);
    for (int rows : new int[] {10, 1_000}) {
      double[][] sum = new double[3][3];
      for (int k = 0; k < 2_000; k++) {
        sum = Matrix.plus(sum, Matrix.wishart(Matrix.root(COVARIANCE), rows, random));
      }
      double[][] mean = Matrix.times(sum, 1.0 / 2_000 / rows);
      assertNear(mean, COVARIANCE, 1.0 / Math.sqrt(rows));
    }
  }

  /** Mean squares of 20,000 draws, whose deviation is 1 % of them. The seed is fixed. */
  @Test
  void noiseIsSymmetricAndNarrowerOffTheDiagonal() {
    SplittableRandom random = new SplittableRandom(6);
    double on = 0;
    double off = 0;
    for (int k = 0; k < 20_000; k++) {
      double[][] noise = Matrix.gaussian(2, 3, 1, random);
      assertThat(noise[0][1]).isEqualTo(noise[1][0]);
      on += noise[1][1] * noise[1][1] / 20_000;
      off += noise[0][1] * noise[0][1] / 20_000;
    }
    assertThat(on).isCloseTo(9, within(0.45));
    assertThat(off).isCloseTo(1, within(0.05));
  }

  private static Offset<Double> near() {
    return within(1e-9);
  }

  private static void assertNear(double[][] matrix, double[][] expected, double tolerance) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(matrix[i]).containsExactly(expected[i], within(tolerance));
    }
  }
}
