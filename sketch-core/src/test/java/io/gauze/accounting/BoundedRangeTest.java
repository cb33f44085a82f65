package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /**
   * Draws one after the other, whose two-point laws somebody chooses who has seen the draws before,
   * and then Gaussian noise, are no easier to tell apart than the Gaussian of all of mu. Ranges
   * that concentrated DP of r^2 / 8 would allow, taken for Gaussians, break that.
   */
  @ParameterizedTest
  @CsvSource({"0.2, 1, 0.4", "1, 1, 0.4", "1, 5, 0.4", "1, 4, 0.999", "3, 3, 0.4"})
  void drawsOfAnAdversaryComposeAsGaussiansDo(double mu, int draws, double part) {
    double each = mu * Math.sqrt(part / draws);
    double left = mu * Math.sqrt(1.0 - part);
    double broken = 0.0;
    for (double epsilon : new double[] {0.0, 0.5 * mu, mu, 2.0 * mu, 4.0 * mu}) {
      double claim = GaussianDp.delta(epsilon, mu);
      double worst = adversary(BoundedRange.range(each), draws, left, epsilon);
      assertThat(worst).as("at epsilon %s", epsilon).isBetween(0.0, claim);
      double twice = adversary(2.0 * BoundedRange.range(each), draws, left, epsilon);
      broken = Math.max(broken, twice / claim);
    }
    assertThat(broken).isGreaterThan(1.05);
  }

  // By recursion over draws: the largest delta that is left, for each loss so far. It is convex in
  // the loss, so that linear interpolation makes it no smaller.
  private static double adversary(double range, int draws, double mu, double epsilon) {
    double step = range / 20.0;
    int most = 20 * (draws + 4);
    double[] delta = new double[2 * most + 1];
    for (int i = 0; i < delta.length; i++) {
      delta[i] = gaussian(epsilon - (i - most) * step, mu);
    }
    for (int draw = 0; draw < draws; draw++) {
      double[] before = delta.clone();
      for (double logit = -12.0; logit <= 12.0; logit += 0.1) {
        double p = 1.0 / (1.0 + Math.exp(-logit));
        double q = 1.0 / (1.0 + Math.exp(-logit - range));
        double other = Math.log1p(-q) - Math.log1p(-p);
        for (int i = 0; i < delta.length; i++) {
          double drawn = q * at(before, i + (other + range) / step);
          delta[i] = Math.max(delta[i], drawn + (1.0 - q) * at(before, i + other / step));
        }
      }
    }
    return delta[most];
  }

  private static double gaussian(double epsilon, double mu) {
    // delta(-e) = 1 - exp(-e) + exp(-e) delta(e)
    return epsilon >= 0.0
        ? GaussianDp.delta(epsilon, mu)
        : 1.0 + Math.exp(epsilon) * (GaussianDp.delta(-epsilon, mu) - 1.0);
  }

  private static double at(double[] values, double index) {
    int below = (int) Math.max(0, Math.min(values.length - 2, Math.floor(index)));
    double part = Math.max(0.0, Math.min(1.0, index - below));
    return (1.0 - part) * values[below] + part * values[below + 1];
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
