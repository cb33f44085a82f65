package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.testing.Alpha;
import io.gauze.testing.Effort;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The noise against other software and its law, and what one row changes. */
final class ResidualStatisticsTest {
  private static final Entropy EXACT = Randomness.noiseFreeForTests(0).entropy("statistics");
  private static final int FEATURES = 3;
  private static final double BOUND = 1.25;

  private static ResidualStatisticsSpec spec(Neighbours neighbours) {
    return new ResidualStatisticsSpec(FEATURES, BOUND, 0.5, neighbours);
  }

  /** The reference searches rows for the largest change of all statistics together. */
  @ParameterizedTest
  @CsvFileSource(resources = "residual-noise.csv")
  void theNoiseIsThatOfOtherSoftware(
      Neighbours neighbours,
      int features,
      double bound,
      double mu,
      double counts,
      double gradient,
      double hessian) {
    ResidualNoise noise = new ResidualStatisticsSpec(features, bound, mu, neighbours).noise();
    assertThat(noise.counts() / counts).isBetween(1.0 - 1e-12, 1.0 + 1e-8);
    assertThat(noise.gradient() / gradient).isBetween(1.0 - 1e-12, 1.0 + 1e-8);
    assertThat(noise.hessian() / hessian).isBetween(1.0 - 1e-12, 1.0 + 1e-8);
  }

  /** A row, and the public model at which it is seen. */
  private static final class Seen {
    private final double[] features;
    private final double response;

    Seen(double[] features, double response) {
      this.features = features;
      this.response = response;
    }

    long[] statistics(ResidualStatisticsSpec spec, DoubleVector centre, double threshold) {
      ResidualStatistics statistics = ResidualStatistics.create(spec, centre, threshold, EXACT);
      statistics.add(features, response);
      return statistics.numbers();
    }
  }

  private static Seen row(SplittableRandom random) {
    double[] features = new double[FEATURES];
    double length = random.nextInt(4) == 0 ? random.nextDouble() : 2.0;
    for (int k = 0; k < FEATURES; k++) {
      features[k] = length * random.nextGaussian();
    }
    return new Seen(features, StrictMath.exp(3.0 * random.nextGaussian()) * random.nextGaussian());
  }

  private static double mu(double[] sigmas, long[] first, long[] second) {
    double sum = 0.0;
    for (int k = 0; k < sigmas.length; k++) {
      double apart = (first[k] - second[k]) / sigmas[k];
      sum += apart * apart;
    }
    return Math.sqrt(sum);
  }

  /**
   * Rows at random, at random models: no pair is further apart than mu, in one cell or in two. With
   * half of the gradient's noise some pairs are.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void noRowChangesMoreThanMu(Neighbours neighbours) {
    ResidualStatisticsSpec spec = spec(neighbours);
    double[] sigmas = spec.sigmas();
    double[] broken = sigmas.clone();
    for (int k = 0; k < FEATURES; k++) {
      broken[ResidualStatistics.BINS + k] *= 0.5;
    }
    long[] none = new long[spec.entries()];
    SplittableRandom random = new SplittableRandom(11);
    double largest = 0.0;
    double largestOfBroken = 0.0;
    for (int i = 0; i < Effort.of(20_000, 400_000); i++) {
      DoubleVector centre = DoubleVector.generate(FEATURES, k -> random.nextGaussian());
      double threshold = 1e-3 + random.nextDouble();
      long[] first = row(random).statistics(spec, centre, threshold);
      long[] second = row(random).statistics(spec, centre, threshold);
      double removed = mu(sigmas, first, none);
      if (neighbours == Neighbours.ADD_REMOVE) {
        largest = Math.max(largest, removed);
        largestOfBroken = Math.max(largestOfBroken, mu(broken, first, none));
      } else {
        largest = Math.max(largest, Math.hypot(removed, mu(sigmas, second, none)));
        largest = Math.max(largest, mu(sigmas, first, second));
        largestOfBroken = Math.max(largestOfBroken, mu(broken, first, second));
      }
    }
    assertThat(largest).isBetween(0.8 * spec.mu(), spec.mu());
    assertThat(largestOfBroken).isGreaterThan(1.1 * spec.mu());
  }

  /** An added row at the threshold, and a replaced one that turns round, reach mu. */
  @Test
  void theBoundsAreReached() {
    for (int features : new int[] {1, 8}) {
      double[] long1 = new double[features];
      long1[0] = 1.0;
      DoubleVector zero = DoubleVector.generate(features, k -> 0.0);
      Seen near = new Seen(long1, 1.0);
      Seen far = new Seen(long1, -256.0);
      for (Neighbours neighbours : Neighbours.values()) {
        ResidualStatisticsSpec spec = new ResidualStatisticsSpec(features, 1.0, 0.3, neighbours);
        long[] first = near.statistics(spec, zero, 1.0);
        long[] second =
            neighbours == Neighbours.ADD_REMOVE
                ? new long[spec.entries()]
                : far.statistics(spec, zero, 1.0);
        assertThat(mu(spec.sigmas(), first, second)).isBetween(0.995 * 0.3, 0.3);
      }
    }
  }

  /**
   * Squares of the noise over those of their deviations, of 4,000 statistics: 136,000 counts, and
   * 12,000 entries of the gradient, on the diagonal and off it. Under the null each mean is normal
   * around 1 with deviation sqrt(2 / n). Deviations that are a tenth too small move the least z by
   * 14.
   */
  @Test
  void noiseHasItsLawFromTheBeginning() {
    assertThat(worst(1.0)).isLessThan(Alpha.z(4));
    assertThat(worst(0.9)).isGreaterThan(Alpha.z(4) + 5.0);
  }

  private static double worst(double share) {
    ResidualStatisticsSpec spec = spec(Neighbours.REPLACE_ONE);
    double[] sigmas = spec.sigmas();
    DoubleVector zero = DoubleVector.generate(FEATURES, k -> 0.0);
    Entropy entropy = Randomness.insecureForTests(8).entropy("noise");
    int runs = 4_000;
    double[] squares = new double[sigmas.length];
    for (int run = 0; run < runs; run++) {
      long[] numbers = ResidualStatistics.create(spec, zero, 1.0, entropy).numbers();
      for (int k = 0; k < numbers.length; k++) {
        double scaled = share * numbers[k] / sigmas[k];
        squares[k] += scaled * scaled;
      }
    }
    double worst = 0.0;
    int at = ResidualStatistics.BINS;
    List<int[]> parts =
        List.of(
            IntStream.range(0, at).toArray(),
            new int[] {at, at + 1, at + 2},
            new int[] {at + 3, at + 6, at + 8},
            new int[] {at + 4, at + 5, at + 7});
    for (int[] part : parts) {
      double sum = 0.0;
      for (int k : part) {
        sum += squares[k];
      }
      double n = (double) runs * part.length;
      worst = Math.max(worst, Math.abs(sum / n - 1.0) / Math.sqrt(2.0 / n));
    }
    return worst;
  }

  @Test
  void theHessianHasHalfOfTheVarianceOffItsDiagonal() {
    double[] sigmas = spec(Neighbours.ADD_REMOVE).sigmas();
    int at = ResidualStatistics.BINS + FEATURES;
    assertThat(sigmas[at + 1]).isCloseTo(sigmas[at] * Math.sqrt(0.5), within(1e-9 * sigmas[at]));
    assertThat(sigmas[at + 3]).isEqualTo(sigmas[at]);
    assertThat(sigmas[at + 4]).isEqualTo(sigmas[at + 1]);
    assertThat(sigmas[at + 5]).isEqualTo(sigmas[at]);
  }

  @Test
  void badRowsAndNumbersAreRefusedWithoutTheirValues() {
    ResidualStatisticsSpec spec = spec(Neighbours.ADD_REMOVE);
    DoubleVector zero = DoubleVector.generate(FEATURES, k -> 0.0);
    ResidualStatistics statistics = ResidualStatistics.create(spec, zero, 1.0, EXACT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> statistics.add(new double[] {7.25, 0, 0}, Double.NaN))
        .withMessage("response must be finite, in the encoded scale");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> statistics.add(new double[] {7.25}, 1.0))
        .withMessageNotContaining("7.25");
    assertThat(statistics.numbers()).containsOnly(0L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResidualStatisticsSpec(65, 1.0, 0.5, Neighbours.ADD_REMOVE))
        .withMessageContaining("Provided value: 65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResidualStatisticsSpec(3, 1.0, 0.001, Neighbours.ADD_REMOVE))
        .withMessageContaining("mu");
  }
}
