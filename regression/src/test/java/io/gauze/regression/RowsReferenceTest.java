package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.linalg.DoubleVector;
import io.gauze.regression.rows.ExactRows;
import io.gauze.testing.Effort;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fits of raw rows by every loss against what other software computed, and proved. */
class RowsReferenceTest {
  private static final double COEFFICIENT = 1e-8; // relative
  private static final double OBJECTIVE = 1e-9; // relative
  private static final double ZERO = 1e-15; // at a vertex

  @ParameterizedTest
  @CsvSource({
    "stackloss, 14",
    "engel, 14",
    "wine_red, 26",
    "wine_white, 26",
    "california, 26",
    "diamonds, 26",
    "adult_hours, 26",
    "flights, 26",
    "flights_schedule, 26"
  })
  void equalsTheReferenceSolutions(String task, int solutions) throws IOException {
    Effort.skipIfLong(task.startsWith("flights") || task.equals("diamonds"));
    ReferenceDesign design = new ReferenceDesign(task);
    ExactRows rows = design.exactRows(1.0);
    assertThat(rows.rows()).isEqualTo(design.answers.get("n").intValue());
    assertThat(design.answers.get("solutions").size()).isEqualTo(solutions);
    for (Map.Entry<String, JsonNode> solution : design.answers.get("solutions").properties()) {
      check(task, rows, fit(rows, design.problem(solution.getKey())), solution);
    }
  }

  /** The constant in the intercept's column changes nothing in the encoded scale. */
  @ParameterizedTest
  @CsvSource({"wine_red, 0.25", "california, 4"})
  void anyInterceptGivesTheSame(String task, double intercept) throws IOException {
    ReferenceDesign design = new ReferenceDesign(task);
    ExactRows rows = design.exactRows(intercept);
    for (Map.Entry<String, JsonNode> solution : design.answers.get("solutions").properties()) {
      check(task, rows, fit(rows, design.problem(solution.getKey())), solution);
    }
  }

  private static void check(
      String task, ExactRows rows, Fit fit, Map.Entry<String, JsonNode> solution) {
    JsonNode expected = solution.getValue();
    String name = task + " " + solution.getKey();
    double objective = expected.get("objective").doubleValue();
    assertThat(fit.objective().orElseThrow())
        .as(name)
        .isCloseTo(objective, within(OBJECTIVE * objective));
    assertThat(fit.convergence().relativeGap()).as(name).isBetween(0.0, 1e-11);
    assertThat(fit.loss()).isEqualTo(loss(solution.getKey()));
    if (expected.path("unique").asBoolean(true)) {
      DoubleVector estimates = fit.encoded().estimates();
      for (int k = 0; k < estimates.size(); k++) {
        double coefficient = expected.get("coef").get(k).doubleValue();
        assertThat(estimates.get(k))
            .as(name + " " + fit.problem().featureNames().get(k))
            .isCloseTo(coefficient, within(COEFFICIENT * Math.abs(coefficient) + ZERO));
      }
      assertThat(rows.rmse(fit))
          .isCloseTo(expected.get("rmse").doubleValue(), within(1e-9 * rows.rmse(fit)));
      assertThat(rows.mae(fit))
          .isCloseTo(expected.get("mae").doubleValue(), within(1e-9 * rows.mae(fit)));
    }
    assertThat(fit.warnings()).hasSize(fit.lambda() > 0.0 ? 1 : 0);
  }

  private static String loss(String solution) {
    String loss = solution.replaceAll("_.*", "");
    return loss.equals("ols") ? "ridge" : loss.equals("enet") ? "elastic-net" : loss;
  }

  private static Fit fit(ExactRows rows, RegressionProblem problem) {
    return ((FitOutcome.Fitted) Regression.fit(rows, problem)).fit();
  }
}
