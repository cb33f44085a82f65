package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.testing.GoodnessOfFit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

/** Grids and their filling, and the exact arithmetic behind both. */
final class OutputGridTest {
  private static final BigDecimal TWO_64 = new BigDecimal(BigInteger.ONE.shiftLeft(64));

  /** What a value is off by, in fillings, is N(0, 1): at every place of it between two steps. */
  @Test
  void theFillingHasItsLaw() {
    OutputGrid grid = new OutputGrid(0.25, 0x1p12);
    Entropy entropy = Randomness.insecureForTests(49).entropy("filling");
    for (double value : new double[] {0.0, -1e-300, 0.1, -12345.678, 1e13}) {
      double[] values = new double[200_000];
      Arrays.fill(values, value);
      double[] off = grid.values(grid.fill(values, entropy));
      for (int i = 0; i < off.length; i++) {
        off[i] = (off[i] - value) / (grid.step() * grid.filling());
      }
      GoodnessOfFit.fits(GoodnessOfFit.statistic(NormalDistribution.of(0, 1), off), 5);
    }
    assertThat(grid.fill(new double[] {1e300, -1e300}, entropy)[0]).isGreaterThan(1L << 61);
  }

  /** The double is the nearest one, the sum rounded as the exact one, from the same bits. */
  @Test
  void samplesAreThoseOfExactArithmetic() {
    RoundedGaussian sampler = RoundedGaussian.of(0x1p10);
    Entropy first = Randomness.insecureForTests(50).entropy("fine");
    Entropy second = Randomness.insecureForTests(50).entropy("fine");
    Entropy third = Randomness.insecureForTests(50).entropy("fine");
    for (int i = 0; i < 50_000; i++) {
      long[] whole = new long[1];
      long[] low = new long[1];
      sampler.fine(first, whole, low, 0);
      BigDecimal exact =
          new BigDecimal(Long.toUnsignedString(low[0]))
              .divide(TWO_64)
              .add(BigDecimal.valueOf(whole[0]));
      assertThat(sampler.real(second)).isEqualTo(exact.doubleValue());
      double value = (i - 25_000) * 0x1.23456789abcdfp-3;
      BigDecimal sum = exact.add(new BigDecimal(value));
      assertThat(sampler.around(value, third))
          .isEqualTo(sum.setScale(0, RoundingMode.HALF_EVEN).longValueExact());
    }
  }

  @Test
  void refusesOtherGrids() {
    assertThatIllegalArgumentException().isThrownBy(() -> new OutputGrid(0.75, 0x1p20));
    assertThatIllegalArgumentException().isThrownBy(() -> new OutputGrid(0.0, 0x1p20));
    assertThatIllegalArgumentException().isThrownBy(() -> new OutputGrid(1.0, 512.0));
    assertThatIllegalArgumentException().isThrownBy(() -> OutputGrid.relativeTo(Double.NaN));
  }
}
