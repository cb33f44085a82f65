package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.regression.rows.MomentsInput;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A fit in other scales: the same as a fit of rows in that scale. */
class FitUnitsTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("x", "x", 10, 30),
              new NumericColumn("w", "w", -1, 3),
              new NumericColumn("y", "y", 0, 100)),
          0.5,
          2.0,
          MissingValues.REJECT);

  private final ExactMoments encoded = ExactMoments.create(4, 0.5);
  private final ExactMoments user = ExactMoments.create(4, 1.0);

  FitUnitsTest() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200; i++) {
      double x = random.nextDouble(10, 30);
      double w = random.nextDouble(-1, 3);
      double y = 20 + x + 5 * w + 10 * random.nextGaussian();
      user.add(1, x, w, y);
      encoded.add(0.5, (x - 20) / 10, (w - 1) / 2, (y - 50) / 50);
    }
  }

  @Test
  void userUnits() {
    Fit fit = Simulation.fit(encoded, RegressionProblem.of(SCHEMA, "y"));
    CoefficientTable table = fit.inUserUnits(SCHEMA);
    CoefficientTable direct = Simulation.fit(user, RegressionProblem.of(SCHEMA, "y")).encoded();
    assertThat(table.names()).containsExactly("(intercept)", "x", "w").isEqualTo(direct.names());
    for (int k = 0; k < 3; k++) {
      assertThat(table.estimates().get(k)).isCloseTo(direct.estimates().get(k), within(1e-9));
      assertThat(table.standardErrors().get(k))
          .isCloseTo(direct.standardErrors().get(k), within(1e-9));
    }
    assertThat(fit.rows()).isCloseTo(200, within(1e-9));
    assertThat(fit.loss()).isEqualTo("ridge");
  }

  /** With little noise, intervals and tests are those of the standard errors, in any unit. */
  @Test
  void intervalsInUserUnits() {
    MomentsInput release = Simulation.release(encoded, 0.01, new SplittableRandom(5));
    CoefficientTable table =
        Simulation.fit(release, RegressionProblem.of(SCHEMA, "y")).inUserUnits(SCHEMA);
    assertThat(table.sets()).isPresent();
    for (int k = 0; k < 3; k++) {
      double error = table.standardErrors().get(k);
      double estimate = table.estimates().get(k);
      CoefficientTable.Interval interval = table.intervals(0.95).get(k);
      assertThat(interval.lower()).isCloseTo(estimate - 1.96 * error, within(0.1 * error));
      assertThat(interval.upper()).isCloseTo(estimate + 1.96 * error, within(0.1 * error));
      assertThat(table.statistics().get(k) * error / estimate).isCloseTo(1.0, within(0.15));
    }
    CoefficientTable ten = table.scaled(new int[] {1}, 10.0);
    assertThat(ten.intervals(0.95).get(0).upper())
        .isCloseTo(10.0 * table.intervals(0.95).get(1).upper(), within(1e-12));
    assertThat(ten.statistics().get(0)).isCloseTo(table.statistics().get(1), within(1e-12));
  }

  /** The encoded scale has an intercept column of ones, whatever constant the rows carry. */
  @Test
  void encodedScale() {
    RegressionProblem ridge = RegressionProblem.of(SCHEMA, "y", List.of("w")).withLambda(7);
    ExactMoments ones = ExactMoments.create(4, 1.0);
    SymmetricMatrix m = encoded.moments();
    // the same rows with 1 in place of 1/2
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200; i++) {
      double x = random.nextDouble(10, 30);
      double w = random.nextDouble(-1, 3);
      double y = 20 + x + 5 * w + 10 * random.nextGaussian();
      ones.add(1, (x - 20) / 10, (w - 1) / 2, (y - 50) / 50);
    }
    assertThat(4 * m.get(0, 0)).isEqualTo(ones.moments().get(0, 0));
    CoefficientTable half = Simulation.fit(encoded, ridge).encoded();
    CoefficientTable whole = Simulation.fit(ones, ridge).encoded();
    assertThat(half.names()).containsExactly("(intercept)", "w");
    for (int k = 0; k < 2; k++) {
      assertThat(half.estimates().get(k)).isCloseTo(whole.estimates().get(k), within(1e-12));
      assertThat(half.standardErrors().get(k))
          .isCloseTo(whole.standardErrors().get(k), within(1e-12));
    }
  }

  @Test
  void namesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RegressionProblem.of(SCHEMA, "z"))
        .withMessageContaining("Provided value: z");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RegressionProblem.of(SCHEMA, "y", List.of("x", "x")))
        .withMessageContaining("x again");
    Fit fit = Simulation.fit(encoded, Simulation.problem(4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fit.inUserUnits(SCHEMA))
        .withMessageStartingWith("columns of the schema must be [c0, c1, c2, c3]");
  }
}
