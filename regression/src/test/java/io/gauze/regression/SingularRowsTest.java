package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.message.FitMessage;
import io.gauze.regression.rows.ExactRows;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What rows do not determine has no standard error, and the columns are named. */
final class SingularRowsTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("a", -1, 1),
              new NumericColumn("twice", -1, 1),
              new NumericColumn("c", -1, 1),
              new NumericColumn("y", -1, 1)),
          1.0,
          2.0,
          MissingValues.REJECT);

  private static ExactRows rows(int count) {
    ExactRows rows = ExactRows.create(SCHEMA.dimension(), 1.0);
    for (int i = 0; i < count; i++) {
      double a = Math.sin(i);
      double c = Math.cos(2.7 * i);
      rows.add(1.0, 0.5 * a, a, c, 0.3 * a - 0.2 * c + 0.1 * Math.sin(11.3 * i));
    }
    return rows;
  }

  private static Fit fit(ExactRows rows, RegressionProblem problem) {
    return ((FitOutcome.Fitted) Regression.fit(rows, problem)).fit();
  }

  @Test
  void aSingularDesignWithholdsWhatItDoesNotDetermine() {
    Fit fit = fit(rows(40), RegressionProblem.of(SCHEMA, "y"));
    CoefficientTable table = fit.encoded();
    assertThat(table.standardErrors().get(table.names().indexOf("a"))).isNaN();
    assertThat(table.standardErrors().get(table.names().indexOf("twice"))).isNaN();
    assertThat(table.statistics().get(table.names().indexOf("a"))).isNaN();
    assertThat(table.standardErrors().get(table.names().indexOf("c"))).isPositive();
    assertThat(Said.by(fit)).contains(FitMessage.OPEN);
    assertThat(Said.of(FitMessage.OPEN, fit)).asString().contains("linearly: a, twice.");
    FitOutcome huber =
        Regression.fit(rows(40), RegressionProblem.of(SCHEMA, "y").withLoss(new Loss.Huber(0.1)));
    assertThat(((FitOutcome.Refused) huber).reason()).contains("linearly: a, twice; drop");
  }

  @Test
  void withoutDegreesOfFreedomAllAreWithheld() {
    RegressionProblem problem = RegressionProblem.of(SCHEMA, "y", List.of("a", "c"));
    for (Loss loss : List.of(Loss.SQUARED, new Loss.Huber(0.1))) {
      Fit fit = fit(rows(3), problem.withLoss(loss));
      assertThat(fit.encoded().standardErrors().toArray()).containsOnly(Double.NaN);
      assertThat(fit.encoded().statistics().toArray()).containsOnly(Double.NaN);
      assertThat(Said.by(fit)).contains(FitMessage.SHORT);
    }
    assertThat(fit(rows(4), problem).encoded().standardErrors().toArray())
        .doesNotContain(Double.NaN);
  }
}
