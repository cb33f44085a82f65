package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.testing.Alpha;
import io.gauze.testing.GoodnessOfFit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RoundedGaussianTest {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
  private static final int DRAWS = 1_000_000;

  private static Entropy entropy(String purpose) {
    return Randomness.insecureForTests(42).entropy(purpose);
  }

  /**
   * Chi-square over 200 equally likely bins of whole numbers, 1e6 draws, level 1e-6. Noticed: a
   * scale that is off by 5 %, and a sampler that forgets to reject within strips.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0x1p10, 1500.25, 0x1.8p31, 0x1p40})
  void fitsTheLaw(double sigma) {
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    GoodnessOfFit.fits(chiSquare(sigma, sampler::sample));
    RoundedGaussian wrong = RoundedGaussian.of(sigma < 0x1p40 ? 1.05 * sigma : sigma / 1.05);
    GoodnessOfFit.isRejected(chiSquare(sigma, wrong::sample));
    double[] table =
        IntStream.range(0, sampler.strips())
            .mapToDouble(j -> sampler.cumulative(j).doubleValue())
            .toArray();
    GoodnessOfFit.isRejected(chiSquare(sigma, e -> withoutRejection(table, sampler.width(), e)));
  }

  private static double chiSquare(double sigma, ToLongFunction<Entropy> sampler) {
    Entropy entropy = entropy("chi-square");
    return GoodnessOfFit.ofWhole(
        NormalDistribution.of(0, sigma), () -> sampler.applyAsLong(entropy));
  }

  /** What the sampler would give if it accepted every proposal: a staircase. */
  private static long withoutRejection(double[] table, long width, Entropy entropy) {
    double uniform = (entropy.nextLong() >>> 11) * 0x1p-53;
    int strip = 0;
    while (table[strip] <= uniform) {
      strip++;
    }
    long word = entropy.nextLong();
    long size = strip * width + Math.floorMod(word >> 1, width);
    return (word & 1) == 0 ? size : -size;
  }

  /** Every whole number within 2 sigma of the smallest sigma: 4097 cells, level 1e-6. */
  @Test
  void fitsTheLawNumberByNumber() {
    int sigma = 1024;
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    int draws = 4_000_000;
    long[] counts = new long[4 * sigma + 1];
    Entropy entropy = entropy("number by number");
    int outside = 0;
    for (int i = 0; i < draws; i++) {
      long at = sampler.sample(entropy) + 2L * sigma;
      if (at >= 0 && at < counts.length) {
        counts[(int) at]++;
      } else {
        outside++;
      }
    }
    double away = 2 * NORMAL.survivalProbability((2 * sigma + 0.5) / sigma);
    double sum = Math.pow(outside - draws * away, 2) / (draws * away);
    for (int i = 0; i < counts.length; i++) {
      double z = i - 2.0 * sigma;
      double expected = draws * NORMAL.probability((z - 0.5) / sigma, (z + 0.5) / sigma);
      sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    assertThat(sum).isLessThan(Alpha.chiSquare(counts.length));
  }

  /** Counts beyond 3, 4, 4.5 and 5 sigma on both sides against their binomial laws; level 1e-6. */
  @ParameterizedTest
  @ValueSource(doubles = {0x1p10, 0x1p31})
  void tailsFit(double sigma) {
    double[] distances = {3, 4, 4.5, 5};
    long[][] counts = new long[2][distances.length];
    int draws = 20_000_000;
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    Entropy entropy = entropy("tails");
    for (int i = 0; i < draws; i++) {
      long sample = sampler.sample(entropy);
      long size = Math.abs(sample);
      for (int j = 0; j < distances.length && size >= distances[j] * sigma; j++) {
        counts[sample > 0 ? 1 : 0][j]++;
      }
    }
    for (int j = 0; j < distances.length; j++) {
      double tail = NORMAL.survivalProbability(distances[j] - 0.5 / sigma);
      for (long[] side : counts) {
        assertThat(Alpha.unlikely(side[j], draws, tail, 8)).isFalse();
        // A tail three times too heavy, or missing, would be noticed.
        assertThat(Alpha.unlikely(side[j] + (long) (3 * draws * tail) + 20, draws, tail, 8))
            .isTrue();
      }
    }
  }

  /** Mean, variance, skewness and kurtosis over 1e6 draws: four z-tests, together 1e-6. */
  @ParameterizedTest
  @ValueSource(doubles = {0x1p10, 0x1p31, 0x1p40})
  void momentsFit(double sigma) {
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    Entropy entropy = entropy("moments");
    double[] sums = new double[4];
    for (int i = 0; i < DRAWS; i++) {
      double z = sampler.sample(entropy) / sigma;
      sums[0] += z;
      sums[1] += z * z - 1;
      sums[2] += z * z * z;
      sums[3] += z * z * z * z - 3;
    }
    double[] variances = {1, 2, 15, 96};
    for (int k = 0; k < 4; k++) {
      assertThat(Math.abs(sums[k]) / Math.sqrt(variances[k] * DRAWS)).isLessThan(Alpha.z(4));
    }
  }

  /** The lowest four bits of a wide sample are uniform; chi-square, 15 degrees, level 1e-6. */
  @Test
  void lowBitsAreUniform() {
    RoundedGaussian sampler = RoundedGaussian.of(0x1p40);
    Entropy entropy = entropy("bits");
    long[] counts = new long[16];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) (sampler.sample(entropy) & 15)]++;
    }
    double sum = 0.0;
    for (long count : counts) {
      sum += Math.pow(count - DRAWS / 16.0, 2) / (DRAWS / 16.0);
    }
    assertThat(sum).isLessThan(Alpha.chiSquare(15));
  }

  @Test
  void equalSourcesGiveEqualSamples() {
    RoundedGaussian sampler = RoundedGaussian.of(1e9);
    assertThat(sampler.sample(entropy("a"))).isEqualTo(sampler.sample(entropy("a")));
    assertThat(sampler.sample(entropy("a"))).isNotEqualTo(sampler.sample(entropy("b")));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0x1p10, 1e6 / 3, 0x1p40})
  void theTableIsTheLawOfTheStrips(double sigma) {
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    assertThat(sampler.strips() * sampler.width()).isGreaterThanOrEqualTo((long) (12 * sigma));
    assertThat(sampler.strips()).isLessThanOrEqualTo(96);
    double sum = 0.0;
    double[] weights = new double[sampler.strips()];
    for (int j = 0; j < weights.length; j++) {
      weights[j] = Math.exp(-0.5 * Math.pow(j * sampler.width() / sigma, 2));
      sum += weights[j];
    }
    BigDecimal before = BigDecimal.ZERO;
    for (int j = 0; j < weights.length; j++) {
      BigDecimal mass = sampler.cumulative(j).subtract(before);
      before = sampler.cumulative(j);
      assertThat(mass.doubleValue())
          .isCloseTo(weights[j] / sum, within(1e-13 * weights[j] + 0x1p-120));
    }
    assertThat(before).isEqualByComparingTo(BigDecimal.ONE);
  }

  /** Where the double is too coarse, 127 bits decide: one unit below the exact bound, one above. */
  @ParameterizedTest
  @ValueSource(doubles = {0x1p10, 1e6 / 3, 0x1p40})
  void closeCallsAreDecidedExactly(double sigma) {
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 50; i++) {
      long first = random.nextLong() >>> 1;
      long offset = random.nextLong() >>> 1;
      long word = random.nextLong();
      int strip = 0;
      BigDecimal uniform = new BigDecimal(first).divide(new BigDecimal(BigInteger.TWO.pow(63)));
      while (sampler.cumulative(strip).compareTo(uniform) <= 0) {
        strip++;
      }
      long whole =
          BigInteger.valueOf(offset)
              .multiply(BigInteger.valueOf(sampler.width()))
              .shiftRight(63)
              .longValueExact();
      BigInteger bound =
          sampler
              .exactAcceptance(strip, whole, word >>> 1)
              .multiply(new BigDecimal(BigInteger.TWO.pow(127)))
              .toBigInteger();
      long[] accepted = script(first, offset, word, bound);
      long size = strip * sampler.width() + whole + (word >>> 63);
      assertThat(sampler.sample(play(accepted))).isEqualTo((word & 1) == 0 ? size : -size);
      long[] rejected = script(first, offset, word, bound.add(BigInteger.ONE));
      // After a rejection come zeros: strip 0, offset 0, cell 0, accepted.
      assertThat(sampler.sample(play(rejected))).isZero();
    }
  }

  private static long[] script(long first, long offset, long word, BigInteger uniform) {
    return new long[] {
      first << 1, offset << 1, word, uniform.shiftRight(64).longValue() << 1, uniform.longValue()
    };
  }

  /** These words, then for ever one that every step takes as its smallest value. */
  private static Entropy play(long[] words) {
    int[] next = {0};
    return () -> next[0] < words.length ? words[next[0]++] : 1L << 20;
  }

  @Test
  void exponentialHasFiftyDigits() {
    assertThat(ExactDraws.expNegative(BigDecimal.ONE))
        .isCloseTo(
            new BigDecimal(
                "0.36787944117144232159552377016146086744581113103176783450783680169746"),
            within(new BigDecimal("1e-55")));
    assertThat(ExactDraws.expNegative(BigDecimal.ZERO)).isEqualByComparingTo("1");
    assertThat(ExactDraws.expNegative(BigDecimal.valueOf(72)).doubleValue())
        .isCloseTo(Math.exp(-72), within(1e-45));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1023.9, 0x1.0000001p40, 0, -1e6, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesOtherScales(double sigma) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoundedGaussian.of(sigma))
        .withMessage("sigma must be in [2^10, 2^40] grid steps. Provided value: " + sigma);
  }

  @Test
  void showsItsScaleOnly() {
    assertThat(RoundedGaussian.of(2048).toString()).isEqualTo("RoundedGaussian[sigma=2048.0]");
  }
}
