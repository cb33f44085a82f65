package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.SquareRootToeplitz;
import io.gauze.accounting.loss.CumulativeLaw;
import io.gauze.testing.Alpha;
import io.gauze.testing.GoodnessOfFit;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CumulativeNoiseTest {
  private static final double SIGMA = 0x1p20;
  private static final int RELEASES = 16;
  private static final int ENTRIES = 20_000;

  private static Entropy entropy() {
    return Randomness.insecureForTests(47).entropy("cumulative");
  }

  /** The noise of each release, one series an entry. */
  private static long[][] noise(int releases, int entries, double sigma) {
    CumulativeNoise noise = CumulativeNoise.create(releases, entries, i -> sigma);
    Entropy entropy = entropy();
    long[][] states = new long[releases][entries];
    for (int k = 0; k < releases; k++) {
      noise.addTo(k, states[k], entropy);
    }
    return states;
  }

  private static double weight(int k) {
    double weight = 1.0;
    for (int i = 1; i <= k; i++) {
      weight *= (2.0 * i - 1) / (2.0 * i);
    }
    return weight;
  }

  private static double squares(int releases) {
    return IntStream.range(0, releases).mapToDouble(k -> weight(k) * weight(k)).sum();
  }

  /** z of the mean product of two releases' noise, entry by entry, against its law. */
  private static double z(long[] first, long[] second, double expected, double... variances) {
    double sum = 0.0;
    for (int i = 0; i < first.length; i++) {
      sum += (double) first[i] * second[i];
    }
    double variance = variances[0] * variances[1] + expected * expected;
    return (sum / first.length - expected) / Math.sqrt(variance / first.length);
  }

  private static double largestZ(long[][] states) {
    double scale = SIGMA * SIGMA * squares(RELEASES);
    double largest = 0.0;
    for (int k = 0; k < RELEASES; k++) {
      for (int l = k; l < RELEASES; l++) {
        double expected = 0.0;
        for (int i = 0; i <= k; i++) {
          expected += scale * weight(i) * weight(i + l - k);
        }
        double[] variances = {scale * squares(k + 1), scale * squares(l + 1)};
        largest = Math.max(largest, Math.abs(z(states[k], states[l], expected, variances)));
      }
    }
    return largest;
  }

  /**
   * Variances of all releases and covariances of all pairs, 20,000 series, together 1e-6. Noticed:
   * a scale without the column norm, and one off by 5 %.
   */
  @Test
  void covariancesFit() {
    double critical = Alpha.z(RELEASES * (RELEASES + 1) / 2);
    assertThat(largestZ(noise(RELEASES, ENTRIES, SIGMA))).isLessThan(critical);
    double norm = SquareRootToeplitz.of(RELEASES).columnNorm();
    assertThat(largestZ(noise(RELEASES, ENTRIES, SIGMA / norm))).isGreaterThan(critical);
    assertThat(largestZ(noise(RELEASES, ENTRIES, 1.05 * SIGMA))).isGreaterThan(critical);
  }

  /** Each release, and the difference of each from the one before: normal, and not small. */
  @Test
  void differencesHaveNoiseToo() {
    long[][] states = noise(RELEASES, ENTRIES, SIGMA);
    double scale = SIGMA * Math.sqrt(squares(RELEASES));
    for (int k = 0; k < RELEASES; k++) {
      double[] release = new double[ENTRIES];
      double[] difference = new double[ENTRIES];
      for (int i = 0; i < ENTRIES; i++) {
        release[i] = states[k][i];
        difference[i] = states[k][i] - (k > 0 ? states[k - 1][i] : 0);
      }
      double steps = 1.0;
      for (int i = 1; i <= k; i++) {
        steps += Math.pow(weight(i) - weight(i - 1), 2);
      }
      GoodnessOfFit.fits(
          GoodnessOfFit.statistic(
              NormalDistribution.of(0, scale * Math.sqrt(squares(k + 1))), release),
          2 * RELEASES);
      GoodnessOfFit.fits(
          GoodnessOfFit.statistic(NormalDistribution.of(0, scale * Math.sqrt(steps)), difference),
          2 * RELEASES);
    }
  }

  /** How well the best attack on a row of epoch 0 tells: Delta / sigma of one release alone. */
  @Test
  void allReleasesTellNoMoreThanOne() {
    double critical = Alpha.z(1);
    assertThat(Math.abs(attack(SIGMA))).isLessThan(critical);
    double norm = SquareRootToeplitz.of(RELEASES).columnNorm();
    assertThat(attack(SIGMA / norm)).isLessThan(-critical);
  }

  // F^-1 times the releases is z, shifted by F's first column f if a row is there: the most
  // powerful test projects it on f / |f|, where the shift is |f| and the noise should be sigma
  // |f|.
  private static double attack(double sigma) {
    long[][] states = noise(RELEASES, ENTRIES, sigma);
    double sum = 0.0;
    for (int i = 0; i < ENTRIES; i++) {
      double[] solved = new double[RELEASES];
      double along = 0.0;
      for (int k = 0; k < RELEASES; k++) {
        solved[k] = states[k][i];
        for (int j = 1; j <= k; j++) {
          solved[k] -= weight(j) * solved[k - j];
        }
        along += weight(k) * solved[k];
      }
      sum += along * along / squares(RELEASES);
    }
    double expected = SIGMA * SIGMA * squares(RELEASES);
    return (sum / ENTRIES / expected - 1.0) / Math.sqrt(2.0 / ENTRIES);
  }

  /** Bounds of the design; the last release's variance over 2,000 series, level 1e-6. */
  @ParameterizedTest
  @CsvSource({"64, 2.39, 2000", "1024, 3.28, 500"})
  void theLastReleaseHasLittleMoreNoiseThanOneAlone(int releases, double most, int entries) {
    CumulativeNoise series = CumulativeNoise.create(releases, 1, i -> SIGMA);
    double factor = series.noiseFactor(releases - 1);
    assertThat(factor)
        .isLessThan(most)
        .isCloseTo(SquareRootToeplitz.of(releases).noiseFactor(), within(1e-9));
    long[] last = noise(releases, entries, SIGMA)[releases - 1];
    double variance = Math.pow(SIGMA * factor, 2);
    assertThat(Math.abs(z(last, last, variance, variance, variance))).isLessThan(Alpha.z(1));
    double fresh = SIGMA * SIGMA * releases;
    assertThat(Math.abs(z(last, last, fresh, fresh, fresh))).isGreaterThan(Alpha.z(1));
  }

  /** Every sum, rounded, against 80 digits from the same draws; from few close calls to all. */
  @ParameterizedTest
  @ValueSource(doubles = {1024, 1e10, 8e11})
  void sumsAreExact(double sigma) {
    int entries = 200;
    int releases = 12;
    int wrong = 0;
    MathContext digits = new MathContext(80);
    RoundedGaussian sampler =
        RoundedGaussian.of(Math.nextUp(sigma * SquareRootToeplitz.of(releases).columnNorm()));
    long[][] states = noise(releases, entries, sigma);
    Entropy entropy = entropy();
    BigDecimal[][] draws = new BigDecimal[releases][entries];
    BigDecimal[] weights = new BigDecimal[releases];
    for (int k = 0; k < releases; k++) {
      weights[k] =
          k == 0
              ? BigDecimal.ONE
              : weights[k - 1]
                  .multiply(BigDecimal.valueOf(2L * k - 1))
                  .divide(BigDecimal.valueOf(2L * k), digits);
      for (int i = 0; i < entries; i++) {
        draws[k][i] = fine(sampler, entropy);
        BigDecimal sum = BigDecimal.valueOf(0.5);
        for (int j = 0; j <= k; j++) {
          sum = sum.add(weights[k - j].multiply(draws[j][i]));
        }
        wrong += states[k][i] == sum.setScale(0, RoundingMode.FLOOR).longValueExact() ? 0 : 1;
      }
    }
    assertThat(wrong).isZero();
  }

  /**
   * Release 1 is z_1 + z_0 / 2. With z_0 = 1/2 + 2^-64 and z_1 = 1/4 + 2^-64 it is above one half
   * by 1.5 of 2^-64, with z_1 = 1/4 - 2^-64 below it by half of that unit: the same double.
   */
  @Test
  void closeCallsAreDecidedExactly() {
    assertThat(second(1L << 63, 1L << 62)).isEqualTo(1);
    assertThat(second(1L << 63, (1L << 62) - 2)).isZero();
    assertThat(second(1L << 63 | 1, 1L << 62 | 1)).isEqualTo(-1);
    assertThat(second(1L << 63 | 1, (1L << 62) - 1)).isZero();
  }

  /** The noise of release 1 for the given cells of the first step; odd ones are negative. */
  private static long second(long first, long second) {
    long[] words = {1L << 20, 1L << 20, first, 0, 1L << 20, 1L << 20, second, 0};
    int[] next = {0};
    Entropy script = () -> words[next[0]++];
    CumulativeNoise noise = CumulativeNoise.create(2, 1, i -> SIGMA);
    noise.addTo(0, new long[1], script);
    long[] state = new long[1];
    noise.addTo(1, state, script);
    assertThat(next[0]).isEqualTo(words.length);
    return state[0];
  }

  private static BigDecimal fine(RoundedGaussian sampler, Entropy entropy) {
    long[] whole = new long[1];
    long[] low = new long[1];
    sampler.fine(entropy, whole, low, 0);
    return new BigDecimal(Long.toUnsignedString(low[0]))
        .divide(BigDecimal.valueOf(2).pow(64))
        .add(BigDecimal.valueOf(whole[0]));
  }

  /** The fine sample rounds to the sample. */
  @ParameterizedTest
  @ValueSource(doubles = {0x1p10, 1e6 / 3, 0x1p40})
  void fineSamplesRoundToSamples(double sigma) {
    RoundedGaussian sampler = RoundedGaussian.of(sigma);
    Entropy first = entropy();
    Entropy second = entropy();
    for (int i = 0; i < 2000; i++) {
      BigDecimal fine = fine(sampler, first);
      assertThat(fine.abs()).isLessThan(BigDecimal.valueOf(sampler.largest()));
      assertThat(fine.setScale(0, RoundingMode.HALF_EVEN).longValueExact())
          .isEqualTo(sampler.sample(second));
    }
  }

  /** K (2 (2^-64 sum f + tiny) + 2^-100) an entry, rounded up. */
  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1024})
  void theChanceOfADifferenceIsBounded(int releases) {
    double sum = IntStream.range(0, releases).mapToDouble(CumulativeNoiseTest::weight).sum();
    double bound = releases * (0x1p-63 * sum + 0x1p-100);
    assertThat(CumulativeNoise.totalVariation(releases))
        .isGreaterThan(bound)
        .isLessThan(1.01 * bound);
    assertThat(CumulativeNoise.create(releases, 7, i -> SIGMA).totalVariation())
        .isEqualTo(7 * CumulativeNoise.totalVariation(releases));
  }

  /** As second moments have: more on the diagonal than off it. */
  @Test
  void entriesHaveScalesOfTheirOwn() {
    CumulativeNoise noise = CumulativeNoise.create(1, ENTRIES, i -> i % 2 == 0 ? SIGMA : 4 * SIGMA);
    long[] state = new long[ENTRIES];
    noise.addTo(0, state, entropy());
    long[] even = IntStream.range(0, ENTRIES / 2).mapToLong(i -> state[2 * i]).toArray();
    long[] odd = IntStream.range(0, ENTRIES / 2).mapToLong(i -> state[2 * i + 1]).toArray();
    double variance = SIGMA * SIGMA;
    assertThat(Math.abs(z(even, even, variance, variance, variance))).isLessThan(Alpha.z(2));
    double wide = 16 * variance;
    assertThat(Math.abs(z(odd, odd, wide, wide, wide))).isLessThan(Alpha.z(2));
  }

  @Test
  void noiseIsAdded() {
    long[] state = {1000, Long.MAX_VALUE};
    CumulativeNoise.create(3, 2, i -> SIGMA).addTo(0, state, entropy());
    long[] alone = noise(3, 2, SIGMA)[0];
    assertThat(state).containsExactly(1000 + alone[0], Long.MAX_VALUE + alone[1]);
    CumulativeNoise noiseFree = CumulativeNoise.create(2, 2, i -> SIGMA);
    Entropy free = Randomness.noiseFreeForTests(1).entropy("noise");
    long[] exact = {5, -5};
    noiseFree.addTo(0, exact, free);
    noiseFree.addTo(1, exact, free);
    assertThat(exact).containsExactly(5, -5);
  }

  @Test
  void releasesAreMadeInOrderAndOnce() {
    CumulativeNoise noise = CumulativeNoise.create(3, 2, i -> SIGMA);
    long[] state = new long[2];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.addTo(1, state, entropy()))
        .withMessage("release must be in [0, 0]. Provided value: 1");
    noise.addTo(0, state, entropy());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.addTo(0, state, entropy()))
        .withMessage("release must be in [1, 1]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.addTo(1, new long[3], entropy()))
        .withMessage("entries must be in [2, 2]. Provided value: 3");
    assertThat(noise.toString()).isEqualTo("CumulativeNoise[releases=3, entries=2, made=1]");
    noise.addTo(1, state, entropy());
    noise.addTo(2, state, entropy());
    assertThatIllegalStateException()
        .isThrownBy(() -> noise.addTo(3, state, entropy()))
        .withMessage("all 3 releases have been made");
  }

  /** What goes on after any release does so as if it had not been stored, to the last bit. */
  @Test
  void goesOnFromTheDrawsOfEachRelease() {
    int releases = 5;
    for (int stored = 0; stored <= releases; stored++) {
      CumulativeNoise noise = scaled(releases);
      CumulativeNoise resumed = scaled(releases);
      Entropy draws = Randomness.insecureForTests(7).entropy("draws");
      for (int k = 0; k < stored; k++) {
        noise.addTo(k, new long[3], draws);
        if (k == releases - 1) {
          resumed.addTo(k, new long[3], entropy());
        } else {
          byte[] bytes = noise.draws(k);
          assertThat(bytes).hasSize(48);
          resumed.resume(k, bytes);
          assertThat(resumed.draws(k)).isEqualTo(bytes);
        }
      }
      for (int k = stored; k < releases; k++) {
        long[] one = new long[3];
        long[] other = new long[3];
        noise.addTo(k, one, Randomness.insecureForTests(8).entropy("k" + k));
        resumed.addTo(k, other, Randomness.insecureForTests(8).entropy("k" + k));
        assertThat(other).isEqualTo(one);
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> resumed.addTo(releases, new long[3], entropy()));
      assertThatIllegalStateException()
          .isThrownBy(() -> resumed.resume(releases, new byte[48]))
          .withMessage("all 5 releases have been made");
    }
  }

  private static CumulativeNoise scaled(int releases) {
    return CumulativeNoise.create(releases, 3, i -> SIGMA * (i + 1));
  }

  /** They are whole steps, then fractions, which the first release rounds. */
  @Test
  void drawsAreStoredEntryByEntry() {
    CumulativeNoise noise = scaled(2);
    long[] first = new long[3];
    noise.addTo(0, first, entropy());
    LongBuffer draws =
        ByteBuffer.wrap(noise.draws(0)).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    for (int i = 0; i < 3; i++) {
      long up = draws.get(3 + i) >>> 63; // half a step and more rounds up
      assertThat(draws.get(i) + up).isEqualTo(first[i]).isNotZero();
    }
  }

  @Test
  void drawsOfOtherTurnsAndLengthsAreRefused() {
    CumulativeNoise noise = scaled(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.draws(0))
        .withMessage(
            "release must be one of the 0 made, and one must be to come. Provided value: 0 of 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.resume(1, new byte[48]))
        .withMessage("release must be in [0, 0]. Provided value: 1");
    for (int length : new int[] {0, 47, 49, 96}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> noise.resume(0, new byte[length]))
          .withMessage("length of draws must be in [48, 48]. Provided value: " + length);
    }
    byte[] huge = new byte[48];
    huge[8 + 7] = 1; // 2^56 steps, in the second entry
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.resume(0, huge))
        .withMessage(
            "draws of release 0 must be those of its noise, and entry 1 is too large for it");
    assertThat(noise.toString()).endsWith("made=0]");
    noise.addTo(0, new long[3], entropy());
    noise.addTo(1, new long[3], entropy());
    for (int gone : new int[] {-1, 0, 1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> noise.draws(gone));
    }
  }

  /** A law fits itself as stored, and those that differ by less than 1e-9. */
  @Test
  void lawsAreCompared() {
    CumulativeLaw law = law(4, 1.0, 1.0, 2.0, 1.0);
    byte[] bytes = law.toBytes();
    assertThat(bytes).hasSize(16 + 12 * 3);
    CumulativeLaw read = CumulativeLaw.fromBytes(bytes);
    assertThat(read.toBytes()).isEqualTo(bytes);
    assertThat(read.toString()).isEqualTo("CumulativeLaw[releases=4, entries=4, runs=3]");
    double near = 1.0 + 5e-10;
    for (CumulativeLaw fits : List.of(law, law(4, near, 1.0, 2.0, 1.0))) {
      assertThat(read.isNear(fits)).isTrue();
      assertThat(fits.isNear(read)).isTrue();
    }
    double far = 1.0 + 2e-9;
    for (CumulativeLaw other :
        List.of(
            law(5, 1.0, 1.0, 2.0, 1.0),
            law(4, 1.0, 1.0, 2.0),
            law(4, 1.0, 1.0, 2.0, 1.0, 1.0),
            law(4, 1.0, 2.0, 1.0, 1.0),
            law(4, 1.0, 1.0, 2.0, far),
            new CumulativeLaw(4, 1.0, 1.0, Double.NaN, 1.0))) {
      assertThat(read.isNear(other)).isFalse();
      assertThat(other.isNear(read)).isFalse();
    }
  }

  private static CumulativeLaw law(int releases, double... sigmas) {
    return CumulativeNoise.create(releases, sigmas.length, i -> SIGMA * sigmas[i]).law();
  }

  @Test
  void otherBytesAreNoLaw() {
    byte[] good = law(4, 1.0, 2.0).toBytes();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CumulativeLaw.fromBytes(new byte[15]))
        .withMessageStartingWith("length of bytes must be in [16, ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CumulativeLaw.fromBytes(Arrays.copyOf(good, 39)))
        .withMessage("length of bytes of a cumulative noise's law must be 40. Provided value: 39");
    for (int at : new int[] {0, 4}) {
      byte[] other = good.clone();
      other[at]++;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CumulativeLaw.fromBytes(other))
          .withMessageStartingWith(
              at == 0 ? "magic of a" : "version of a cumulative noise's law must be 1.");
    }
    byte[] none = good.clone();
    none[16 + 8] = 0;
    byte[] negative = good.clone();
    negative[12 + 3] = -1;
    byte[] many = good.clone();
    Arrays.fill(many, 16 + 8, 16 + 11, (byte) -1);
    many[16 + 11] = 127; // 2^31 - 1 of the first alone
    for (byte[] other : List.of(none, negative, many)) {
      assertThatIllegalArgumentException().isThrownBy(() -> CumulativeLaw.fromBytes(other));
    }
  }

  @Test
  void refusesOtherArguments() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CumulativeNoise.create(0, 1, i -> SIGMA))
        .withMessage("releases must be in [1, 1048576]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CumulativeNoise.create(1, 0, i -> SIGMA))
        .withMessageStartingWith("entries must be in [1, ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CumulativeNoise.create(2, 1, i -> 0x1p40))
        .withMessageStartingWith("sigma must be in [2^10, 2^40] grid steps.");
    CumulativeNoise noise = CumulativeNoise.create(2, 1, i -> SIGMA);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise.noiseFactor(2))
        .withMessage("release must be in [0, 1]. Provided value: 2");
    assertThat(noise.noiseFactor(0)).isCloseTo(Math.sqrt(1.25), within(1e-12));
  }
}
