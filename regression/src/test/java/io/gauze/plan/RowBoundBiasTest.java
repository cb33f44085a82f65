package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactRows;
import io.gauze.row.Column;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the planned row bound costs: the slopes of a linear model on clipped rows against those on
 * the same rows unclipped, averaged over the slopes, whose sampling errors are nearly the same. The
 * default spreads are true: columns have a standard deviation of a quarter of their range, which is
 * more than most have. With 3 columns and a million rows the planned bound clips no row at all;
 * with 40 it clips one in a thousand.
 */
class RowBoundBiasTest {
  private static final int ROWS = 100_000;
  private static final long EXPECTED = 1_000_000;
  private static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);

  @ParameterizedTest(name = "D = {0}, R^2 = {1}, uniform: {2}")
  @CsvSource({
    "3, 0.1, false",
    "3, 0.5, true",
    "3, 0.9, false",
    "5, 0.1, true",
    "5, 0.5, false",
    "12, 0.1, true",
    "12, 0.5, false",
    "40, 0.5, true",
    "40, 0.1, false"
  })
  void isSmallWithAMillionRows(int dimension, double explained, boolean uniform)
      throws RowRejectedException {
    double whole = bias(dimension, explained, uniform, List.of(), EXPECTED);
    double apart = bias(dimension, explained, uniform, List.of("y"), EXPECTED);
    assertThat(Math.abs(whole)).as("features and response together").isLessThan(0.02);
    assertThat(Math.abs(apart)).as("apart").isLessThan(0.002);
  }

  /** Where noise is large the bound is tight; then clipping apart is what keeps slopes true. */
  @ParameterizedTest
  @CsvSource({"3, 0.1", "5, 0.5"})
  void tightBoundsDrawSlopesTowardZeroUnlessTheResponseIsNamed(int dimension, double explained)
      throws RowRejectedException {
    double whole = bias(dimension, explained, false, List.of(), 100);
    double apart = bias(dimension, explained, false, List.of("y"), 100);
    assertThat(whole).isBetween(-0.2, -0.04);
    assertThat(Math.abs(apart)).isLessThan(0.01);
  }

  private static double bias(
      int dimension, double explained, boolean uniform, List<String> responses, long expected)
      throws RowRejectedException {
    List<Column> columns = new ArrayList<>();
    for (int j = 0; j < dimension - 2; j++) {
      columns.add(new NumericColumn("x" + j, -1, 1));
    }
    columns.add(new NumericColumn("y", -1, 1));
    RowSchema schema =
        new RowBoundPlan(
                columns, OptionalDouble.empty(), Map.of(), responses, BUDGET, expected, true)
            .schema(true, MissingValues.REJECT);
    ExactRows clipped = ExactRows.create(dimension, 1.0 / schema.half(0));
    ExactRows unclipped = ExactRows.create(dimension, 1.0 / schema.half(0));
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(dimension);
    double[] values = new double[dimension];
    SplittableRandom random = new SplittableRandom(dimension);
    double slope = Math.sqrt(explained / (dimension - 2));
    for (int k = 0; k < ROWS; k++) {
      encoder.begin();
      double y = 0.5 * Math.sqrt(1.0 - explained) * random.nextGaussian();
      for (int j = 0; j < dimension - 2; j++) {
        double z = 0.5 * random.nextGaussian();
        double x = uniform ? 2.0 * random.nextDouble() - 1.0 : Math.max(-1.0, Math.min(1.0, z));
        encoder.number(j, x);
        y += slope * x;
      }
      encoder.number(dimension - 2, y);
      encoder.scale(values);
      unclipped.add(values);
      encoder.encode(row);
      for (int i = 0; i < dimension; i++) {
        values[i] = row.values()[i] * schema.grid().step();
      }
      clipped.add(values);
    }
    RegressionProblem problem = RegressionProblem.of(schema, "y").withLambda(0.0);
    return slopes(clipped, problem) / slopes(unclipped, problem) - 1.0;
  }

  private static double slopes(ExactRows rows, RegressionProblem problem) {
    Fit fit = ((FitOutcome.Fitted) Regression.fit(rows, problem)).fit();
    double sum = 0.0;
    for (int k = 1; k < problem.features().size(); k++) {
      sum += fit.coefficients().get(k);
    }
    return sum;
  }
}
