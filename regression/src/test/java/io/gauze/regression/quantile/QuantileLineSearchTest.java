package io.gauze.regression.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The minimum along a line against trial of every kink. */
class QuantileLineSearchTest {
  private static final double TAU = 0.3;
  private static final int ROWS = 200;

  @Test
  void stopsWhereTheLossIsLeast() {
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 200; trial++) {
      QuantileCase made = QuantileCase.smooth(ROWS, 2, random);
      boolean tied = trial % 2 == 0;
      for (int i = 0; i < ROWS && tied; i++) {
        made.y[i] = random.nextInt(5) - 2.0;
        made.x[2 * i + 1] = random.nextInt(3) - 1.0;
      }
      ScaledRows rows = ScaledRows.of(made.rows());
      double[] residuals = rows.y.clone();
      double[] movement = new double[ROWS];
      rows.products(new double[] {0.0, 1.0}, movement);
      LineSearch line = new LineSearch(rows);
      double slope = line.slope(residuals, movement, TAU);
      int stop = line.stop(residuals, sign(movement, slope), Math.abs(slope), new Basis(rows));
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < ROWS; i++) {
        if (movement[i] != 0.0) {
          least = Math.min(least, loss(rows, movement, residuals[i] / movement[i]));
        }
      }
      assertThat(loss(rows, movement, residuals[stop] / movement[stop]))
          .as("trial %d", trial)
          .isCloseTo(least, within(1e-12 * least));
    }
  }

  @Test
  void nothingStopsWhatDoesNotMove() {
    ScaledRows rows = ScaledRows.of(QuantileCase.smooth(9, 2, new SplittableRandom(2)).rows());
    LineSearch line = new LineSearch(rows);
    assertThat(line.stop(rows.y, new double[9], 1.0, new Basis(rows))).isEqualTo(-1);
  }

  /** The direction in which the loss falls. */
  private static double[] sign(double[] movement, double slope) {
    for (int i = 0; i < movement.length && slope > 0.0; i++) {
      movement[i] = -movement[i];
    }
    return movement;
  }

  private static double loss(ScaledRows rows, double[] movement, double length) {
    double sum = 0.0;
    for (int i = 0; i < movement.length; i++) {
      double residual = rows.y[i] - length * movement[i];
      sum += rows.w[i] * residual * (residual < 0.0 ? TAU - 1.0 : TAU);
    }
    return sum;
  }
}
