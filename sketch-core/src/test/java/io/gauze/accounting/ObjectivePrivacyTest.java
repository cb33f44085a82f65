package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectivePrivacyTest {
  /** Against quadrature of the privacy losses; never less noise. */
  @ParameterizedTest
  @CsvFileSource(resources = "objective-sigma.csv")
  void deviationsAreThoseOfQuadrature(
      String neighbours, double epsilon, double determinant, double delta, double expected) {
    double sigma =
        ObjectivePrivacy.sigma(epsilon, determinant, delta, Neighbours.parse(neighbours));
    assertThat(sigma).isBetween(expected * (1.0 - 1e-11), expected * (1.0 + 1e-9));
  }

  /**
   * The figures of the specification: a determinant of a tenth, delta 1e-6, nothing for a solver.
   */
  @ParameterizedTest
  @CsvSource({
    "0.5, 9.22, 18.5",
    "1, 4.82, 9.67",
    "2, 2.53, 5.12",
    "5, 1.10, 2.29",
  })
  void deviationsAtCommonBudgets(double epsilon, double added, double replaced) {
    double left = 0.9 * epsilon;
    double det = 0.1 * epsilon;
    assertThat(ObjectivePrivacy.sigma(left, det, 1e-6, Neighbours.ADD_REMOVE))
        .isCloseTo(added, within(0.01 * added));
    assertThat(ObjectivePrivacy.sigma(left, det, 1e-6, Neighbours.REPLACE_ONE))
        .isCloseTo(replaced, within(0.01 * replaced));
  }

  /** No seam where the form of the integral changes, at epsilon = 2 m^2. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1.0, 4.0})
  void theIntegralHasNoSeam(double epsilon) {
    double seam = Math.sqrt(epsilon / 2.0);
    assertThat(ObjectivePrivacy.planeDelta(epsilon, seam * (1.0 + 1e-9)))
        .isCloseTo(ObjectivePrivacy.planeDelta(epsilon, seam * (1.0 - 1e-9)), within(1e-7));
  }

  /** The delta grows with the gradient and falls with epsilon. */
  @Test
  void deltasAreMonotone() {
    for (double ratio = 0.02; ratio < 4.0; ratio *= 1.3) {
      for (double epsilon = 0.01; epsilon < 8.0; epsilon *= 1.5) {
        double delta = ObjectivePrivacy.replacedDelta(epsilon, 0.3, ratio);
        assertThat(ObjectivePrivacy.replacedDelta(epsilon, 0.3, 1.01 * ratio))
            .isGreaterThanOrEqualTo(delta);
        assertThat(ObjectivePrivacy.replacedDelta(1.01 * epsilon, 0.0, ratio))
            .isLessThanOrEqualTo(ObjectivePrivacy.replacedDelta(epsilon, 0.0, ratio));
        assertThat(delta).isGreaterThanOrEqualTo(GaussianDp.delta(epsilon, 2.0 * ratio));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.03, 0.3, 3.0, 50.0})
  void theStrengthOfTheRidgePaysForTheDeterminant(double epsilon) {
    double strength = ObjectivePrivacy.strength(epsilon);
    assertThat(Math.log1p(1.0 / strength)).isCloseTo(epsilon, within(1e-12 * epsilon));
    assertThat(1.0 / strength).isLessThanOrEqualTo(Math.expm1(epsilon));
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ObjectivePrivacy.sigma(0.0, 0.1, 1e-6, Neighbours.ADD_REMOVE))
        .withMessage("epsilon must be in (0, 100.0]. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ObjectivePrivacy.strength(Double.NaN))
        .withMessage("epsilon must be > 0 and finite. Provided value: NaN");
  }
}
