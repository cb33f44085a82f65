package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much worse a ridge is than the true model where 8 of many columns matter: from columns that
 * are selected from moments or from rows that are read again, and from moments of all columns,
 * beside the figures of a prototype. Rows are made once for all budgets.
 */
final class SelectFitTable {
  static final String TABLE = "select-fit";

  private static final int SELECTED = 12;
  private static final int MOST_FOR_MOMENTS = 100; // more columns take minutes for each fit
  private static final double PERCENT = 100.0;

  /** The row bounds of the prototype: what 99 % of rows are below. */
  private static final Map<Integer, Double> BOUNDS =
      Map.of(20, 2.0, 100, 3.9, 400, 7.2, 1000, 11.1);

  private final int releases;
  private final PrintStream out;
  private final Aims aims;

  SelectFitTable(int releases, PrintStream out) throws IOException {
    this.releases = releases;
    this.out = out;
    this.aims = Aims.of(TABLE);
  }

  void print(List<String> epsilons) {
    out.println(
        "\n| d | rows | correlations | epsilon | one reading, one round: excess, % | aim | ratio"
            + " | two readings, one round: excess, % | aim | ratio"
            + " | two readings, three rounds: excess, % | aim | ratio | `noisy-moments`, % |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (List<String> rows : aims.first(3)) {
      List<String> budgets =
          aims.first(4).stream()
              .filter(key -> key.subList(0, 3).equals(rows) && epsilons.contains(key.get(3)))
              .map(key -> key.get(3))
              .toList();
      if (!budgets.isEmpty()) {
        print(rows, budgets);
      }
    }
  }

  /** Prints the lines of rows that a number of columns, one of rows and a correlation describe. */
  private void print(List<String> of, List<String> epsilons) {
    int features = Integer.parseInt(of.get(0));
    int rows = Integer.parseInt(of.get(1));
    FewSlopes made = new FewSlopes(features, Double.parseDouble(of.get(2)), rows);
    RepeatedReleases sums = new RepeatedReleases(plan(features, rows, "1.0", select(1, 1)));
    RepeatedReleases held = new RepeatedReleases(plan(features, rows, "1.0", select(1, 2)));
    add(made, rows, sums, held);
    for (String epsilon : epsilons) {
      double once = excess(made, sums.under(plan(features, rows, epsilon, select(1, 1))));
      double one = excess(made, held.under(plan(features, rows, epsilon, select(1, 2))));
      double three = excess(made, held.under(plan(features, rows, epsilon, select(3, 2))));
      String all =
          features > MOST_FOR_MOMENTS
              ? Aims.NONE
              : String.format(
                  Locale.ROOT,
                  "%.3g",
                  excess(made, sums.under(plan(features, rows, epsilon, moments()))));
      out.printf(
          Locale.ROOT,
          "| %,d | %,d | %s | %s | %s | %s | %s | %s |%n",
          features,
          rows,
          of.get(2),
          epsilon,
          aims.cells(once, key(of, epsilon, "one round")),
          aims.cells(one, key(of, epsilon, "one round and a second reading")),
          aims.cells(three, key(of, epsilon, "three rounds and a second reading")),
          all);
    }
  }

  private static String[] key(List<String> of, String epsilon, String mechanism) {
    return Stream.concat(of.stream(), Stream.of(epsilon, mechanism)).toArray(String[]::new);
  }

  private static SketchRequest select(int rounds, int readings) {
    Map<String, String> options =
        Map.of(
            "selected",
            Integer.toString(SELECTED),
            "rounds",
            Integer.toString(rounds),
            "readings",
            Integer.toString(readings));
    return new SketchRequest("released", SelectFit.NAME, 1.0, options);
  }

  private static SketchRequest moments() {
    return new SketchRequest("released", NoisyMoments.NAME, 1.0, Map.of());
  }

  private static StreamPlan plan(int features, int rows, String epsilon, SketchRequest sketch) {
    List<NumericColumn> columns =
        IntStream.rangeClosed(0, features)
            .mapToObj(k -> k < features ? "x" + k : "y")
            .map(name -> new NumericColumn(name, name, -1, 1))
            .toList();
    double bound = BOUNDS.get(features);
    return StreamPlan.of(
        new StreamRequest(
            "wide",
            RowSchema.of(columns, FewSlopes.INTERCEPT, bound, MissingValues.REJECT),
            new Budget(Double.parseDouble(epsilon), 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            rows,
            List.of(),
            List.of(sketch)));
  }

  /** Adds made-up rows to the sums, and to those that are held. */
  private static void add(FewSlopes made, int rows, RepeatedReleases sums, RepeatedReleases held) {
    RowEncoder encoder = new RowEncoder(sums.schema());
    EncodedRow encoded = new EncodedRow(sums.schema().dimension());
    double[] scaled = new double[sums.schema().dimension()];
    try {
      for (int i = 0; i < rows; i++) {
        double[] row = made.next();
        encoder.begin();
        for (int k = 0; k < row.length; k++) {
          encoder.number(k, row[k]);
        }
        encoder.scale(scaled);
        encoder.encode(encoded);
        sums.add(encoded);
        held.add(scaled, encoded);
      }
    } catch (RowRejectedException e) {
      throw new IllegalStateException("a made-up row was rejected", e);
    }
  }

  /** The median excess in percent. */
  private double excess(FewSlopes made, RepeatedReleases sums) {
    RowSchema schema = sums.schema();
    String response = schema.encodedNames().get(schema.dimension() - 1);
    RegressionProblem problem = RegressionProblem.of(schema, response);
    double[] excess = new double[releases];
    for (int r = 0; r < releases; r++) {
      Fit fit = ((FitOutcome.Fitted) Regression.fit(FitInput.of(sums.next()), problem)).fit();
      excess[r] = PERCENT * made.excess(fit.coefficients().toArray());
    }
    return MeasuredFits.median(excess);
  }
}
