package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GridTest {
  @ParameterizedTest
  @CsvSource({"1, 15", "2, 14", "2.5, 13", "1.0000000000000002, 14", "0.33, 16", "256, 7"})
  void isTheFinestOnWhichTheBoundFits(double rowBound, int fractionBits) {
    assertThat(Grid.forRowBound(rowBound)).isEqualTo(new Grid(fractionBits));
  }

  @Test
  void oneBitMoreWouldNotFit() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      double bound = StrictMath.pow(2, -20 + 35 * random.nextDouble());
      double steps = bound / Grid.forRowBound(bound).step();
      assertThat(steps).isLessThanOrEqualTo(32768.0).isGreaterThan(16384.0);
    }
  }

  @Test
  void units() {
    Grid grid = new Grid(13);
    assertThat(grid.step()).isEqualTo(1.0 / 8192);
    assertThat(grid.rowUnit()).isEqualTo(grid.step());
    assertThat(grid.momentUnit()).isEqualTo(grid.step() * grid.step());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1e-9, 32769, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesBounds(double rowBound) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Grid.forRowBound(rowBound))
        .withMessageStartingWith("rowBound must be in [2.9802322387695312E-8, 32768].")
        .withMessageEndingWith("Provided value: " + rowBound);
  }

  @Test
  void refusesFractionBits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Grid(41))
        .withMessage("fractionBits must be in [0, 40]. Provided value: 41");
    assertThatIllegalArgumentException().isThrownBy(() -> new Grid(-1));
  }

  /**
   * 2^33 rows less 2^20, each at most (2^15)^2, with a noise below 2^50; 2^33 itself would not do.
   */
  @Test
  void sumsOfMaxRowsFitInALong() {
    BigInteger square = BigInteger.valueOf(Grid.MAX_ROW_STEPS).pow(2);
    BigInteger noise = BigInteger.ONE.shiftLeft(50).subtract(BigInteger.ONE);
    BigInteger sum = square.multiply(BigInteger.valueOf(Grid.MAX_ROWS)).add(noise);
    assertThat(sum).isEqualTo(BigInteger.valueOf(Long.MAX_VALUE));
    assertThat(square.shiftLeft(33)).isGreaterThan(BigInteger.valueOf(Long.MAX_VALUE));
  }
}
