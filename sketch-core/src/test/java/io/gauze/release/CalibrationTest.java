package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ReferenceData;
import io.gauze.row.Neighbours;
import java.io.IOException;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {

  private static CalibrationRequest request(double epsilon, double delta, Neighbours neighbours) {
    return new CalibrationRequest(epsilon, OptionalDouble.of(delta), neighbours, 1.0, 3, 2);
  }

  private static double sigma(String mechanism, double epsilon, Neighbours neighbours) {
    Calibration calibration = Calibration.of(mechanism, request(epsilon, 1e-6, neighbours));
    assertThat(calibration.achievedDelta()).isBetween(0.999e-6, 1e-6);
    return calibration.noise().get("sigma");
  }

  @Test
  void gaussianAgreesWithTheReferenceAnswers() throws IOException {
    JsonNode answers =
        new ObjectMapper()
            .readTree(ReferenceData.folder().resolve("oracles/privacy.json").toFile())
            .get("gaussian");
    assertThat(answers).isNotEmpty();
    for (JsonNode answer : answers) {
      Calibration calibration =
          Calibration.of(
              "gaussian",
              request(
                  answer.get("eps").doubleValue(),
                  answer.get("delta").doubleValue(),
                  Neighbours.ADD_REMOVE));
      double reference = answer.get("sigma_analytic").doubleValue();
      assertThat(calibration.noise().get("sigma"))
          .isBetween(reference * (1 - 1e-12), reference * (1 + 1e-8));
    }
  }

  /** Factors of one over mu at delta 1e-6, by mpmath. */
  @ParameterizedTest
  @CsvSource({"0.1, 36.30469", "0.5, 8.0576185", "1, 4.2246789", "2, 2.2304763", "5, 0.980049"})
  void sketchesScaleByTheirSensitivity(double epsilon, double s) {
    Neighbours add = Neighbours.ADD_REMOVE;
    Neighbours replace = Neighbours.REPLACE_ONE;
    assertThat(sigma("noisy-moments", epsilon, add)).isCloseTo(s, within(1e-5));
    assertThat(sigma("noisy-moments", epsilon, replace)).isCloseTo(s * Math.sqrt(2), within(2e-5));
    assertThat(sigma("count-sketch", epsilon, add)).isCloseTo(s, within(1e-5));
    assertThat(sigma("count-sketch", epsilon, replace)).isCloseTo(2 * s, within(2e-5));
    assertThat(sigma("multilevel-l1", epsilon, add)).isCloseTo(2 * s, within(2e-5)); // sqrt(2 + 2)
    assertThat(sigma("multilevel-l1", epsilon, replace)).isCloseTo(4 * s, within(4e-5));
  }

  @Test
  void laplaceIsPure() {
    CalibrationRequest request =
        new CalibrationRequest(0.3, OptionalDouble.empty(), Neighbours.REPLACE_ONE, 2.0, 1, 1);
    Calibration calibration = Calibration.of("laplace", request);
    assertThat(calibration.noise().get("scale")).isEqualTo(Math.nextUp(2.0 / 0.3));
    assertThat(calibration.achievedDelta()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.of("count-sketch", request))
        .withMessage("delta must be given for count-sketch");
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void moreBudgetNeedsLessNoise(Neighbours neighbours) {
    for (String mechanism : Calibration.mechanisms()) {
      double last = Double.POSITIVE_INFINITY;
      for (double epsilon = 0.01; epsilon <= 20.0; epsilon *= 1.05) {
        Calibration calibration = Calibration.of(mechanism, request(epsilon, 1e-9, neighbours));
        double noise = calibration.noise().values().iterator().next();
        assertThat(noise).isLessThan(last);
        last = noise;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -1.0, 101.0, Double.NaN})
  void epsilonIsChecked(double epsilon) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request(epsilon, 1e-6, Neighbours.ADD_REMOVE))
        .withMessage("epsilon must be in (0, 100]. Provided value: " + epsilon);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -1.0, 0.2, Double.NaN})
  void deltaIsChecked(double delta) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request(1, delta, Neighbours.ADD_REMOVE))
        .withMessage("delta must be in (0, 0.1]. Provided value: " + delta);
  }

  @Test
  void unknownMechanismsAreNamedWithTheNearest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.of("moments", request(1, 1e-6, Neighbours.ADD_REMOVE)))
        .withMessageContaining("Provided value: moments");
  }
}
