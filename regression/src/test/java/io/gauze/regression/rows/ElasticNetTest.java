package io.gauze.regression.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LASSO and elastic net on moments, also singular ones. */
class ElasticNetTest {
  /** The optimality conditions, for well and badly conditioned and singular moments. */
  @ParameterizedTest
  @CsvSource({
    "5, 100, 1.0",
    "52, 500, 1.0",
    "52, 500, 0.01",
    "52, 20, 1.0",
    "52, 20, 1e-3",
    "120, 60, 1e-5"
  })
  void optimalityConditionsHold(int features, int rows, double spread) {
    SplittableRandom random = new SplittableRandom(features + rows);
    for (int i = 0; i < 12; i++) {
      DMatrixRMaj joint = joint(features, rows, spread, random);
      double[] l1 = new double[features];
      Arrays.fill(l1, 1.0);
      l1[0] = i % 2;
      double lambda = Math.pow(10, i % 4 - 2);
      double alpha = i % 3 * 0.3;
      NormalEquations equations = new NormalEquations(joint, l1);
      ElasticNet.Solution net = ElasticNet.solve(equations, lambda, alpha, 0.0, l1);
      assertThat(net.solved()).isTrue();
      assertThat(net.convergence().relativeGap()).isLessThan(1e-9);
      assertThat(net.convergence().iterations()).isLessThan(100);
      assertOptimal(joint, net.solution().b().getData(), lambda, alpha, l1);
    }
  }

  private static void assertOptimal(
      DMatrixRMaj joint, double[] b, double lambda, double alpha, double... weights) {
    int p = b.length;
    for (int j = 0; j < p; j++) {
      double gradient = -joint.get(j, p) + lambda * alpha * weights[j] * b[j];
      double terms = Math.abs(joint.get(j, p));
      for (int k = 0; k < p; k++) {
        gradient += joint.get(j, k) * b[k];
        terms += Math.abs(joint.get(j, k) * b[k]);
      }
      double half = 0.5 * lambda * (1.0 - alpha) * weights[j];
      if (b[j] == 0.0) {
        assertThat(Math.abs(gradient)).isLessThanOrEqualTo(half + 1e-12 * terms);
      } else {
        assertThat(gradient + Math.signum(b[j]) * half).isCloseTo(0.0, within(1e-12 * terms));
      }
    }
  }

  /** Columns share a part; {@code spread} is the size of what they do not share. */
  private static DMatrixRMaj joint(int features, int rows, double spread, SplittableRandom random) {
    ExactMoments moments = ExactMoments.create(features + 1, 1.0);
    double[] row = new double[features + 1];
    for (int i = 0; i < rows; i++) {
      double shared = random.nextGaussian();
      double response = random.nextGaussian();
      for (int j = 0; j < features; j++) {
        row[j] = shared + spread * random.nextGaussian();
        response += j % 5 == 1 ? 0.3 * (row[j] - shared) / spread : 0.0;
      }
      row[features] = response;
      moments.add(row);
    }
    int[] all = IntStream.rangeClosed(0, features).toArray();
    return moments.moments().select(all);
  }

  /** S = diag(4, 1, 0), s = (4, -1, 0): each coefficient is thresholded by itself. */
  @Test
  void orthogonalColumnsByHand() {
    DMatrixRMaj joint = new DMatrixRMaj(4, 4);
    joint.set(0, 0, 4);
    joint.set(1, 1, 1);
    joint.set(0, 3, 4);
    joint.set(3, 0, 4);
    joint.set(1, 3, -1);
    joint.set(3, 1, -1);
    joint.set(3, 3, 5);
    NormalEquations equations = new NormalEquations(joint, 1, 1, 1);
    ElasticNet.Solution net = ElasticNet.solve(equations, 2.0, 0.5, 0.0, 1, 3, 1);
    // (4 - 2 / 2 / 2) / (4 + 1) and |-1| < 3 / 2
    assertThat(net.solution().b().getData()).containsExactly(0.7, 0.0, 0.0);
    assertThat(net.active()).isEqualTo(1);
    assertThat(net.solution().missed()).isZero();
    assertThat(net.solution().inverse().get(0, 0)).isCloseTo(0.2, within(1e-15));
    assertThat(net.solution().inverse().get(1, 1)).isZero();
  }

  /** Twin columns: any split is a minimum, and what comes out is one. */
  @Test
  void twins() {
    ExactMoments moments = ExactMoments.create(3, 1.0);
    for (double x : new double[] {-1, 0.5, 0.25, 1}) {
      moments.add(x, x, 2 * x + 0.1);
    }
    NormalEquations equations = new NormalEquations(moments.moments().select(0, 1, 2), 1, 1);
    double[] b = ElasticNet.solve(equations, 0.1, 0.0, 0.0, 1, 1).solution().b().getData();
    double[] one =
        ElasticNet.solve(new NormalEquations(moments.moments().select(0, 2), 1), 0.1, 0.0, 0.0, 1)
            .solution()
            .b()
            .getData();
    assertThat(b[0] + b[1]).isCloseTo(one[0], within(1e-12));
    assertThat(b[0]).isNotNegative();
    assertThat(b[1]).isNotNegative();
  }
}
