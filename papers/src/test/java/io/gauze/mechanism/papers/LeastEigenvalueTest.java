package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Grid;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.Map;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments of eight columns whose eigenvalues are known exactly. */
final class LeastEigenvalueTest {
  private static final int COLUMNS = 8;
  private static final long SQUARE = (long) Grid.MAX_ROW_STEPS * Grid.MAX_ROW_STEPS;

  /** The signs of column k of Hadamard's matrix: orthogonal, of norm sqrt 8. */
  private static long sign(int i, int k) {
    return Integer.bitCount(i & k) % 2 == 0 ? 1L : -1L;
  }

  /** The moments with 8 w_k as eigenvalues; the last eigenvector is column 0. */
  private static long[][] moments(long[] weights) {
    long[][] moments = new long[COLUMNS][COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        for (int k = 0; k < COLUMNS; k++) {
          moments[i][j] += weights[k] * sign(i, k) * sign(j, k);
        }
      }
    }
    return moments;
  }

  /** About 2^33 rows of norm 2^15, and so few in one direction. */
  private static long[] weights(SplittableRandom random, long few) {
    long[] weights = new long[COLUMNS];
    for (int k = 1; k < COLUMNS; k++) {
      weights[k] = (1L << 56) + random.nextLong(1L << 56);
    }
    weights[0] = few;
    return weights;
  }

  /** The state whose first column is a response that is 0. */
  private static long[] state(SecondMomentsSpec spec, long[][] moments) {
    long[] state = spec.zero().state();
    int skipped = spec.dimension() - COLUMNS;
    for (int i = 0; i < COLUMNS; i++) {
      for (int j = i; j < COLUMNS; j++) {
        state[spec.index(skipped + i, skipped + j)] = moments[i][j];
      }
    }
    return state;
  }

  /**
   * A row of the largest norm along the least eigenvector moves the least eigenvalue by B^2, and
   * computed ones by more, since doubles are off by some hundred steps: by as much as the noise is
   * for, and no more.
   */
  @Test
  void noiseIsForTheDistanceOfComputedEigenvalues() {
    AdaSsp ada = (AdaSsp) mechanism("ada-ssp", Map.of());
    double reach = ada.eigenvalue().sigma() * ada.mu() / Math.sqrt(3.0);
    AdaptiveRidgeProjection gated =
        (AdaptiveRidgeProjection) mechanism("jl-unregularised", Map.of("rows", "16"));
    double gatedReach = gated.test().scale() * 0.25 * gated.cost().epsilon();
    SecondMomentsSpec spec = new SecondMomentsSpec(COLUMNS);
    SplittableRandom random = new SplittableRandom(3);
    double farthest = 0.0;
    for (int i = 0; i < 200; i++) {
      long[] weights = weights(random, random.nextLong(1L << 50));
      double before = Math.floor(LeastEigenvalue.of(spec, state(spec, moments(weights)), -1));
      weights[0] += SQUARE / COLUMNS;
      double after = Math.floor(LeastEigenvalue.of(spec, state(spec, moments(weights)), -1));
      farthest = Math.max(farthest, after - before);
    }
    assertThat(farthest).isGreaterThan(SQUARE + 1.0);
    assertThat(reach).isGreaterThan(farthest);
    assertThat(gatedReach).isGreaterThan(farthest);
  }

  private static Mechanism mechanism(String name, Map<String, String> options) {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
    int numbers = name.equals(AdaSsp.NAME) ? COLUMNS : COLUMNS - 1;
    SketchRequest sketch = new SketchRequest("s", name, 1.0, options);
    return StreamPlan.of(Fixtures.request(Fixtures.numbers(numbers, 0.5, 1.0), budget, sketch))
        .sketch("s")
        .mechanism();
  }

  /** Whatever the routine says: right, a little wrong, quite wrong, no number at all. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 20, 1L << 40, 1L << 56})
  void wrongGuessesAreMended(long few) {
    long[][] moments = moments(weights(new SplittableRandom(4), few));
    DMatrixRMaj matrix = new DMatrixRMaj(COLUMNS, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        matrix.set(i, j, (double) moments[i][j]);
      }
    }
    double exact = 8.0 * few;
    double error = LeastEigenvalue.error(COLUMNS);
    assertThat(error).isEqualTo(12.0 * (1 << 13));
    for (double guess :
        new double[] {exact, exact + 3 * error, -1e10, 0.0, 1e18, 0x1p63, Double.NaN}) {
      assertThat(LeastEigenvalue.verified(matrix, guess)).isCloseTo(exact, within(error));
    }
    assertThat(LeastEigenvalue.verified(matrix, exact)).isEqualTo(exact);
  }
}
