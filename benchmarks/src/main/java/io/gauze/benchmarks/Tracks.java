package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How much worse models that are kept up to date are than a fit of many rows of the same epoch: on
 * streams of 80 epochs whose model stays, turns or changes at once, with epochs of equal or of wild
 * sizes.
 */
final class Tracks {
  static final String TABLE = "tracks";

  private static final List<SketchRequest> MODELS =
      List.of(
          new SketchRequest("model", "huber-track", 1.0, Map.of("threshold", "0.05")),
          new SketchRequest("model", "irls-track", 1.0, Map.of()));

  /** A stream and the seed of the noise. */
  private record Run(TrackRows rows, long seed) {
    static Run of(TrackRows.Stream stream, long seed) {
      return new Run(new TrackRows(stream, seed), seed);
    }
  }

  private final int seeds;
  private final PrintStream out;
  private final TrackCells cells;

  Tracks(int seeds, PrintStream out) throws IOException {
    this.seeds = seeds;
    this.out = out;
    this.cells = new TrackCells();
  }

  void print(List<String> epsilons) {
    out.println(
        "\n| stream | epsilon | mechanism | "
            + TrackCells.TITLES
            + " | no private fit of one epoch |");
    out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (TrackRows.Stream stream : TrackRows.Stream.values()) {
      List<Run> runs = IntStream.range(0, seeds).mapToObj(seed -> Run.of(stream, seed)).toList();
      double exact =
          TrackCells.median(
              runs.stream().map(run -> run.rows.ofOneEpoch()).toList(),
              each -> Arrays.stream(each).average().orElseThrow());
      for (String epsilon : epsilons) {
        for (SketchRequest model : MODELS) {
          TrackingMechanism mechanism = mechanism(Double.parseDouble(epsilon), model);
          List<double[]> excesses = runs.stream().map(run -> excesses(run, mechanism)).toList();
          out.printf(
              Locale.ROOT,
              "| %s | %s | `%s` | %s | %.3g |%n",
              stream.label,
              epsilon,
              mechanism.name(),
              cells.of(mechanism.name(), stream, epsilon, excesses),
              exact);
        }
      }
    }
  }

  private static TrackingMechanism mechanism(double epsilon, SketchRequest model) {
    List<Column> columns = new ArrayList<>();
    for (int k = 0; k < TrackRows.FEATURES; k++) {
      columns.add(new NumericColumn("x" + k, "x" + k, -1, 1));
    }
    columns.add(new NumericColumn("y", "y", -1, 1));
    StreamRequest request =
        new StreamRequest(
            "tracks",
            RowSchema.of(columns, TrackRows.INTERCEPT, TrackRows.ROW_BOUND, MissingValues.REJECT),
            new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            TrackRows.ROWS,
            List.of(),
            List.of(model));
    return (TrackingMechanism) StreamPlan.of(request).sketch("model").mechanism();
  }

  /** The excess at each checkpoint. */
  private static double[] excesses(Run run, TrackingMechanism mechanism) {
    Entropy entropy = Randomness.insecureForTests(run.seed).entropy("tracks");
    Map<Integer, double[]> kept = new TreeMap<>();
    Optional<PreviousRelease> last = Optional.empty();
    for (int epoch = 1; epoch <= TrackRows.EPOCHS; epoch++) {
      EpochFitter fit = mechanism.begin(last, entropy);
      for (double[] row : run.rows.rows(epoch)) {
        fit.add(row);
      }
      long[] numbers = fit.numbers();
      last = Optional.of(PreviousRelease.of(numbers, 1));
      double[] theta = new double[TrackRows.FEATURES + 1];
      for (int k = 0; k < theta.length; k++) {
        theta[k] = numbers[k] * mechanism.stepSize();
      }
      kept.put(epoch, theta);
    }
    return TrackRows.CHECKPOINTS.stream()
        .mapToDouble(at -> run.rows.excess(at, kept.get(at)))
        .toArray();
  }
}
