package io.gauze.mechanism.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.NormCounts;
import org.junit.jupiter.api.Test;

final class ClipChoiceTest {
  private static final int FEATURES = 9;

  private static NormCounts counts(double factor) {
    double[] counts = new double[NormCells.COUNT];
    for (int cell = 0; cell < 14; cell++) {
      counts[cell] = 4000.0 * Math.pow(factor, Math.abs(cell - 4));
    }
    return new NormCounts(counts, 1.0);
  }

  @Test
  void theBoundFallsWithNoiseAndGrowsWithTheTail() {
    double last = Double.POSITIVE_INFINITY;
    for (double deviation : new double[] {1e-5, 1e-3, 0.01, 0.1, 1.0}) {
      ClipChoice choice = ClipChoice.ofGradients(counts(0.5), FEATURES, deviation);
      assertThat(choice.bound()).isLessThanOrEqualTo(last);
      last = choice.bound();
    }
    assertThat(last).isLessThan(1.0);
    assertThat(ClipChoice.ofGradients(counts(0.7), FEATURES, 0.1).bound())
        .isGreaterThan(1.2 * ClipChoice.ofGradients(counts(0.5), FEATURES, 0.1).bound());
  }

  /**
   * Hidden counts are those of normal residuals. Where noise costs 9 (0.1 c)^2 / 7 and shortening
   * 0.12 (2 (phi(c) - c Q(c)))^2, the sum is least where a grid of 0.05 says, too.
   */
  @Test
  void whereNoiseHidesCountsResidualsAreNormal() {
    NormCounts hidden = new NormCounts(new double[NormCells.COUNT], 1.0);
    ClipChoice choice = ClipChoice.ofGradients(hidden, FEATURES, 0.1);
    double least = Double.POSITIVE_INFINITY;
    double best = 0.0;
    for (double c = 0.4; c < 4.0; c += 0.05) {
      double noise = FEATURES * choice.variance() * Math.pow(c / choice.bound(), 2);
      double cost = noise + 0.12 * Math.pow(above(c), 2);
      if (cost < least) {
        least = cost;
        best = c;
      }
    }
    assertThat(choice.bound()).isCloseTo(best, within(0.1));
    assertThat(choice.cut()).isCloseTo(above(choice.bound()), within(1e-3));
  }

  /** The mean of what |r| exceeds c by, by a sum. */
  private static double above(double c) {
    double sum = 0.0;
    double step = 1e-3;
    for (double r = c + 0.5 * step; r < 10.0; r += step) {
      sum += (r - c) * 2.0 * Math.exp(-0.5 * r * r) / Math.sqrt(2.0 * Math.PI) * step;
    }
    return sum;
  }

  /** That of a mean of seven steps. */
  @Test
  void theVarianceIsThatOfTheSteps() {
    NormCounts hidden = new NormCounts(new double[NormCells.COUNT], 1.0);
    ClipChoice choice = ClipChoice.ofGradients(hidden, FEATURES, 0.1);
    assertThat(choice.variance()).isCloseTo(Math.pow(0.1 * choice.bound(), 2) / 7.0, within(1e-12));
  }

  /** Features are shortened less where noise is small; what is kept grows with the bound. */
  @Test
  void featuresAreShortenedLessWhereNoiseIsSmall() {
    double last = Double.POSITIVE_INFINITY;
    double kept = 1.0 + 1e-12;
    for (double deviation : new double[] {1e-5, 1e-3, 0.01, 0.1}) {
      ClipChoice choice = ClipChoice.ofFeatures(counts(0.5), FEATURES, deviation);
      assertThat(choice.bound()).isLessThan(last);
      assertThat(choice.kept()).isLessThanOrEqualTo(kept);
      last = choice.bound();
      kept = choice.kept();
    }
    assertThat(kept).isBetween(0.2, 0.9);
  }

  /** Of hidden features all are taken to be of the norm 1, and none is shortened. */
  @Test
  void hiddenFeaturesAreNotShortened() {
    NormCounts hidden = new NormCounts(new double[NormCells.COUNT], 1.0);
    ClipChoice choice = ClipChoice.ofFeatures(hidden, FEATURES, 0.1);
    assertThat(choice.bound()).isEqualTo(1.0);
    assertThat(choice.kept()).isEqualTo(1.0);
    assertThat(choice.cut()).isZero();
    assertThat(choice.variance()).isCloseTo(0.01 / 7.0, within(1e-15));
  }
}
