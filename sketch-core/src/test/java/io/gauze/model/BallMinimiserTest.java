package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BallMinimiserTest {
  private static final long STEPS = 1L << 15; // of a row of norm 1
  private static final double BETA = 0x1p30;
  private static final double TOLERANCE = 1.0; // 2^-30 beta

  /** Sums of some rows, each of them many times. */
  private static ExactSquares squares(int p, int rows, long copies, boolean collinear, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] moments = new long[p * p];
    long[] products = new long[p];
    for (int i = 0; i < rows; i++) {
      long[] u = new long[p];
      for (int j = 0; j < p; j++) {
        u[j] = collinear && j > 0 ? u[0] : random.nextLong(-STEPS, STEPS + 1) / (p + 1);
      }
      long y = random.nextLong(-STEPS, STEPS + 1);
      for (int j = 0; j < p; j++) {
        products[j] += copies * u[j] * y;
        for (int k = 0; k < p; k++) {
          moments[j * p + k] += copies * u[j] * u[k];
        }
      }
    }
    return new ExactSquares(moments, products);
  }

  private static double[] linear(int p, double scale, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] linear = new double[p];
    for (int j = 0; j < p; j++) {
      linear[j] = scale * random.nextGaussian();
    }
    return linear;
  }

  /**
   * Checks in decimal numbers that nothing is rounded: what is left of the gradient is a positive
   * multiple of theta on the boundary, and nothing inside.
   *
   * @return whether the point is inside
   */
  private static boolean check(ExactSquares squares, long ridge, double radius, double... linear) {
    int p = linear.length;
    BallMinimiser.Point point =
        new BallMinimiser(squares, ridge, radius, TOLERANCE).minimise(linear);
    BigDecimal[] theta = new BigDecimal[p];
    for (int j = 0; j < p; j++) {
      theta[j] =
          new BigDecimal(point.theta(j))
              .divide(new BigDecimal(BigInteger.ONE.shiftLeft(BallMinimiser.BITS)));
    }
    BigDecimal[] left = new BigDecimal[p];
    BigDecimal along = BigDecimal.ZERO;
    BigDecimal square = BigDecimal.ZERO;
    for (int j = 0; j < p; j++) {
      left[j] =
          BigDecimal.valueOf(squares.product(j))
              .subtract(new BigDecimal(linear[j]))
              .subtract(theta[j].multiply(BigDecimal.valueOf(ridge)));
      for (int k = 0; k < p; k++) {
        left[j] = left[j].subtract(theta[k].multiply(BigDecimal.valueOf(squares.moment(j, k))));
      }
      along = along.add(left[j].multiply(theta[j]));
      square = square.add(theta[j].multiply(theta[j]));
    }
    boolean inside = square.doubleValue() < radius * radius * (1.0 - 1e-8);
    double multiplier = inside ? 0.0 : along.doubleValue() / square.doubleValue();
    double error = 0.0;
    for (int j = 0; j < p; j++) {
      BigDecimal normal = theta[j].multiply(new BigDecimal(multiplier));
      error += Math.pow(left[j].subtract(normal).doubleValue(), 2);
    }
    assertThat(square.doubleValue()).isLessThan(radius * radius * (1.0 + 1e-8));
    assertThat(multiplier).isNotNegative();
    // a multiplier in doubles is off by a part of 2^-52
    assertThat(Math.sqrt(error)).isLessThan(TOLERANCE + 0x1p-50 * multiplier * radius);
    return inside;
  }

  /** Few and many rows, full rank and none, inside and on the boundary. */
  @ParameterizedTest
  @CsvSource({
    "1, 3, 1, false, 1.5, 1, true",
    "1, 3, 1, false, 0.0625, 40, false",
    "4, 0, 1, false, 1.5, 1, true",
    "4, 0, 1, false, 1.5, 400, false",
    "5, 50, 1, false, 8, 1, true",
    "5, 50, 1, false, 0.0078125, 1, false",
    "5, 50, 100000000, false, 64, 1000, true",
    "5, 50, 100000000, false, 0.0078125, 1000, false",
    "6, 7, 1000000000, true, 1.5, 0.1, true",
    "6, 7, 1000000000, true, 0.01, 10, false",
    "20, 30, 50000000, false, 64, 0.01, true",
    "20, 30, 50000000, false, 0.05, 1000, false"
  })
  void pointsAreMinimisers(
      int p, int rows, long copies, boolean collinear, double radius, double tilt, boolean inside) {
    for (long ridge : new long[] {(long) (BETA / 400.0), 30L * (long) BETA}) {
      ExactSquares squares = squares(p, rows, copies, collinear, p + rows);
      double[] linear = linear(p, ridge * tilt, rows);
      boolean found = check(squares, ridge, radius, linear);
      if (ridge < BETA || rows == 0) { // a large ridge keeps small models inside
        assertThat(found).isEqualTo(inside);
      }
    }
  }

  @Test
  void rangesAreChecked() {
    ExactSquares one = squares(1, 1, 1, false, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BallMinimiser(one, 0, 1.0, 1.0))
        .withMessageContaining("ridge must be in");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BallMinimiser(one, 9, 1.0, 1.0).minimise(1.0, 2.0))
        .withMessageContaining("b must");
    assertThat(one).hasToString("ExactSquares[features=1]");
  }
}
