package io.gauze.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ReferenceData;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.mechanism.model.LogisticModel;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.plan.Calibrations;
import io.gauze.testing.Effort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {
  private static final double[] DELTAS = {1e-2, 1e-4, 1e-6, 1e-9, 1e-12};

  private static CalibrationRequest request(double epsilon, double delta, Neighbours neighbours) {
    return CalibrationRequest.of(epsilon, OptionalDouble.of(delta), neighbours)
        .withColumns(3)
        .withCopies(2);
  }

  private static double sigma(String mechanism, double epsilon, Neighbours neighbours) {
    Calibration calibration = Calibrations.of(mechanism, request(epsilon, 1e-6, neighbours));
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
          Calibrations.of(
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
        CalibrationRequest.of(0.3, OptionalDouble.empty(), Neighbours.REPLACE_ONE).withBound(2.0);
    Calibration calibration = Calibrations.of("laplace", request);
    assertThat(calibration.noise().get("scale")).isEqualTo(Math.nextUp(2.0 / 0.3));
    assertThat(calibration.achievedDelta()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of("count-sketch", request))
        .withMessage("delta must be given for count-sketch, in (0, 0.1]");
  }

  /** Six digits, and never less noise than the reference by more than rounding. */
  @ParameterizedTest
  @CsvSource({
    "jl, wSquared, jl_add_remove, ADD_REMOVE",
    "jl, wSquared, jl_replace_one, REPLACE_ONE",
    "inverse-wishart, psi, jl_add_remove, ADD_REMOVE",
    "inverse-wishart, psi, jl_replace_one, REPLACE_ONE"
  })
  void ridgesAgreeWithTheReferenceAnswers(
      String mechanism, String noise, String name, Neighbours neighbours) throws IOException {
    JsonNode answers =
        new ObjectMapper()
            .readTree(ReferenceData.folder().resolve("oracles/privacy.json").toFile())
            .get(name);
    assertThat(answers).hasSize(9);
    for (JsonNode answer : answers) {
      CalibrationRequest request =
          request(answer.get("eps").asDouble(), answer.get("delta").asDouble(), neighbours)
              .withRows(answer.get("r").asInt());
      double reference = answer.get("w2_over_B2").asDouble();
      for (double bound : new double[] {1.0, 2.5}) {
        Calibration calibration = Calibrations.of(mechanism, request.withBound(bound));
        assertThat(calibration.noise().get(noise) / (reference * bound * bound) - 1.0)
            .isBetween(-1e-14, 1e-9);
        assertThat(calibration.achievedDelta())
            .isBetween(request.delta().getAsDouble() * (1 - 1e-9), request.delta().getAsDouble());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 42, 58", "0.5, 85, 153"})
  void wishartWithScaleOneNeedsTheQuotedDegrees(double epsilon, int one, int both) {
    for (int columns : new int[] {1, 5, 40}) {
      CalibrationRequest add =
          request(epsilon, 1e-6, Neighbours.ADD_REMOVE).withColumns(columns).withScale(1.0);
      CalibrationRequest replace =
          request(epsilon, 1e-6, Neighbours.REPLACE_ONE).withColumns(columns).withScale(1.0);
      assertThat(Calibrations.of("wishart", add).noise())
          .containsEntry("degreesOfFreedom", (double) (columns + one))
          .containsEntry("scale", 1.0);
      assertThat(Calibrations.of("wishart", replace).noise())
          .containsEntry("degreesOfFreedom", (double) (columns + both));
      // A bound of 3 scales everything by 9.
      assertThat(Calibrations.of("wishart", add.withBound(3.0).withScale(9.0)).noise())
          .containsEntry("degreesOfFreedom", (double) (columns + one))
          .containsEntry("scale", 9.0);
    }
  }

  /** The noise falls with the degrees of freedom, to that of a Gaussian of the same promise. */
  @ParameterizedTest
  @CsvSource({"0.1", "1", "5", "20"})
  void wishartChoosesItsScaleForLittleNoise(double epsilon) {
    CalibrationRequest request = request(epsilon, 1e-6, Neighbours.ADD_REMOVE);
    double gaussian = sigma("noisy-moments", epsilon, Neighbours.ADD_REMOVE) / Math.sqrt(2.0);
    double chosen = spread(Calibrations.of("wishart", request));
    assertThat(chosen).isBetween(gaussian, 1.12 * gaussian);
    assertThat(spread(Calibrations.of("wishart", request.withRows(64)))).isGreaterThan(chosen);
    assertThat(spread(Calibrations.of("wishart", request.withScale(1.0)))).isGreaterThan(chosen);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of("wishart", request.withRows(64).withScale(1.0)))
        .withMessage("wishart takes rows or scale, not both");
  }

  private static double spread(Calibration wishart) {
    assertThat(wishart.achievedDelta()).isLessThanOrEqualTo(1e-6);
    return wishart.noise().get("scale") * Math.sqrt(wishart.noise().get("degreesOfFreedom"));
  }

  @Test
  void functionalTakesTheSmallerSensitivity() {
    CalibrationRequest request =
        CalibrationRequest.of(2.0, OptionalDouble.empty(), Neighbours.ADD_REMOVE).withColumns(5);
    // D (D + 1) / 2 = 15, B^2 (D + 1) / 2 = 3 B^2
    assertThat(Calibrations.of("functional", request).noise().get("scale"))
        .isCloseTo(1.5, within(1e-12));
    assertThat(Calibrations.of("functional", request.withBound(4.0)).noise().get("scale"))
        .isCloseTo(7.5, within(1e-12));
  }

  /** A row is in one stratum, or in one cell: their number does not matter. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void partitionsAreFree(Neighbours neighbours) {
    CalibrationRequest request = request(0.5, 1e-6, neighbours).withBound(3.0);
    assertThat(Calibrations.of("stratified-moments", request).noise())
        .isEqualTo(Calibrations.of("noisy-moments", request).noise());
    Calibration histogram = Calibrations.of("histogram", request);
    assertThat(histogram.noise().get("scale"))
        .isCloseTo(neighbours == Neighbours.ADD_REMOVE ? 2.0 : 4.0, within(1e-12));
    assertThat(histogram.achievedDelta()).isZero();
  }

  /** In print a theorem for epsilon at most 1; beyond, it may not keep its own promise. */
  @Test
  void theClassicFormulaIsForComparison() {
    CalibrationRequest small = request(1.0, 1e-6, Neighbours.ADD_REMOVE);
    assertThat(Calibrations.of("gaussian-classic", small).noise().get("sigma"))
        .isCloseTo(5.298802526850474, within(1e-12));
    assertThat(Calibrations.of("gaussian-classic", small).achievedDelta()).isLessThan(1e-6);
    CalibrationRequest large = request(20.0, 1e-2, Neighbours.ADD_REMOVE);
    assertThat(Calibrations.of("gaussian-classic", large).achievedDelta()).isGreaterThan(1e-2);
    assertThat(Calibrations.of("gaussian", large).achievedDelta()).isLessThanOrEqualTo(1e-2);
  }

  /** Those whose noise depends on the budget and on sizes alone, and on no plan of a stream. */
  private static List<String> withoutPlan() {
    List<String> names = new ArrayList<>(Calibrations.mechanisms());
    names.removeIf(
        name -> Mechanisms.names().contains(name) && Mechanisms.kind(name).calibration().isEmpty());
    return names;
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void moreBudgetNeedsLessNoise(Neighbours neighbours) {
    for (String mechanism : withoutPlan()) {
      double[] last = new double[DELTAS.length];
      Arrays.fill(last, Double.POSITIVE_INFINITY);
      double factor = Effort.of(3.0, 1.1);
      for (double epsilon = 0.01; epsilon <= 20.0; epsilon *= factor) {
        double before = 0.0;
        for (int i = 0; i < DELTAS.length; i++) {
          CalibrationRequest request = request(epsilon, DELTAS[i], neighbours).withRows(200);
          Calibration calibration = Calibrations.of(mechanism, request);
          double noise = size(calibration);
          assertThat(noise).isLessThan(last[i]).isGreaterThanOrEqualTo(before);
          if (!mechanism.equals("gaussian-classic")) {
            assertThat(calibration.achievedDelta()).isLessThanOrEqualTo(DELTAS[i]);
          }
          last[i] = noise;
          before = noise;
        }
      }
    }
  }

  /** The one number that measures the noise. */
  private static double size(Calibration calibration) {
    Map<String, Double> noise = calibration.noise();
    for (String name : List.of("sigma", "scale", "wSquared", "psi", "momentsSigma")) {
      if (noise.containsKey(name)) {
        return noise.get(name);
      }
    }
    throw new AssertionError(noise);
  }

  @Test
  void whatAMechanismNeedsIsNamed() {
    CalibrationRequest request = request(1.0, 1e-6, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of("jl", request))
        .withMessage("rows must be given for jl, in [1, 1048576]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of("inverse-wishart", request.withRows(2)))
        .withMessage("rows must be in [3, 1048576] for inverse-wishart. Provided value: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of("wishart", request.withRows(1_000_001)))
        .withMessage("rows must be in [5, 1000000] for wishart. Provided value: 1000001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withRows(0))
        .withMessage("rows must be in [1, 1048576]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withScale(Double.NaN))
        .withMessageStartingWith("scale must be in ");
  }

  /** Every mechanism of the list can be calibrated, and keeps its promise. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void everyMechanismIsCalibrated(Neighbours neighbours) {
    assertThat(Calibrations.mechanisms())
        .containsAll(Mechanisms.names())
        .contains(ColumnRanges.NAME, "gaussian", "laplace");
    for (String mechanism : Calibrations.mechanisms()) {
      for (double epsilon : new double[] {0.5, 2.0}) {
        CalibrationRequest request = request(epsilon, 1e-6, neighbours).withRows(64);
        Calibration calibration = Calibrations.of(mechanism, request.withColumns(4));
        assertThat(calibration.mechanism()).isEqualTo(mechanism);
        assertThat(calibration.noise()).as(mechanism).isNotEmpty();
        assertThat(calibration.noise().values()).allMatch(noise -> noise > 0.0);
        assertThat(calibration.basis()).isNotBlank();
        if (!mechanism.equals("gaussian-classic")) { // which may miss it
          assertThat(calibration.achievedDelta()).as(mechanism).isBetween(0.0, 1e-6);
        }
      }
    }
  }

  /** What depends on the stream is the plan of a stream: the rows, and the budget's worth. */
  @Test
  void mechanismsOfAStreamAreCalibratedByAPlan() {
    CalibrationRequest request =
        request(1.0, 1e-6, Neighbours.REPLACE_ONE).withBound(1.5).withColumns(4);
    double whole = Calibrations.of(NoisyMoments.NAME, request).noise().get("sigma");
    Calibration strata = Calibrations.of(TwoStageStrata.NAME, request);
    double ofNorm = whole / (1.5 * 1.5); // of rows of norm 1 in place of the bound
    assertThat(strata.parameters().get("sigmaOfStrata") / (ofNorm / Math.sqrt(0.4)))
        .isCloseTo(1.0, within(1e-3));
    assertThat(strata.parameters().get("firstSigma") / (whole / Math.sqrt(0.06)))
        .isCloseTo(1.0, within(1e-3));
    Calibration huber = Calibrations.of(HuberTrack.NAME, request);
    assertThat(huber.parameters())
        .containsEntry("epsilon", 1.0)
        .containsEntry("expectedRows", (double) CalibrationRequest.EXPECTED_ROWS);
    assertThat(huber.achievedDelta()).isLessThan(2e-9); // pure, but for samplers
    double few = huber.parameters().get("threshold");
    Calibration more = Calibrations.of(HuberTrack.NAME, request.withExpectedRows(10_000_000));
    assertThat(more.parameters().get("threshold")).isLessThan(few);
  }

  @Test
  void whatAStreamCannotHaveIsRefused() {
    CalibrationRequest request = request(1.0, 1e-6, Neighbours.REPLACE_ONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of(HuberTrack.NAME, request.withBound(1e-3)))
        .withMessage("bound of huber-track must be in [0.015625, 256]. Provided value: 0.001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of(IrlsTrack.NAME, request.withColumns(1)))
        .withMessage("columns of irls-track must be in [2, 4096]. Provided value: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibrations.of(LogisticModel.NAME, request.withExpectedRows(1L << 32)))
        .withMessageStartingWith("model logistic: expectedRows must be at most");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withExpectedRows(0))
        .withMessageStartingWith("expectedRows must be in [1, ");
    List<String> planned = new ArrayList<>(Mechanisms.names());
    planned.removeAll(withoutPlan());
    for (String mechanism : planned) {
      assertThatExceptionOfType(ArithmeticException.class)
          .as(mechanism)
          .isThrownBy(
              () ->
                  Calibrations.of(
                      mechanism, request(1e-9, 1e-300, Neighbours.ADD_REMOVE).withRows(5)))
          .withMessageContaining("make epsilon or delta larger");
    }
  }

  /** In range, but no double holds the noise, or no accounting was made for it. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void noiseBeyondComputingIsRefused(Neighbours neighbours) {
    for (String mechanism : withoutPlan()) {
      CalibrationRequest request = request(1e-300, 1e-300, neighbours).withRows(5);
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(() -> Calibrations.of(mechanism, request))
          .withMessageContaining("make epsilon or delta larger");
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
        .isThrownBy(() -> Calibrations.of("moments", request(1, 1e-6, Neighbours.ADD_REMOVE)))
        .withMessageContaining("Provided value: moments");
  }
}
