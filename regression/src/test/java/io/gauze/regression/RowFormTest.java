package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.rows.ExactMoments;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RowFormTest {
  private static double product(SymmetricMatrix c, int i, int j) {
    double sum = 0;
    for (int k = 0; k < c.dimension(); k++) {
      sum += c.get(k, i) * c.get(k, j);
    }
    return sum;
  }

  /** C'C are the moments, where these are positive: their rows fit as they do. */
  @Test
  void givesTheMomentsBack() {
    SymmetricMatrix moments = new Simulation(3, 0.9, 1).moments(1_000).moments();
    SymmetricMatrix rows = moments.rowForm();
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        assertThat(product(rows, i, j)).isCloseTo(moments.get(i, j), within(1e-9));
      }
    }
  }

  /** diag(4, -1) rotated: the negative part is left out, and nothing else. */
  @Test
  void projectsWhatIsNotPositive() {
    double c = Math.cos(0.3);
    double s = Math.sin(0.3);
    SymmetricMatrix matrix =
        SymmetricMatrix.ofUpperTriangle(
            2, new double[] {4 * c * c - s * s, 5 * c * s, 4 * s * s - c * c});
    SymmetricMatrix rows = matrix.rowForm();
    assertThat(product(rows, 0, 0)).isCloseTo(4 * c * c, within(1e-12));
    assertThat(product(rows, 0, 1)).isCloseTo(4 * c * s, within(1e-12));
    assertThat(product(rows, 1, 1)).isCloseTo(4 * s * s, within(1e-12));
    SymmetricMatrix noise =
        Simulation.release(ExactMoments.create(6, 0.5), 3.0, new SplittableRandom(5)).moments();
    for (int i = 0; i < 6; i++) {
      assertThat(product(noise.rowForm(), i, i)).isNotNegative();
    }
  }
}
