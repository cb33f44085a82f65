package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.StreamPlan;
import io.gauze.regression.ExactRows;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.CsvRows;
import io.gauze.source.JsonRowDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How much worse fits of releases are than fits of the rows, on reference data, under configs that
 * say what is public and nothing else: no row bound, no intercept.
 */
public final class Accuracy {
  private record Data(String name, String file) {}

  /** What the config says beside ranges. */
  private enum Said {
    RANGES("ranges"),
    TYPICAL("and typical values"),
    RESPONSE("and the response");

    private final String label;

    Said(String label) {
      this.label = label;
    }

    String config(String text) {
      String without = this == RANGES ? text.replaceAll(", (typical|spread): [0-9._]+", "") : text;
      return this == RESPONSE ? without : without.replaceAll("(?m)^response: .*$", "");
    }
  }

  private static final List<Data> DATA =
      List.of(
          new Data("wine", "winequality-white.csv"),
          new Data("california", "california_housing.csv.gz"),
          new Data("diamonds", "diamonds.csv.gz"),
          new Data("flights", "flights.csv.gz"));

  private static final List<String> EPSILONS = List.of("0.1", "1.0", "5.0");
  private static final String EPSILON = "epsilon: 1.0,";
  private static final double PERCENT = 100.0;

  private final Path folder;
  private final int releases;
  private final PrintStream out;

  private Accuracy(Path folder, int releases, PrintStream out) {
    this.folder = folder;
    this.releases = releases;
    this.out = out;
  }

  /** Arguments: the folder of the reference data, and how many releases of each (20). */
  public static void main(String[] args) throws IOException, ConfigException {
    int releases = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    new Accuracy(Path.of(args[0]), releases, out).run();
  }

  private void run() throws IOException, ConfigException {
    out.println(
        "| data, rows | epsilon | the config says | row bound | ridge: excess, % | predicted, % |"
            + " LAD: excess, % | predicted, % |");
    out.println("|---|---|---|---|---|---|---|---|");
    for (Data data : DATA) {
      for (String epsilon : EPSILONS) {
        for (Said said : Said.values()) {
          line(data, epsilon, said);
        }
      }
    }
  }

  private void line(Data data, String epsilon, Said said) throws IOException, ConfigException {
    String text = said.config(config(data)).replace(EPSILON, "epsilon: " + epsilon + ",");
    Errors ridge = errors(data, text, Loss.SQUARED);
    Errors lad = errors(data, text.replace("noisy-moments", "stratified-moments"), Loss.ABSOLUTE);
    out.printf(
        Locale.ROOT,
        "| %s, %,d | %s | %s | %.2f | %s | %s |%n",
        data.name(),
        ridge.rows(),
        epsilon,
        said.label,
        ridge.rowBound(),
        ridge.cells(),
        lad.cells());
  }

  /** Medians over releases; infinite where most fits were refused. */
  private record Errors(int rows, double rowBound, double excess, double predicted) {
    String cells() {
      return String.format(Locale.ROOT, "%.3g | %.3g", PERCENT * excess, PERCENT * predicted);
    }
  }

  private Errors errors(Data data, String text, Loss loss) throws IOException, ConfigException {
    StreamConfig config = StreamConfig.parse(data.name(), text);
    StreamPlan plan = StreamPlan.of(config.request(List.of()));
    RowSchema schema = plan.schema();
    String response = schema.encodedNames().get(schema.dimension() - 1);
    RegressionProblem problem = RegressionProblem.of(schema, response).withLoss(loss);
    ExactRows rows = ExactRows.create(schema.dimension(), 1.0 / schema.half(0));
    RepeatedReleases sums = new RepeatedReleases(plan);
    read(data, schema, rows, sums);
    double best = error(rows, fitted(Regression.fit(rows, problem.withLambda(0.0))), loss);
    double[] excess = new double[releases];
    double[] predicted = new double[releases];
    for (int k = 0; k < releases; k++) {
      FitOutcome outcome = Regression.fit(FitInput.of(sums.next()), problem);
      boolean isFitted = outcome instanceof FitOutcome.Fitted;
      excess[k] =
          isFitted ? error(rows, fitted(outcome), loss) / best - 1.0 : Double.POSITIVE_INFINITY;
      predicted[k] = isFitted ? fitted(outcome).predictedExcess() : Double.POSITIVE_INFINITY;
    }
    return new Errors(rows.rows(), schema.rowBound(), median(excess), median(predicted));
  }

  private void read(Data data, RowSchema schema, ExactRows rows, RepeatedReleases sums)
      throws IOException {
    RowFields fields = RowFields.of(schema, List.of());
    RowEncoder encoder = new RowEncoder(schema);
    RowImage image = new RowImage(fields, encoder);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    double[] row = new double[schema.dimension()];
    EncodedRow encoded = new EncodedRow(schema.dimension());
    long left = 0;
    try (CsvRows records = CsvRows.open(folder.resolve(data.file()).toString(), schema)) {
      while (records.hasNext()) {
        try {
          decoder.decode(records.next(), image);
          image.scale(row);
          image.encode(encoded);
          rows.add(row);
          sums.add(encoded);
        } catch (RowRejectedException e) {
          left++; // a missing value, for instance
        }
      }
    }
    if (left > rows.rows() / 10) {
      throw new IOException(data.file() + ": " + left + " rows could not be encoded");
    }
  }

  private static double error(ExactRows rows, Fit fit, Loss loss) {
    return loss.isSquared() ? rows.rmse(fit) : rows.mae(fit);
  }

  private static Fit fitted(FitOutcome outcome) {
    return ((FitOutcome.Fitted) outcome).fit();
  }

  private static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return 0.5 * (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]);
  }

  private static String config(Data data) throws IOException {
    String name = "accuracy-" + data.name() + ".yaml";
    try (InputStream in = Accuracy.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
