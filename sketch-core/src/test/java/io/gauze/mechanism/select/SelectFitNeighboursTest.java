package io.gauze.mechanism.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.model.ModelRows;
import io.gauze.model.RowProducts;
import io.gauze.plan.StreamPlan;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches for neighbours, records that go through the encoder, whose sums differ by more than is
 * charged: rows at the ends of their ranges, beyond them, at the bound and far above it, alone or
 * in place of each other, in one cell or in two.
 */
final class SelectFitNeighboursTest {
  private static final int SELECTED = 3;
  private static final int TRIALS = 20_000;

  /** Numbers, in several scales and bounds, with and without a response that is clipped apart. */
  static Stream<RowSchema> schemas() {
    RowSchema numbers = Fixtures.numbers(8, 0.5, 2.0);
    List<Column> mixed = new ArrayList<>();
    for (int k = 0; k < 5; k++) {
      mixed.add(new NumericColumn("x" + k, "x" + k, -k, 10));
    }
    mixed.add(new IndicatorColumn("yes", "sex", "Yes"));
    mixed.add(new CategoryColumn("region", "region", List.of("a", "b", "c", "d")));
    mixed.add(new NumericColumn("y", "y", 0, 1e6));
    RowSchema all = RowSchema.of(mixed, 0.25, 1.3, MissingValues.MIDPOINT);
    List<Double> factors = List.of(1.0, 0.5, 0.25, 0.03, 0.7, 1.0, 0.4, 0.6);
    return Stream.of(
        numbers,
        Fixtures.numbers(8, 0.3, 0.7),
        numbers.withResponses(new ResponseBound(List.of("x7"), 0.45)),
        all,
        all.withFactors(factors),
        all.withFactors(factors).withResponses(new ResponseBound(List.of("y"), 0.2)));
  }

  private static SelectFitRows planned(RowSchema schema, Neighbours neighbours) {
    SketchRequest sketch =
        new SketchRequest(
            "s",
            SelectFit.NAME,
            1.0,
            Map.of("selected", Integer.toString(SELECTED), "rounds", "1"));
    return (SelectFitRows)
        StreamPlan.of(Fixtures.request(schema, new Budget(1.0, 1e-6, neighbours), sketch))
            .sketch("s")
            .mechanism();
  }

  /** What one row, or one in place of another, changes: moments and scores over what is charged. */
  @ParameterizedTest
  @MethodSource("schemas")
  void noNeighboursDifferByMoreThanIsCharged(RowSchema schema) throws Exception {
    SelectFitRows removed = planned(schema, Neighbours.ADD_REMOVE);
    SelectFitRows replaced = planned(schema, Neighbours.REPLACE_ONE);
    SplittableRandom random = new SplittableRandom(schema.dimension());
    RowEncoder encoder = new RowEncoder(schema);
    double[] most = new double[4];
    for (int trial = 0; trial < TRIALS; trial++) {
      int[] columns = columns(removed, random);
      double[] theta = theta(random);
      double[] record = record(schema, columns, random);
      double[] a = row(encoder, schema, record);
      double[] b =
          row(
              encoder,
              schema,
              trial % 2 == 0
                  ? opposite(schema, columns, record, random)
                  : record(schema, columns, random));
      Change none = Change.of(removed, columns, theta, List.of(a), List.of());
      Change other = Change.of(replaced, columns, theta, List.of(a), List.of(b));
      double[] spent = {
        none.moments / removed.bounds().moments(SELECTED),
        none.score / removed.bounds().score(),
        other.moments / replaced.bounds().moments(SELECTED),
        other.score / replaced.bounds().score()
      };
      for (int k = 0; k < spent.length; k++) {
        assertThat(spent[k]).isLessThanOrEqualTo(1.0);
        most[k] = Math.max(most[k], spent[k]);
      }
      // the same two rows in two cells: one leaves the first, the other enters the second
      Change leaves = Change.of(replaced, columns, theta, List.of(a), List.of());
      Change enters = Change.of(replaced, columns, theta, List.of(), List.of(b));
      assertThat(Math.hypot(leaves.mu(replaced), enters.mu(replaced)))
          .isLessThanOrEqualTo(replaced.plan().mu());
      assertThat(other.mu(replaced)).isLessThanOrEqualTo(replaced.plan().mu());
      assertThat(none.mu(removed)).isLessThanOrEqualTo(removed.plan().mu());
    }
    // the search has eyes: rows of the bound in the moments, scores up to rounding
    assertThat(most[0]).isGreaterThan(0.9);
    assertThat(most[1]).isGreaterThan(0.97);
    assertThat(most[2]).isGreaterThan(0.75);
    assertThat(most[3]).isGreaterThan(0.97);
  }

  /** The differences of all sums between two data sets. */
  private record Change(double moments, double score) {
    static Change of(
        SelectFitRows planned,
        int[] columns,
        double[] theta,
        List<double[]> first,
        List<double[]> second) {
      ModelRows one = held(planned, first);
      ModelRows two = held(planned, second);
      long[] before = planned.moments(one, columns);
      long[] after = planned.moments(two, columns);
      double square = 0.0;
      int next = 0;
      for (int i = 0; i < columns.length; i++) {
        for (int j = i; j < columns.length; j++) {
          double d = (double) (before[next] - after[next]) * planned.stepSize();
          square += (i == j ? 1.0 : 2.0) * d * d;
          next++;
        }
      }
      int response = planned.bounds().whole().response();
      int[] model = {0, columns[1] < response ? columns[1] : columns[1] - 1};
      long[] mine = products(planned, one, model, theta);
      long[] theirs = products(planned, two, model, theta);
      double score = 0.0;
      for (int k = 1; k < mine.length; k++) {
        score = Math.max(score, Math.abs((double) (mine[k] - theirs[k]))); // beside other rows
      }
      return new Change(Math.sqrt(square), score / RowProducts.units());
    }

    private static long[] products(
        SelectFitRows planned, ModelRows rows, int[] model, double[] theta) {
      SelectedBounds bounds = planned.bounds();
      return new RowProducts(rows).products(model, theta, bounds.column(), bounds.residual());
    }

    private static ModelRows held(SelectFitRows planned, List<double[]> rows) {
      ModelRows held = planned.rows();
      rows.forEach(row -> planned.add(held, row));
      return held;
    }

    /** The mu that all draws and the released moments spend on this change. */
    double mu(SelectFitRows planned) {
      double range = Math.max(1e-9, 2.0 * score * planned.rate());
      double draws = SELECTED * Math.pow(BoundedRange.mu(range), 2);
      double sigma = planned.sigma() * planned.stepSize();
      return Math.sqrt(draws + Math.pow(moments / sigma, 2));
    }
  }

  /** The intercept, random columns in their order, and the response. */
  private static int[] columns(SelectFitRows planned, SplittableRandom random) {
    int dimension = planned.spec().dimension();
    int response = planned.bounds().whole().response();
    int[] candidates =
        random
            .ints(1, dimension)
            .filter(c -> c != response)
            .distinct()
            .limit(SELECTED)
            .sorted()
            .toArray();
    int[] columns = new int[SELECTED + 2];
    System.arraycopy(candidates, 0, columns, 1, SELECTED);
    columns[SELECTED + 1] = response;
    return columns;
  }

  private static double[] theta(SplittableRandom random) {
    double size = random.nextBoolean() ? 0.0 : random.nextDouble(0.0, 3.0);
    return new double[] {size * random.nextDouble(-1.0, 1.0), size * random.nextDouble(-1.0, 1.0)};
  }

  /** Encoded values as wished for, by encoded column: at the ends, or random. */
  private static double[] record(RowSchema schema, int[] columns, SplittableRandom random) {
    double[] wish = new double[schema.dimension()];
    double inside = random.nextDouble() < 0.5 ? 1.0 : random.nextDouble();
    for (int k = 1; k < wish.length; k++) {
      wish[k] = inside * (random.nextBoolean() ? 1.0 : -1.0) * (random.nextInt(3) > 0 ? 1.0 : 0.0);
    }
    wish[columns[SELECTED + 1]] = random.nextBoolean() ? 1.2 : -1.0;
    return wish;
  }

  /** A record whose features are as long as those of another one, and orthogonal to them. */
  private static double[] opposite(
      RowSchema schema, int[] columns, double[] record, SplittableRandom random) {
    double[] wish = record.clone();
    boolean response = random.nextBoolean();
    for (int k = 1; k < wish.length; k++) {
      wish[k] *= response == (k == columns[SELECTED + 1]) ? -1.0 : 1.0;
    }
    return random.nextBoolean() ? wish : record(schema, columns, random);
  }

  /** Encodes a record whose encoded values are near what is wished for. */
  private static double[] row(RowEncoder encoder, RowSchema schema, double... wish)
      throws RowRejectedException {
    encoder.begin();
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      int field = schema.fieldIndex(column.source());
      double value = wish[schema.offset(c)];
      if (column instanceof CategoryColumn) {
        encoder.text(field, List.of("a", "b", "c", "d").get((int) Math.abs(3.0 * value)));
      } else if (column instanceof IndicatorColumn) {
        encoder.text(field, value > 0.0 ? "Yes" : "No");
      } else {
        double half = 0.5 * (column.upper() - column.lower());
        encoder.number(field, column.lower() + half + value * half);
      }
    }
    double[] scaled = new double[schema.dimension()];
    encoder.scale(scaled);
    return scaled;
  }
}
