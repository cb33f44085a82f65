package io.gauze.regression.twostage;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.regression.AssumedDataModel;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExpectedTransformedTest {
  private static final int FEATURES = 10;

  private static double excess(double rows, double noise, double square) {
    TransformedMoments payload =
        new TransformedMoments(
            FEATURES + 2,
            FEATURES + 1,
            List.of(30.0 * noise, 3.0 * noise),
            8.0 * noise,
            List.of(1.4 * noise, 1.5 * noise, 2.0 * noise));
    return new ExpectedTransformed(payload, new AssumedDataModel(FEATURES, rows, 0.5, square, 0.5))
        .excess();
  }

  @Test
  void itFallsWithRowsAndGrowsWithNoise() {
    double usual = excess(10_000, 1.0, 0.1);
    assertThat(usual).isBetween(0.0, 0.05);
    assertThat(excess(10_000, 1.0, 0.1)).isEqualTo(usual);
    assertThat(excess(100_000, 1.0, 0.1)).isLessThan(usual);
    assertThat(excess(10_000, 10.0, 0.1)).isGreaterThan(usual);
  }

  /** Columns that fill a hundredth of their range cost hardly more than those that fill it. */
  @Test
  void wideRangesCostLittle() {
    assertThat(excess(1_000_000, 1.0, 0.001)).isLessThan(3.0 * excess(1_000_000, 1.0, 0.1) + 1e-4);
  }

  @Test
  void itIsNeverAboveThatOfKnowingNothing() {
    double ignorance = new AssumedDataModel(FEATURES, 10, 0.5, 0.1, 0.5).ignorance();
    assertThat(excess(10, 100.0, 0.1)).isBetween(0.2 * ignorance, ignorance);
  }
}
