package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.testing.Effort;
import io.gauze.testing.GoodnessOfFit;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SphericalLaplaceTest {
  private static final double SCALE = 0.7;

  /** 1e6 draws: radii, cosines of the first and the last entry, first entries. */
  private static final class Draws {
    private final double[] radii = new double[GoodnessOfFit.DRAWS];
    private final double[] first = new double[GoodnessOfFit.DRAWS];
    private final double[] last = new double[GoodnessOfFit.DRAWS];
    private final double[] entries = new double[GoodnessOfFit.DRAWS];

    static Draws of(int dimension) {
      SphericalLaplace sampler = SphericalLaplace.of(dimension, SCALE);
      Entropy entropy = Randomness.insecureForTests(51).entropy("sphere");
      Draws draws = new Draws();
      for (int i = 0; i < GoodnessOfFit.DRAWS; i++) {
        double[] b = sampler.sample(entropy);
        draws.radii[i] = norm(b);
        draws.entries[i] = b[0];
        draws.first[i] = 0.5 * (1.0 + b[0] / draws.radii[i]);
        draws.last[i] = 0.5 * (1.0 + b[dimension - 1] / draws.radii[i]);
      }
      return draws;
    }
  }

  private static double norm(double... vector) {
    double square = 0.0;
    for (double entry : vector) {
      square += entry * entry;
    }
    return Math.sqrt(square);
  }

  /**
   * Radii have law Gamma(p), and half of 1 + an entry of the direction has law Beta((p-1)/2,
   * (p-1)/2); level 1e-6 each. A scale off by 5 %, and laws of another dimension, are rejected.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7})
  void radiiAndDirectionsHaveTheirLaws(int dimension) {
    Effort.skipIfLong(dimension != 3);
    Draws draws = Draws.of(dimension);
    fits(GammaDistribution.of(dimension, SCALE), draws.radii);
    isRejected(GammaDistribution.of(dimension, 1.05 * SCALE), draws.radii);
    isRejected(GammaDistribution.of(dimension + 1.0, SCALE), draws.radii);
    double shape = 0.5 * (dimension - 1);
    fits(BetaDistribution.of(shape, shape), draws.first);
    fits(BetaDistribution.of(shape, shape), draws.last);
    isRejected(BetaDistribution.of(shape + 0.5, shape + 0.5), draws.last);
    if (dimension == 3) {
      // an entry is t = |x| / s with P(size > t) = (1 + t / 2) exp(-t): radius and direction are
      // independent
      double[] uniform =
          Arrays.stream(draws.entries)
              .map(x -> Math.abs(x) / SCALE)
              .map(t -> (1.0 + 0.5 * t) * Math.exp(-t))
              .toArray();
      fits(BetaDistribution.of(1.0, 1.0), uniform);
    }
  }

  /** In one dimension it is the Laplace law, signs included. */
  @Test
  void oneDimensionIsLaplace() {
    Draws draws = Draws.of(1);
    fits(LaplaceDistribution.of(0.0, SCALE), draws.entries);
    isRejected(LaplaceDistribution.of(0.0, 1.05 * SCALE), draws.entries);
  }

  private static void fits(ContinuousDistribution law, double... samples) {
    GoodnessOfFit.fits(GoodnessOfFit.statistic(law, samples));
  }

  private static void isRejected(ContinuousDistribution law, double... samples) {
    GoodnessOfFit.isRejected(GoodnessOfFit.statistic(law, samples));
  }

  @Test
  void boundsHoldAndAreSmall() {
    for (int dimension : new int[] {1, 9, 4096}) {
      SphericalLaplace sampler = SphericalLaplace.of(dimension, SCALE);
      assertThat(sampler.largest()).isGreaterThan(dimension * SCALE);
      assertThat(sampler.error() / sampler.largest()).isBetween(0.0, 0x1p-41);
      Entropy entropy = Randomness.insecureForTests(52).entropy("bounds");
      for (int i = 0; i < 100; i++) {
        assertThat(norm(sampler.sample(entropy))).isBetween(1e-9, sampler.largest());
      }
    }
  }

  @Test
  void noNoiseIsZero() {
    Entropy free = Randomness.noiseFreeForTests(1).entropy("noise");
    assertThat(SphericalLaplace.of(3, 1.0).sample(free)).containsOnly(0.0);
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SphericalLaplace.of(0, 1.0))
        .withMessage("dimension must be in [1, 4096]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SphericalLaplace.of(1, 0.0))
        .withMessage("scale must be > 0 and finite. Provided value: 0.0");
    assertThat(SphericalLaplace.of(2, 1.0)).hasToString("SphericalLaplace[dimension=2, scale=1.0]");
  }
}
