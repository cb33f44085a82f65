package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Fits of rows with skewed columns, with the planned row bound and with a larger one. */
final class SkewedTable {
  static final String TABLE = "skewed";

  private static final List<Double> FACTORS = List.of(1.0, 1.5);
  private static final String CELLS = "excess, % | predicted, % | covered, %";

  private final int releases;
  private final PrintStream out;

  SkewedTable(int releases, PrintStream out) {
    this.releases = releases;
    this.out = out;
  }

  void print(List<String> epsilons) throws IOException, ConfigException {
    out.println(
        "\n| rows of | epsilon | ridge: "
            + CELLS
            + " | with 1.5 times the row bound: "
            + CELLS
            + " | LAD: "
            + CELLS
            + " |");
    out.println("|---|---|" + "---|".repeat(9));
    for (SkewedRows rows : SkewedRows.values()) {
      AccuracyData data = rows.data();
      for (String epsilon : epsilons) {
        out.print("| " + rows.label() + " | " + epsilon + " |");
        double planned = AccuracyQuestion.RIDGE.sample(data, epsilon).rowBound();
        for (double factor : FACTORS) {
          String bound = String.format(Locale.ROOT, "rowBound: %s%n", factor * planned);
          AccuracyData bounded = factor == 1.0 ? data : data.with(data.config() + bound);
          out.print(cells(AccuracyQuestion.RIDGE.measured(bounded, epsilon, releases)));
        }
        out.println(cells(AccuracyQuestion.LAD.measured(data, epsilon, releases)));
      }
    }
  }

  private static String cells(MeasuredFits fits) {
    return " " + fits.cellsWithIntervals().replaceFirst(" \\| [^|]*$", " |");
  }
}
