package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class IrlsCalibrationTest {
  private static IrlsNoise noise(
      String law, Neighbours neighbours, double epsilon, double delta, int degrees) {
    return switch (law) {
      case "pure" -> new IrlsNoise.Pure(new Budget(epsilon, delta, neighbours));
      case "composed" -> new IrlsNoise.Composed(new Budget(epsilon, delta, neighbours));
      case "gaussian" -> new IrlsNoise.Gaussian(new Budget(epsilon, delta, neighbours));
      case "wishart" -> new IrlsNoise.Wishart(new Budget(epsilon, delta, neighbours), degrees);
      case "rho-gaussian" ->
          new IrlsNoise.Concentrated(epsilon, neighbours, IrlsNoise.Concentrated.Law.GAUSSIAN);
      default ->
          new IrlsNoise.Concentrated(epsilon, neighbours, IrlsNoise.Concentrated.Law.LAPLACE);
    };
  }

  /** Against other software; never less noise. A composition of Wishart noise is a bound. */
  @ParameterizedTest
  @CsvFileSource(resources = "/io/gauze/accounting/irls-noise.csv")
  void noiseIsThatOfReferenceNumbers(
      String law,
      String neighbours,
      int features,
      double featureBound,
      double responseBound,
      int rounds,
      double epsilon,
      double delta,
      int degrees,
      double expected) {
    IrlsNoise noise = noise(law, Neighbours.parse(neighbours), epsilon, delta, degrees);
    IrlsCalibration calibration =
        IrlsCalibration.of(new IrlsSpec(features, featureBound, responseBound, 0.1, rounds, noise));

    double slack = law.equals("wishart") ? 1e-5 : 1e-9;
    assertThat(calibration.scale()).isBetween(expected * (1.0 - 1e-11), expected * (1.0 + slack));
    if (delta > 0.0) {
      assertThat(calibration.delta(epsilon)).isLessThanOrEqualTo(delta);
      boolean spent = !law.equals("pure");
      assertThat(calibration.delta(0.99 * epsilon)).isGreaterThan(spent ? delta : 1e-20);
    }
  }

  private static IrlsSpec spec(IrlsNoise noise) {
    return new IrlsSpec(4, 1.25, 1.0, 0.1, 3, noise);
  }

  static Stream<IrlsNoise> replaced() {
    Budget budget = new Budget(0.9, 1e-6, Neighbours.REPLACE_ONE);
    return Stream.of(
        new IrlsNoise.Pure(budget),
        new IrlsNoise.Composed(budget),
        new IrlsNoise.Gaussian(budget),
        new IrlsNoise.Concentrated(
            0.05, Neighbours.REPLACE_ONE, IrlsNoise.Concentrated.Law.GAUSSIAN));
  }

  /**
   * A row that leaves a cell and enters another one: all rounds of both cells, each with the cost
   * of one row more or less under the noise for replace-one, keep the promise.
   */
  @ParameterizedTest
  @MethodSource("replaced")
  void aRowThatMovesCostsWhatIsPromised(IrlsNoise noise) {
    IrlsCalibration calibration = IrlsCalibration.of(spec(noise));
    WeightedSensitivity bounds = WeightedSensitivity.of(calibration.spec());
    double scale = calibration.scale();
    double added = bounds.euclidean(Neighbours.ADD_REMOVE) / scale;
    double absolute = bounds.absolute(Neighbours.ADD_REMOVE) / scale;
    MechanismCost oneCell =
        calibration.roundCost() instanceof MechanismCost.Gaussian
            ? new MechanismCost.Gaussian(added)
            : new MechanismCost.Approximate(absolute, 0.0);
    double delta = Composition.of(Neighbours.REPLACE_ONE, Map.of(oneCell, 6)).delta(0.9);
    assertThat(delta).isLessThanOrEqualTo(calibration.delta(0.9));
  }

  /** Three rounds, p = 4, B_x = 5/4, B_y = 1, worked out by hand. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void scalesByHand(Neighbours neighbours) {
    boolean added = neighbours == Neighbours.ADD_REMOVE;
    IrlsNoise pure = new IrlsNoise.Pure(new Budget(0.75, 1e-6, neighbours));
    double absolute = (1.5625 * 2.5 + 2.0 * 1.25) * (added ? 1.0 : 2.0);
    IrlsCalibration laplace = IrlsCalibration.of(spec(pure));
    assertThat(laplace.scale()).isCloseTo(absolute / 0.25, within(1e-10));
    assertThat(laplace.ridge()).isCloseTo(0.5 * 2.0 * laplace.scale() * 2.0, within(1e-10));
    IrlsNoise concentrated =
        new IrlsNoise.Concentrated(1.5, neighbours, IrlsNoise.Concentrated.Law.GAUSSIAN);
    double euclidean = added ? 1.25 * Math.sqrt(3.5625) : Math.sqrt(2.0) * 2.5625;
    IrlsCalibration gaussian = IrlsCalibration.of(spec(concentrated));
    assertThat(gaussian.scale()).isCloseTo(euclidean, within(1e-10));
    assertThat(gaussian.ridge()).isCloseTo(0.5 * gaussian.scale() * 2.0, within(1e-10));
    assertThat(gaussian.gridBits()).isEqualTo(14);
  }

  /** The grid of weighted rows is coarser where noise is wide, down to a public end. */
  @Test
  void wideNoiseTakesACoarserGrid() {
    Budget budget = new Budget(1e-4, 1e-6, Neighbours.REPLACE_ONE);
    IrlsCalibration wide = IrlsCalibration.of(spec(new IrlsNoise.Pure(budget)));
    assertThat(wide.gridBits()).isLessThan(14);
    assertThat(wide.scale() * Math.scalb(1.0, 2 * wide.gridBits())).isBetween(0x1p37, 0x1p40);
    Budget less = new Budget(1e-9, 1e-6, Neighbours.REPLACE_ONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IrlsCalibration.of(spec(new IrlsNoise.Pure(less))))
        .withMessageContaining("promise must be weaker");
  }

  @Test
  void impossibleSpecsAreRefused() {
    Budget budget = new Budget(60.0, 1e-6, Neighbours.REPLACE_ONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IrlsCalibration.of(spec(new IrlsNoise.Pure(budget))))
        .withMessageContaining("delta must be above");
    IrlsNoise noise = new IrlsNoise.Gaussian(new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IrlsSpec(4, 0.5, 10.0, 0.1, 3, noise))
        .withMessageContaining("responseBound must be in [0.03125, 8]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spec(noise).withRounds(0))
        .withMessageContaining("rounds must be in [1, 100]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spec(noise).withThreshold(0.0))
        .withMessageContaining("threshold must be in");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IrlsCalibration.of(spec(new IrlsNoise.Wishart(noise(1.0), 5))))
        .withMessageContaining("degreesOfFreedom must be in [7, 1000000]");
  }

  private static Budget noise(double epsilon) {
    return new Budget(epsilon, 1e-6, Neighbours.ADD_REMOVE);
  }
}
