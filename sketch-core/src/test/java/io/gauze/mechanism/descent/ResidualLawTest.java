package io.gauze.mechanism.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts of residuals say, beside the law that they are of. */
final class ResidualLawTest {
  private static final int ROWS = 200_000;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  private static double[] counts(double mean, double deviation) {
    double[] counts = new double[ResidualCells.COUNT];
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < ROWS; i++) {
      counts[ResidualCells.of(mean + deviation * random.nextGaussian())]++;
    }
    return counts;
  }

  private static ResidualLaw normal(double mean, double deviation) {
    return ResidualLaw.of(counts(mean, deviation), 1.0, ROWS);
  }

  /** Cells are half-open, rising and without a gap; the last one has what is no number. */
  @Test
  void cellsDivideTheLine() {
    for (int cell = 0; cell < ResidualCells.COUNT; cell++) {
      double lower = ResidualCells.lower(cell);
      assertThat(lower).isLessThan(ResidualCells.upper(cell));
      assertThat(ResidualCells.of(lower)).isEqualTo(cell);
      assertThat(ResidualCells.of(Math.nextDown(ResidualCells.upper(cell)))).isEqualTo(cell);
    }
    assertThat(ResidualCells.of(-1e300)).isZero();
    assertThat(ResidualCells.of(1e300)).isEqualTo(ResidualCells.COUNT - 1);
    assertThat(ResidualCells.of(Double.NaN)).isEqualTo(ResidualCells.COUNT - 1);
    assertThat(ResidualCells.upper(ResidualCells.COUNT / 2 - 1)).isZero();
    assertThat(ResidualCells.upper(ResidualCells.COUNT / 2)).isEqualTo(0.0625);
  }

  /** Cells are up to 0.4 of a value wide, and normal residuals in one are not spread evenly. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9})
  void centresAreQuantiles(double quantile) {
    RoundLoss loss = new RoundLoss(quantile, 0.05);
    double expected = 0.3 + 0.8 * NORMAL.inverseCumulativeProbability(quantile);
    assertThat(normal(0.3, 0.8).centre(loss)).isCloseTo(expected, within(0.06));
  }

  /** Twice the density, and the mean loss 2 s phi(z) of the best constant. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.9})
  void curvatureAndLossAreThoseOfTheLaw(double quantile) {
    RoundLoss loss = new RoundLoss(quantile, 0.05);
    ResidualLaw law = normal(0.0, 1.0);
    double centre = law.centre(loss);
    double density = NORMAL.density(NORMAL.inverseCumulativeProbability(quantile));
    assertThat(law.curvature(loss, centre) / (2.0 * density)).isBetween(0.8, 1.25);
    assertThat(law.loss(loss, centre) / (2.0 * density)).isBetween(0.9, 1.1);
    assertThat(law.spread()).isCloseTo(0.6745, within(0.02));
  }

  /** Where noise hides most rows, they are normal of deviation 1, whatever is counted. */
  @Test
  void hiddenResidualsAreNormal() {
    double[] few = new double[ResidualCells.COUNT];
    few[ResidualCells.COUNT - 2] = 30.0;
    ResidualLaw law = ResidualLaw.of(few, 5.0, 1_000.0);
    assertThat(law.centre(new RoundLoss(0.5, 0.1))).isCloseTo(0.0, within(1e-9));
    assertThat(law.spread()).isCloseTo(0.6745, within(0.02));
  }

  /** Noise makes the curvature larger and the least loss smaller: the safe side of both. */
  @Test
  void whatNoiseHidesIsTakenFromTheSafeSide() {
    RoundLoss loss = new RoundLoss(0.5, 0.2);
    ResidualLaw clear = normal(0.0, 1.0);
    ResidualLaw noisy = ResidualLaw.of(counts(0.0, 1.0), 1_000.0, ROWS);
    assertThat(noisy.curvature(loss, 0.0)).isGreaterThan(1.05 * clear.curvature(loss, 0.0));
    assertThat(noisy.leastLoss(loss, 0.0)).isLessThan(0.98 * clear.leastLoss(loss, 0.0));
    assertThat(noisy.loss(loss, 0.0)).isCloseTo(clear.loss(loss, 0.0), within(1e-12));
  }

  /** Slopes are derivatives of the loss, and at most as large as they say. */
  @Test
  void slopesAreThoseOfTheLoss() {
    RoundLoss loss = new RoundLoss(0.8, 0.5);
    double step = 1e-6;
    for (double r = -2.05; r < 2.0; r += 0.1) {
      double slope = (loss.of(r + step) - loss.of(r - step)) / (2.0 * step);
      assertThat(slope).isCloseTo(loss.slope(r), within(1e-5));
      assertThat(Math.abs(slope)).isLessThan(loss.largestSlope() + 1e-6);
    }
    assertThat(loss.largestSlope()).isCloseTo(1.6, within(1e-12));
    assertThat(loss.meanSlope()).isCloseTo(0.8 * 0.4 + 0.2 * 1.6, within(1e-12));
  }
}
