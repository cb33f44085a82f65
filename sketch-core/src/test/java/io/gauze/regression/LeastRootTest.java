package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeastRootTest {
  /** Quantiles that an adaptive quadrature of the density gives (QUADPACK). */
  @ParameterizedTest
  @CsvSource({
    "0.5, 1, 0.1332719447797604",
    "0.5, 4, 0.3187977160371104",
    "0.5, 35, 0.44164755510403503",
    "0.5, 10000, 0.45489092616699434",
    "0.95, 1, 0.7245599389965399",
    "0.95, 4, 2.26659061233266",
    "0.95, 35, 3.723391951846316",
    "0.95, 10000, 3.841074581793606",
    "0.9999, 1, 0.9950868367162264",
    "0.9999, 4, 3.9560016370793263",
    "0.9999, 35, 14.562495324609573",
    "0.9999, 10000, 15.135190333600907"
  })
  void tailsAreThoseOfTheDensity(double level, double second, double quantile) {
    assertThat(LeastRoot.beyond(quantile, second)).isCloseTo(1.0 - level, within(1e-10));
  }

  @Test
  void allOfTheLawIsBetweenZeroAndTheSecondRoot() {
    assertThat(LeastRoot.beyond(0.0, 7.0)).isEqualTo(1.0);
    assertThat(LeastRoot.beyond(7.0, 7.0)).isEqualTo(0.0);
  }

  /** The root of chi-square is the size of a normal variable. */
  @ParameterizedTest
  @CsvSource({"0", "0.3", "1", "4", "30", "900", "5000"})
  void distanceIsTheRootBesideAnInfiniteOne(double least) {
    assertThat(LeastRoot.distance(least, Double.POSITIVE_INFINITY)).isEqualTo(Math.sqrt(least));
    assertThat(LeastRoot.distance(least, 1e7)).isCloseTo(Math.sqrt(least), within(0.01));
  }

  @Test
  void distanceHasTheTailOfTheLeastRoot() {
    assertThat(LeastRoot.distance(3.723391951846316, 35.0))
        .isCloseTo(1.959963984540054, Percentage.withPercentage(1e-7));
  }

  /** Beside a smaller second root a large one is less likely. */
  @Test
  void distanceRisesWithTheLeastRootAndFallsWithTheSecond() {
    double before = 0.0;
    for (double least = 0.05; least < 8.0; least += 0.05) {
      double distance = LeastRoot.distance(least, 8.0);
      assertThat(distance).isGreaterThan(before);
      assertThat(distance).isGreaterThan(LeastRoot.distance(least, 9.0));
      before = distance;
    }
  }
}
