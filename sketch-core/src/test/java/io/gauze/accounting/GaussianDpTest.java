package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ReferenceData;
import io.gauze.testing.Alpha;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GaussianDpTest {
  /** Relative, as promised; and never less noise than the exact answer. */
  private static void assertSafeAndClose(double sigma, double exact) {
    assertThat(sigma / exact - 1.0).isBetween(0.0, 1e-9);
  }

  @Test
  void agreesWithTheReferenceAnswers() throws IOException {
    Path file = ReferenceData.folder().resolve("oracles/privacy.json");
    JsonNode entries = new ObjectMapper().readTree(file.toFile()).get("gaussian");
    assertThat(entries).isNotEmpty();
    for (JsonNode entry : entries) {
      double epsilon = entry.get("eps").asDouble();
      double delta = entry.get("delta").asDouble();
      double exact = entry.get("sigma_analytic").asDouble();
      // The reference is printed to 17 digits, so half a unit of the last may be missing.
      assertThat(GaussianDp.sigma(epsilon, delta, 1.0) / exact - 1.0).isBetween(-1e-15, 1e-9);
      double classic = entry.get("sigma_classical").asDouble();
      double there = entry.get("delta_at_sigma_classical").asDouble();
      assertThat(GaussianDp.delta(epsilon, 1.0 / classic) / there).isCloseTo(1.0, within(1e-9));
      assertThat(GaussianDp.classicSigma(epsilon, delta, 2.0) / (2.0 * classic))
          .isCloseTo(1.0, within(1e-14));
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "gaussian-sigma.csv")
  void agreesWithManyDigits(double epsilon, double delta, double exact) {
    assertSafeAndClose(GaussianDp.sigma(epsilon, delta, 1.0), exact);
    assertSafeAndClose(GaussianDp.sigma(epsilon, delta, 8.0) / 8.0, exact);
    assertThat(GaussianDp.delta(epsilon, 1.0 / exact) / delta).isCloseTo(1.0, within(1e-9));
  }

  /** The constants that the documents quote, at delta 1e-6. */
  @ParameterizedTest
  @CsvSource({"0.1, 36.305", "0.5, 8.0576", "1, 4.2247", "2, 2.2305", "5, 0.98005"})
  void givesTheQuotedConstants(double epsilon, double quoted) {
    assertThat(GaussianDp.sigma(epsilon, 1e-6, 1.0) / quoted).isCloseTo(1.0, within(2e-5));
  }

  @Test
  void isMonotoneAndNeverAboveTheBudget() {
    double[] epsilons = {1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 50, 100};
    double[] deltas = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1};
    for (int i = 0; i < epsilons.length; i++) {
      for (int j = 0; j < deltas.length; j++) {
        double mu = GaussianDp.mu(epsilons[i], deltas[j]);
        assertThat(GaussianDp.delta(epsilons[i], mu)).isLessThanOrEqualTo(deltas[j]);
        assertThat(GaussianDp.delta(epsilons[i], 1.001 * mu)).isGreaterThan(deltas[j]);
        if (i > 0) {
          assertThat(mu).isGreaterThan(GaussianDp.mu(epsilons[i - 1], deltas[j]));
        }
        if (j > 0) {
          assertThat(mu).isGreaterThan(GaussianDp.mu(epsilons[i], deltas[j - 1]));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.1, 1, 3})
  void deltaFallsWithEpsilonFromTheTotalVariation(double mu) {
    double previous = GaussianDp.delta(0.0, mu);
    // At epsilon 0 it is the total variation distance, 2 Phi(mu/2) - 1.
    double exact = 2.0 * NormalDistribution.of(0, 1).cumulativeProbability(mu / 2) - 1.0;
    assertThat(previous).isCloseTo(exact, within(1e-14));
    for (double epsilon = 0.05; epsilon < 20; epsilon += 0.05) {
      double delta = GaussianDp.delta(epsilon, mu);
      assertThat(delta).isBetween(0.0, previous);
      previous = delta;
    }
  }

  /**
   * delta = E (1 - exp(epsilon - L))+ of the privacy loss L ~ N(mu^2/2, mu^2). z-tests of five
   * means over 1e6 draws; together they fail with chance 1e-6. A mu that is off by 2 % is noticed.
   */
  @ParameterizedTest
  @CsvSource({"0.1, 0.5", "0.3, 0.2", "1, 1", "2, 1.5", "5, 3"})
  void agreesWithTheSimulatedPrivacyLoss(double epsilon, double mu) {
    assertThat(Math.abs(zOfSimulatedDelta(epsilon, mu, mu))).isLessThan(Alpha.z(5));
    assertThat(Math.abs(zOfSimulatedDelta(epsilon, mu, 1.02 * mu))).isGreaterThan(Alpha.z(5));
  }

  private static double zOfSimulatedDelta(double epsilon, double mu, double simulated) {
    int draws = 1_000_000;
    SplittableRandom random = new SplittableRandom(20260101);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < draws; i++) {
      double loss = simulated * (simulated / 2 + random.nextGaussian());
      double excess = Math.max(0.0, -Math.expm1(epsilon - loss));
      sum += excess;
      squares += excess * excess;
    }
    double mean = sum / draws;
    double variance = squares / draws - mean * mean;
    return (mean - GaussianDp.delta(epsilon, mu)) / Math.sqrt(variance / draws);
  }

  @Test
  void theClassicScaleIsLargerAndFailsForLargeEpsilon() {
    for (double epsilon = 0.05; epsilon <= 1.0; epsilon += 0.05) {
      for (double delta : new double[] {1e-12, 1e-6, 1e-2}) {
        assertThat(GaussianDp.classicSigma(epsilon, delta, 1.0))
            .isGreaterThan(GaussianDp.sigma(epsilon, delta, 1.0));
      }
    }
    double classic = GaussianDp.classicSigma(20.0, 1e-6, 1.0);
    assertThat(GaussianDp.delta(20.0, 1.0 / classic)).isGreaterThan(1e-6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.classicSigma(0.0, 1e-6, 1.0))
        .withMessage("epsilon must be in (0, 100.0]. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.classicSigma(1.0, 0.5, 1.0))
        .withMessage("delta must be in (0, 0.1]. Provided value: 0.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.classicSigma(1.0, 0.01, 0.0))
        .withMessage("sensitivity must be > 0 and finite. Provided value: 0.0");
  }

  @Test
  void partsComposeToTheWhole() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n = 1; n <= 20; n++) {
      double mu = Math.exp(random.nextDouble(-8, 3));
      double[] weights = DoubleStream.generate(() -> random.nextDouble(0.01, 9)).limit(n).toArray();
      double[] parts = GaussianDp.split(mu, weights);
      assertThat(GaussianDp.compose(parts)).isBetween(mu * (1 - 1e-14), mu);
      double sum = DoubleStream.of(weights).sum();
      for (int i = 0; i < n; i++) {
        assertThat(parts[i] * parts[i] * sum / (mu * mu * weights[i]))
            .isCloseTo(1.0, within(1e-13));
      }
    }
    assertThat(GaussianDp.compose(3.0, 4.0)).isEqualTo(5.0);
    assertThat(GaussianDp.compose()).isZero();
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.mu(0.0, 1e-6))
        .withMessage("epsilon must be in (0, 100.0]. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.mu(1.0, Double.NaN))
        .withMessage("delta must be in (0, 0.1]. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.sigma(1.0, 1e-6, -1.0))
        .withMessage("sensitivity must be > 0 and finite. Provided value: -1.0");
    assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.delta(-1.0, 1.0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.delta(1.0, Double.POSITIVE_INFINITY));
    assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.compose(1.0, -1.0));
    assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.split(1.0, 1.0, 0.0));
    assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.split(1.0));
  }
}
