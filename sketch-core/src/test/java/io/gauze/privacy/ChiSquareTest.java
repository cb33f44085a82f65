package io.gauze.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

  /** A normal number of 0 would be a singular matrix: it is drawn again. */
  @Test
  void oneDegreeIsAboveZero() {
    // Each sample takes strip, place, cell and acceptance: these give 0, then 2^38 / 2^40.
    long place = (1L << 62) + (1L << 20);
    long[] words = {1L << 20, 1L << 20, 0L, 0L, 1L << 20, 2 * place, 0L, 0L};
    int[] next = {0};
    double sample = ChiSquare.of(1).sample(() -> words[next[0]++]);
    assertThat(next[0]).isEqualTo(words.length);
    assertThat(sample).isGreaterThan(0.0);
  }

  @Test
  void noNoiseIsZero() {
    Entropy free = Randomness.noiseFreeForTests(1).entropy("noise");
    assertThat(ChiSquare.of(5).sample(free)).isZero();
    assertThat(StandardNormal.sample(free)).isZero();
  }

  /** 1e6 draws of the normal law, all on its grid; a scale off by 5 % is rejected. */
  @Test
  void standardNormalFits() {
    NormalDistribution law = NormalDistribution.of(0, 1);
    Entropy entropy = entropy("normal");
    double[] samples = new double[GoodnessOfFit.DRAWS];
    double[] wrong = new double[samples.length];
    boolean onGrid = true;
    for (int i = 0; i < samples.length; i++) {
      samples[i] = StandardNormal.sample(entropy);
      wrong[i] = 1.05 * samples[i];
      onGrid &= samples[i] / StandardNormal.STEP == Math.rint(samples[i] / StandardNormal.STEP);
    }
    assertThat(onGrid).isTrue();
    GoodnessOfFit.fits(GoodnessOfFit.statistic(law, samples));
    GoodnessOfFit.isRejected(GoodnessOfFit.statistic(law, wrong));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 24) + 1})
  void refusesOtherDegrees(int degrees) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChiSquare.of(degrees))
        .withMessage("degrees must be in [1, 16777216]. Provided value: " + degrees);
  }

  @Test
  void showsItsDegrees() {
    assertThat(ChiSquare.of(3).toString()).isEqualTo("ChiSquare[degrees=3]");
    assertThat(ChiSquare.of(3).degrees()).isEqualTo(3);
  }
}
