package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.testing.Alpha;
import io.gauze.testing.GoodnessOfFit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChiSquareTest {
  private static Entropy entropy(String purpose) {
    return Randomness.insecureForTests(45).entropy(purpose);
  }

  /** 1e6 draws, 200 bins, level 1e-6; a scale off by 5 % and degrees off by few are rejected. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 1000, 1 << 20})
  void fitsTheLaw(int degrees) {
    ChiSquaredDistribution law = ChiSquaredDistribution.of(degrees);
    double[] samples = draws(degrees);
    GoodnessOfFit.fits(GoodnessOfFit.statistic(law, samples));
    double[] wrong = Arrays.stream(samples).map(x -> 1.05 * x).toArray();
    GoodnessOfFit.isRejected(GoodnessOfFit.statistic(law, wrong));
    GoodnessOfFit.isRejected(GoodnessOfFit.statistic(law, draws(degrees + 1 + degrees / 400)));
  }

  private static double[] draws(int degrees) {
    ChiSquare sampler = ChiSquare.of(degrees);
    Entropy entropy = entropy("draws");
    double[] samples = new double[GoodnessOfFit.DRAWS];
    Arrays.setAll(samples, i -> sampler.sample(entropy));
    return samples;
  }

  /** The smallest normal number is half a cell, not 0, which would be a singular matrix. */
  @Test
  void oneDegreeIsAboveZero() {
    long[] words = {1L << 20, 1L << 20, 0L, 0L}; // strip, place, cell and acceptance
    int[] next = {0};
    double sample = ChiSquare.of(1).sample(() -> words[next[0]++]);
    assertThat(next[0]).isEqualTo(words.length);
    assertThat(sample).isEqualTo(0x1p-208);
  }

  /**
   * The acceptance probability in doubles is within a half of the margin of the exact one, for all
   * normal numbers below 12; without a series it would not be.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 19, 60, 170, 1000, 1 << 16, 1 << 24})
  void acceptanceIsExactOutsideOfTheMargin(int degrees) {
    ChiSquare sampler = ChiSquare.of(degrees);
    double d = 0.5 * degrees - 1.0 / 3.0;
    double slope = 1.0 / Math.sqrt(9.0 * d);
    double largest = 0.0;
    for (double x = -12.0; x < 12.0; x += 0.04837) {
      double t = slope * x;
      double inDoubles = t > -1.0 ? Math.exp(3.0 * d * ChiSquare.g(t)) : 0.0;
      double exact = sampler.exactAcceptance(x).doubleValue();
      largest = Math.max(largest, Math.abs(inDoubles - exact));
    }
    assertThat(largest).isLessThan(0x1p-45);
  }

  /** Where a double cannot tell, 127 bits and 60 digits do: on both sides of the probability. */
  @Test
  void closeCallsAreDecidedExactly() {
    ChiSquare sampler = ChiSquare.of(3);
    long[] normal = {Long.MAX_VALUE - 2, 1L << 62, 1L << 50, 0L};
    double x = StandardNormal.sample(cycle(normal));
    assertThat(Math.abs(x)).isBetween(0.5, 12.0);
    BigDecimal exact = sampler.exactAcceptance(x).multiply(BigDecimal.valueOf(2).pow(127));
    BigInteger bound = exact.toBigInteger();
    for (int off = -3; off <= 3; off++) {
      BigInteger uniform = bound.add(BigInteger.valueOf(off));
      long word = uniform.shiftRight(64).longValueExact() << 1;
      long[] words = Arrays.copyOf(normal, 9);
      words[4] = word;
      words[5] = uniform.longValue();
      words[8] = 1L; // another proposal, smaller: 0
      int[] next = {0};
      double sample = sampler.sample(() -> words[next[0]++ % words.length]);
      double t = x / Math.sqrt(10.5);
      boolean accepted = Math.abs(sample - 7.0 / 3.0 * Math.pow(1.0 + t, 3.0)) < 1e-9;
      assertThat(accepted).isEqualTo(off <= 0);
    }
  }

  private static Entropy cycle(long... words) {
    int[] next = {0};
    return () -> words[next[0]++];
  }

  @Test
  void noNoiseIsZero() {
    Entropy free = Randomness.noiseFreeForTests(1).entropy("noise");
    assertThat(ChiSquare.of(5).sample(free)).isZero();
    assertThat(StandardNormal.sample(free)).isZero();
  }

  /**
   * 1e6 draws of the normal law; a scale off by 5 % is rejected. The lowest bit of a double is 1 as
   * often as 0, level 1e-6: no sample is on a coarser grid.
   */
  @Test
  void standardNormalFits() {
    NormalDistribution law = NormalDistribution.of(0, 1);
    Entropy entropy = entropy("normal");
    double[] samples = new double[GoodnessOfFit.DRAWS];
    double[] wrong = new double[samples.length];
    long ones = 0;
    for (int i = 0; i < samples.length; i++) {
      samples[i] = StandardNormal.sample(entropy);
      wrong[i] = 1.05 * samples[i];
      ones += Double.doubleToRawLongBits(samples[i]) & 1L;
    }
    assertThat(Math.abs(ones - 0.5 * samples.length)).isLessThan(0.5 * Alpha.z(1) * 1000.0);
    GoodnessOfFit.fits(GoodnessOfFit.statistic(law, samples));
    GoodnessOfFit.isRejected(GoodnessOfFit.statistic(law, wrong));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 24) + 1})
  void refusesOtherDegrees(int degrees) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChiSquare.of(degrees))
        .withMessage("degreesOfFreedom must be in [1, 16777216]. Provided value: " + degrees);
  }

  @Test
  void showsItsDegrees() {
    assertThat(ChiSquare.of(3).toString()).isEqualTo("ChiSquare[degrees=3]");
    assertThat(ChiSquare.of(3).degrees()).isEqualTo(3);
  }
}
