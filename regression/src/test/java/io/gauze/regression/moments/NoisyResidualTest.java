package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NoisyResidualTest {
  /** Reference values by bisection in 40 digits, with mpmath's normal distribution. */
  @ParameterizedTest
  @CsvSource({
    "0, 0.67448975019608174, 0.062706777943213784",
    "-1, 0.40960870929345455, 0.033339640680563736",
    "2, 2.0285169265909175, 0.53611455428606874",
    "5, 5.0000003592644675, 3.3551490134393849",
    "-20, 0.03454167651402209, 0.0025581377604524953"
  })
  void quantilesAreThoseOfANormalLawCutOffAtZero(double noisy, double median, double low) {
    NoisyResidual one = new NoisyResidual(noisy, 1.0);
    assertThat(one.median()).isCloseTo(median, within(1e-12));
    assertThat(one.low()).isCloseTo(low, within(1e-12));
    NoisyResidual three = new NoisyResidual(3.0 * noisy, 3.0);
    assertThat(three.median()).isCloseTo(3.0 * median, within(3e-12));
    assertThat(three.low()).isCloseTo(3.0 * low, within(3e-12));
  }

  @Test
  void withoutNoiseTheResidualIsTheReleasedOne() {
    NoisyResidual exact = new NoisyResidual(2.5, 0.0);
    assertThat(exact.isKnown()).isTrue();
    assertThat(exact.median()).isEqualTo(2.5);
  }

  @Test
  void farBelowZeroItIsSmallAndPositive() {
    assertThat(new NoisyResidual(-1e9, 1.0).median()).isBetween(0.0, 0.03).isPositive();
    assertThat(new NoisyResidual(-1e9, 1.0).upper()).isEqualTo(1.0);
  }

  @Test
  void itIsHiddenUpToThreeDeviations() {
    assertThat(new NoisyResidual(-1.0, 1.0).isHidden()).isTrue();
    assertThat(new NoisyResidual(3.0, 1.0).isHidden()).isTrue();
    assertThat(new NoisyResidual(3.5, 1.0).isHidden()).isFalse();
    assertThat(new NoisyResidual(1.0, 0.0).isHidden()).isFalse();
  }

  @Test
  void fiveDeviationsAreKnown() {
    assertThat(new NoisyResidual(5.0, 1.0).isKnown()).isTrue();
    assertThat(new NoisyResidual(4.9, 1.0).isKnown()).isFalse();
  }
}
