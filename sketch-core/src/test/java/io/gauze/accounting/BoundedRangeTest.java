package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BoundedRangeTest {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** The corners of all two-point laws of a range are on or above the Gaussian's curve. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0})
  void twoPointLawsAreHarderToTellApartThanTheGaussians(double range) {
    double mu = BoundedRange.mu(range);
    double largest = 0.0;
    for (double logit = -range - 12.0; logit <= 12.0; logit += 0.01) {
      double p = 1.0 / (1.0 + Math.exp(-logit));
      double q = 1.0 / (1.0 + Math.exp(-logit - range));
      double needed =
          q < 0.5
              ? quantile(q) - quantile(p)
              : -quantile(1.0 / (1.0 + Math.exp(logit + range))) - quantile(p);
      largest = Math.max(largest, needed);
      for (double epsilon : new double[] {0.0, 0.1, 1.0}) {
        double delta = Math.max(0.0, Math.max(q - Math.exp(epsilon) * p, 0.0));
        assertThat(delta).isLessThanOrEqualTo(GaussianDp.delta(epsilon, mu) + 1e-12);
      }
    }
    assertThat(largest).isLessThanOrEqualTo(mu * (1.0 + 1e-9));
    if (range <= 0.1) { // the bound is attained by small ranges
      assertThat(largest).isGreaterThan(0.999 * mu);
    }
  }

  private static double quantile(double p) {
    return NORMAL.inverseCumulativeProbability(p);
  }

  @Test
  void rangesSpendTheirMu() {
    for (double mu : new double[] {1e-6, 0.01, 0.3, 4.0}) {
      double range = BoundedRange.range(mu);
      assertThat(BoundedRange.mu(range)).isBetween(mu * (1.0 - 1e-14), mu);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> BoundedRange.mu(0.0));
    assertThatIllegalArgumentException().isThrownBy(() -> BoundedRange.range(Double.NaN));
  }
}
