package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PureCompositionTest {
  /** One mechanism, and two: outcomes of losses 2 e and 0, worked out by hand. */
  @Test
  void fewMechanismsByHand() {
    double truth = Math.E / (1.0 + Math.E);
    assertThat(PureComposition.delta(0.5, 1.0, 1))
        .isCloseTo(truth * (1.0 - Math.exp(-0.5)), within(1e-15));
    assertThat(PureComposition.delta(0.5, 1.0, 2))
        .isCloseTo(truth * truth * (1.0 - Math.exp(-1.5)), within(1e-15));
    assertThat(PureComposition.delta(0.0, 1.0, 2))
        .isCloseTo(truth * truth * (1.0 - Math.exp(-2.0)), within(1e-15));
    assertThat(PureComposition.delta(2.0, 1.0, 2)).isZero();
  }

  /** Against the numerical composition, an upper bound that is nearly exact. */
  @ParameterizedTest
  @CsvSource({"0.9, 0.2, 5", "0.5, 0.02, 30", "4.0, 1.2, 5", "1.0, 0.01, 1000"})
  void deltasAreThoseOfTheNumericalComposition(double epsilon, double each, int times) {
    double numerical =
        Composition.of(
                Neighbours.ADD_REMOVE, Map.of(new MechanismCost.Approximate(each, 0.0), times))
            .delta(epsilon);
    assertThat(PureComposition.delta(epsilon, each, times)).isBetween(numerical * 0.99, numerical);
  }

  /** Basic composition is the least that one gets; delta buys more only for many mechanisms. */
  @ParameterizedTest
  @CsvSource({"0.9, 1e-6, 1", "0.9, 1e-6, 5", "0.9, 1e-6, 15", "1.0, 1e-9, 100", "90.0, 0.1, 1"})
  void theLargestEachKeepsTheBudget(double epsilon, double delta, int times) {
    double each = PureComposition.largestEach(epsilon, delta, times);
    assertThat(PureComposition.delta(epsilon, each, times)).isLessThanOrEqualTo(delta);
    assertThat(each).isGreaterThanOrEqualTo(PureComposition.basicEach(epsilon, times));
    assertThat(each).isLessThanOrEqualTo(epsilon);
    if (times > 1) {
      assertThat(PureComposition.delta(epsilon, each * (1.0 + 1e-8), times)).isGreaterThan(delta);
    }
    assertThat(PureComposition.basicEach(epsilon, times) * times).isLessThanOrEqualTo(epsilon);
    if (times == 5) {
      assertThat(each).isLessThan(1.001 * epsilon / times);
    }
    if (times == 100) {
      assertThat(each).isGreaterThan(1.4 * epsilon / times);
    }
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PureComposition.delta(1.0, 0.1, 0))
        .withMessageContaining("times must be in [1, 1000]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PureComposition.largestEach(0.0, 1e-6, 3))
        .withMessageContaining("epsilon must be in (0, 100.0]");
  }

  @Test
  void theLargestEpsilonIsThatOfTheBudget() {
    assertThat(PureComposition.largestEach(100.0, 0.1, 1)).isEqualTo(100.0);
    assertThat(PureComposition.largestEach(0.1, 0.1, 1)).isEqualTo(0.1);
    assertThat(PureComposition.largestEach(0.1, 0.1, 2)).isEqualTo(0.1);
  }
}
