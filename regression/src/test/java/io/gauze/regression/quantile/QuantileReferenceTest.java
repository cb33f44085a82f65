package io.gauze.regression.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.regression.ReferenceDesign;
import io.gauze.testing.Effort;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Least absolute deviations against vertices that a linear programming code found and proved. */
class QuantileReferenceTest {
  private static final double OBJECTIVE = 1e-9; // relative
  private static final double COEFFICIENT = 1e-8; // relative to 1, or to the coefficient

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stackloss",
        "engel",
        "wine_red",
        "wine_white",
        "california",
        "diamonds",
        "adult_hours",
        "flights",
        "flights_schedule"
      })
  void equalsTheReferenceSolution(String task) throws IOException {
    Effort.skipIfLong(task.startsWith("flights"));
    ReferenceDesign design = new ReferenceDesign(task);
    WeightedRows rows = design.weightedRows();
    assertThat(rows.rows()).isEqualTo(design.answers.get("n").intValue());
    QuantileOutcome outcome = QuantileRegression.lad(rows);
    assertThat(outcome).isInstanceOf(QuantileOutcome.Solved.class);
    QuantileFit fit = ((QuantileOutcome.Solved) outcome).fit();
    JsonNode expected = design.answers.get("solutions").get("lad");
    double objective = expected.get("objective").doubleValue();
    assertThat(fit.objective()).isCloseTo(objective, within(OBJECTIVE * objective));
    assertThat(fit.relativeGap()).isBetween(0.0, 1e-12);
    // a predictor without its corrector, or a proof that does not see ties, needs more
    assertThat(fit.iterations()).isBetween(1, 35);
    assertThat(fit.pivots()).isBetween(0, 5);
    if (expected.get("unique").booleanValue()) {
      for (int j = 0; j < fit.coefficients().size(); j++) {
        double coefficient = expected.get("coef").get(j).doubleValue();
        assertThat(fit.coefficients().get(j))
            .as(design.names.get(j))
            .isCloseTo(coefficient, within(COEFFICIENT * Math.max(1.0, Math.abs(coefficient))));
      }
    }
  }
}
