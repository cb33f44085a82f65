package io.gauze.plan;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RowBoundPlanTest {
  private static final List<Column> COLUMNS =
      List.of(
          new NumericColumn("a", "a", 0, 10, 2), // half 8
          new IndicatorColumn("i", "i", "yes"),
          new CategoryColumn("c", "c", List.of("p", "q", "r")),
          new NumericColumn("y", "y", 0, 4));

  private static RowBoundPlan plan(double epsilon, long rows, String... responses) {
    return new RowBoundPlan(
        COLUMNS,
        OptionalDouble.of(1.0),
        Map.of("a", 2.0),
        List.of(responses),
        new Budget(epsilon, 1e-9, Neighbours.REPLACE_ONE),
        rows,
        false);
  }

  /** 1, (2 / 8)^2, 1, 2 / 3 and 1 for the intercept, a, i, c and y, which is taken for a code. */
  @Test
  void boundsTheMeanSquareWhereNoiseIsLarge() {
    RowBoundPlan plan = plan(0.01, 100);
    assertThat(plan.kappa()).isEqualTo(1.15);
    RowSchema schema = plan.schema(true, MissingValues.REJECT);
    assertThat(schema.rowBound())
        .isCloseTo(Math.sqrt(1.15 * (1 + 0.0625 + 1 + 2.0 / 3 + 1)), within(1e-12));
    assertThat(schema.responses().isEmpty()).isTrue();
  }

  @Test
  void responsesHaveThreeSpreadsAndAQuarter() {
    RowSchema schema = plan(0.01, 100, "y", "a").schema(true, MissingValues.REJECT);
    double square = 0.8125 * 0.8125 + 1; // 3.25 / 4, and the end of the range
    assertThat(schema.responses().columns()).containsExactly("a", "y");
    assertThat(schema.responses().bound()).isCloseTo(Math.sqrt(square), within(1e-12));
    // features beside the intercept: an indicator and categories, of norm sqrt(1 + 1 + 1) at most
    assertThat(schema.rowBound()).isCloseTo(Math.sqrt(3 + square), within(1e-12));
  }

  /** A narrow response has half of the features' bound, so that its tails are not cut off. */
  @Test
  void responsesHaveHalfOfTheFeaturesAtLeast() {
    RowBoundPlan plan =
        new RowBoundPlan(
            COLUMNS,
            OptionalDouble.of(1.0),
            Map.of("y", 0.01),
            List.of("y"),
            new Budget(0.01, 1e-9, Neighbours.REPLACE_ONE),
            100,
            false);
    RowSchema schema = plan.schema(true, MissingValues.REJECT);
    double features = schema.responses().ofFeatures(schema.rowBound());
    assertThat(schema.responses().bound()).isCloseTo(0.5 * features, within(1e-12));
  }

  /** A given row bound is kept; the response gets what it would have, or half of its square. */
  @Test
  void aGivenBoundIsKept() {
    RowSchema wide = plan(0.01, 100, "y").schema(2.1, OptionalDouble.empty(), MissingValues.REJECT);
    assertThat(wide.rowBound()).isEqualTo(2.1);
    assertThat(wide.responses().bound()).isCloseTo(1, within(1e-12)); // the end of the range
    RowBoundPlan plan =
        new RowBoundPlan(
            COLUMNS,
            OptionalDouble.of(0.5),
            Map.of(),
            List.of("y"),
            new Budget(1, 1e-9, Neighbours.REPLACE_ONE),
            100,
            false);
    RowSchema narrow = plan.schema(1.2, OptionalDouble.empty(), MissingValues.REJECT);
    assertThat(narrow.rowBound()).isEqualTo(1.2);
    assertThat(narrow.responses().bound()).isCloseTo(1.2 / Math.sqrt(2), within(1e-12));
  }

  /** What check prints can be given back, and is then kept whatever the guesses are. */
  @Test
  void aPlanCanBeWrittenDown() {
    RowSchema planned =
        new RowBoundPlan(
                COLUMNS,
                OptionalDouble.empty(),
                Map.of("a", 1.0),
                List.of("y"),
                new Budget(1, 1e-9, Neighbours.REPLACE_ONE),
                1_000_000,
                false)
            .schema(true, MissingValues.REJECT);
    RowSchema again =
        new RowBoundPlan(
                COLUMNS,
                OptionalDouble.of(planned.intercept()),
                Map.of(),
                List.of("y"),
                new Budget(0.1, 1e-6, Neighbours.ADD_REMOVE),
                10,
                false)
            .schema(
                planned.rowBound(),
                OptionalDouble.of(planned.responses().bound()),
                MissingValues.REJECT);
    assertThat(again).isEqualTo(planned);
  }

  /** All columns may be responses, and spreads as small as they can be. */
  @Test
  void extremesHaveASchema() {
    for (double spread : new double[] {1e-5, 0.01, 1.0}) {
      for (int k = 1; k < 60; k++) {
        Map<String, Double> spreads = Map.of("a", spread * k / 60, "y", 4 * spread / k);
        RowBoundPlan plan =
            new RowBoundPlan(
                List.of(COLUMNS.get(0), COLUMNS.get(3)),
                OptionalDouble.empty(),
                spreads,
                List.of("a", "y"),
                new Budget(1, 1e-9, Neighbours.REPLACE_ONE),
                10L * k,
                false);
        RowSchema schema = plan.schema(true, MissingValues.REJECT);
        assertThat(schema.responses().ofFeatures(schema.rowBound()))
            .isGreaterThanOrEqualTo(schema.intercept());
      }
    }
  }

  @Test
  void sketchesThatAreNotTightHaveTheLargestNorm() {
    RowSchema schema = plan(0.01, 100, "y").schema(false, MissingValues.REJECT);
    assertThat(schema.rowBound()).isEqualTo(RowSchema.largestNorm(COLUMNS, 1.0));
    assertThat(schema.responses().isEmpty()).isTrue();
  }

  @Test
  void theInterceptIsAsLargeAsAColumn() {
    RowBoundPlan plan =
        new RowBoundPlan(
            COLUMNS,
            OptionalDouble.empty(),
            Map.of("a", 2.0),
            List.of(),
            new Budget(1, 1e-9, Neighbours.REPLACE_ONE),
            1000,
            false);
    double mean = (0.0625 + 1 + 2.0 / 3 + 1) / 5; // two encoded columns of c
    assertThat(plan.schema(true, MissingValues.REJECT).intercept())
        .isCloseTo(Math.sqrt(mean), within(1e-12));
  }

  /** More rows and larger budgets allow a looser bound, which never passes what ranges allow. */
  @Test
  void theBoundGrowsAsTheNoiseShrinks() {
    double before = 0.0;
    for (long rows = 100; rows <= 1_000_000_000; rows *= 10) {
      double bound = plan(1.0, rows).schema(true, MissingValues.REJECT).rowBound();
      assertThat(bound).isGreaterThanOrEqualTo(before);
      before = bound;
    }
    assertThat(before).isEqualTo(RowSchema.largestNorm(COLUMNS, 1.0));
  }

  /**
   * Kappa has no steps at which a little more noise costs much: 10^(2/5) for ten times the rows.
   */
  @Test
  void kappaGrowsLittleByLittle() {
    double before = plan(1.0, 100).kappa();
    assertThat(before).isEqualTo(1.15);
    for (double rows = 200; rows <= 1e6; rows *= 2) {
      double kappa = plan(1.0, (long) rows).kappa();
      assertThat(kappa).isBetween(before, 1.32 * before + 0.125);
      before = kappa;
    }
    assertThat(before).isBetween(4.0, 8.0);
    assertThat(plan(10.0, 8_000_000_000L).kappa()).isGreaterThan(1000.0); // no noise to speak of
  }

  /** The end of a range is only two default spreads away, and hardly any row is as long. */
  @Test
  void withoutSpreadsKappaGrowsHalfAsMuch() {
    Budget budget = new Budget(1, 1e-9, Neighbours.REPLACE_ONE);
    List<Column> columns = List.of(new NumericColumn("a", -1, 1), new NumericColumn("b", -1, 1));
    OptionalDouble none = OptionalDouble.empty();
    double without =
        new RowBoundPlan(columns, none, Map.of(), List.of(), budget, 50_000, true).kappa();
    Map<String, Double> spreads = Map.of("a", 0.5, "b", 0.5);
    double with = new RowBoundPlan(columns, none, spreads, List.of(), budget, 50_000, true).kappa();
    assertThat(with).isGreaterThan(3.0);
    assertThat(without - 1.0).isCloseTo(0.5 * (with - 1.0), within(0.125));
  }

  /**
   * A response that its features explain is as long as they are, so its bound follows theirs where
   * that is wide; and it gets more spreads as the noise falls, up to the end of its range.
   */
  @Test
  void theResponseGetsMoreRoomAsTheNoiseShrinks() {
    List<Column> columns =
        Stream.of("a", "b", "c", "d", "e", "f", "g", "y")
            .map(name -> (Column) new NumericColumn(name, -20, 20))
            .toList();
    Map<String, Double> spreads = columns.stream().collect(toMap(Column::name, c -> 1.0));
    double before = 0.0;
    for (long rows : new long[] {100, 30_000, 300_000, 8_000_000_000L}) {
      RowSchema schema =
          new RowBoundPlan(
                  columns,
                  OptionalDouble.empty(),
                  spreads,
                  List.of("y"),
                  new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
                  rows,
                  true)
              .schema(true, MissingValues.REJECT);
      double bound = schema.responses().bound();
      if (rows == 100) {
        assertThat(bound * 20).isCloseTo(3.25, within(1e-12));
      } else {
        double features = schema.responses().ofFeatures(schema.rowBound());
        assertThat(bound).isBetween(Math.min(1.0, 0.7 * features), 1.0).isGreaterThan(before);
      }
      before = bound;
    }
    assertThat(before).isEqualTo(1.0);
  }

  /** Spreads of .2, 1, 1 and 1/2 in the encoded scale; all are encoded with the smallest. */
  @Test
  void columnsAreEncodedWithEqualSpreads() {
    List<Column> columns =
        List.of(
            new NumericColumn("a", -10, 10),
            new NumericColumn("b", 0, 1),
            new IndicatorColumn("c", "c", "yes"),
            new CategoryColumn("d", "d", List.of("u", "v", "w", "x")));
    RowBoundPlan plan =
        new RowBoundPlan(
            columns,
            OptionalDouble.empty(),
            Map.of("a", 2.0),
            List.of(),
            new Budget(1, 1e-9, Neighbours.REPLACE_ONE),
            1000,
            true);
    assertThat(plan.factors()).containsExactly(1.0, 0.2, 0.2, 0.2 / 0.5);
    assertThat(plan.intercept()).isCloseTo(0.2, within(1e-15)); // the root of the mean square
    RowSchema schema = plan.schema(true, MissingValues.REJECT);
    assertThat(schema.factors()).isEqualTo(plan.factors());
    assertThat(schema.rowBound()).isCloseTo(Math.sqrt(1.15 * 7 * 0.04), within(1e-12));
    assertThat(schema.encoded(2, 1.0)).isCloseTo(0.2, within(1e-15));
    assertThat(schema.half(3)).isEqualTo(0.5 / 0.2);
    assertThat(schema.half(4)).isEqualTo(1.0 / 0.4);
  }

  /** As they are, where no spread is given, and for sketches that cut ranges into parts. */
  @Test
  void columnsFillTheirRangesOtherwise() {
    Budget budget = new Budget(1, 1e-9, Neighbours.REPLACE_ONE);
    OptionalDouble none = OptionalDouble.empty();
    assertThat(
            new RowBoundPlan(COLUMNS, none, Map.of(), List.of(), budget, 9, true)
                .schema(true, MissingValues.REJECT)
                .isScaled())
        .isFalse();
    assertThat(
            new RowBoundPlan(COLUMNS, none, Map.of("a", 0.1), List.of(), budget, 9, false)
                .factors())
        .containsOnly(1.0);
  }
}
