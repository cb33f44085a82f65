package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Losses of very different, or of very small, size. */
final class CompositionScalesTest {
  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-12, 1e-9, 1e-6, 1e-5, 1e-4})
  void aTinyMechanismAddsLittleToALargeOne(double tiny) {
    for (double mu : new double[] {0.1, 1.0, 10.0}) {
      double epsilon = mu * (4.0 + 0.5 * mu);
      double alone = GaussianDp.delta(epsilon, mu);
      double both = delta(epsilon, new MechanismCost.Gaussian(mu), new MechanismCost.Laplace(tiny));
      // The loss is within tiny of that of the Gaussian.
      double most = GaussianDp.delta(epsilon - tiny, mu);
      assertThat(both).isBetween(alone, most * 1.001);
      double failing =
          delta(epsilon, new MechanismCost.Gaussian(mu), new MechanismCost.Approximate(0.0, 1e-7));
      assertThat(failing / (1e-7 + (1.0 - 1e-7) * alone)).isBetween(1.0, 1.001);
    }
  }

  private static double delta(double epsilon, MechanismCost... costs) {
    return Composition.of(Neighbours.ADD_REMOVE, List.of(costs)).delta(epsilon);
  }

  /** Wishart noise of few degrees of freedom and a large scale: most losses tiny, some large. */
  @ParameterizedTest
  @CsvSource({
    "ADD_REMOVE, 3, 1e4, 4",
    "ADD_REMOVE, 3, 1e6, 0.01",
    "ADD_REMOVE, 3, 1e6, 1",
    "ADD_REMOVE, 4, 1e4, 4",
    "REPLACE_ONE, 3, 1e4, 4",
    "REPLACE_ONE, 3, 1e6, 0.3"
  })
  void heavyTailsKeepTheirWeight(Neighbours neighbours, int freedom, double scale, double epsilon) {
    WishartNoise noise = new WishartNoise(1, freedom, scale);
    double exact = WishartPrivacy.delta(epsilon, neighbours, noise);
    Composition numerical =
        Composition.numerical(neighbours, List.of(new MechanismCost.Wishart(noise)));
    assertThat(numerical.delta(epsilon) / exact).isBetween(1.0, 1.02);
  }

  @Test
  void squaresThatVanishOrOverflowAreNoObstacle() {
    assertThat(delta(0.0, new MechanismCost.Laplace(1e-200), new MechanismCost.Laplace(2e-200)))
        .isBetween(1e-200, 1e-100);
    assertThat(GaussianDp.compose(2.6e-162, 2.6e-162) / 2.6e-162)
        .isCloseTo(Math.sqrt(2.0), within(1e-12));
    assertThat(GaussianDp.compose(3e200, 4e200) / 5e200).isCloseTo(1.0, within(1e-12));
    assertThat(GaussianDp.compose(0.0, 0.0)).isZero();
  }

  /** Where the excess over epsilon is as small as the rounding of the losses. */
  @ParameterizedTest
  @ValueSource(strings = {"0.1 0.1 0.1 0.1 0.1 0.1 0.1", "1.1 1.1 1.1", "0.1 0.2 0.3", "0.7 0.9"})
  void theCornerOfPureMechanismsIsNotBelowTheTruth(String list) {
    double[] each = Stream.of(list.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    BigDecimal largest =
        DoubleStream.of(each).mapToObj(BigDecimal::new).reduce(BigDecimal::add).get();
    double chance =
        DoubleStream.of(each).map(e -> 1.0 / (1.0 + Math.exp(-e))).reduce(1.0, (a, b) -> a * b);
    MechanismCost[] costs =
        DoubleStream.of(each)
            .mapToObj(e -> new MechanismCost.Approximate(e, 0.0))
            .toArray(MechanismCost[]::new);
    for (double below = 1e-3; below > 1e-16; below /= 1.7) {
      double epsilon = largest.doubleValue() - below;
      double excess = largest.subtract(new BigDecimal(epsilon)).doubleValue();
      double exact = chance * -Math.expm1(-Math.max(0.0, excess));
      assertThat(delta(epsilon, costs)).isGreaterThanOrEqualTo(exact * (1.0 - 1e-12));
    }
  }

  /** For small epsilons it is alpha epsilon^2 / 2, of which plain logarithms keep no digit. */
  @Test
  void renyiKeepsTheDigitsOfSmallLosses() {
    for (double epsilon : new double[] {1e-12, 1e-9, 1e-7}) {
      double renyi =
          RenyiDp.divergence(2.0, Neighbours.ADD_REMOVE, new MechanismCost.Laplace(epsilon));
      assertThat(renyi / (epsilon * epsilon)).isCloseTo(1.0, within(1e-6));
    }
  }
}
