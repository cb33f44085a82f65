package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyHistogram;
import io.gauze.message.FitMessage;
import io.gauze.model.ModelRows;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.rows.ExactRows;
import io.gauze.release.Release;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that no test of their fits expects: each is said by a fit that it is meant for. */
final class RareMessagesTest {
  private static final int SEEDS = 20;
  private static final RowSchema SCHEMA =
      RowSchema.of(List.of(new NumericColumn("x", -1, 1), new NumericColumn("y", -1, 1)), 1.0);

  static void said(FitMessage entry, IntFunction<Fit> fits) {
    assertThat(IntStream.range(0, SEEDS).mapToObj(fits))
        .as("a fit says %s", entry)
        .anyMatch(fit -> Said.by(fit).contains(entry));
  }

  private static Fit noisy(int rows, double sigma, int seed) {
    Simulation simulation = new Simulation(6, 0.9, 8);
    return Simulation.fit(
        Simulation.release(simulation.moments(rows), sigma, new SplittableRandom(seed)),
        simulation.problem());
  }

  @Test
  void momentsOfFewRows() {
    said(FitMessage.ERROR, seed -> noisy(300, 8.0, seed));
    said(FitMessage.ROWS, seed -> noisy(100, 8.0, seed));
    said(FitMessage.WEAK, seed -> noisy(5_000, 110.0, seed + 1));
  }

  @Test
  void strata() {
    LadRows many = LadRows.simulated(100_000, 10, 1);
    said(FitMessage.STRATUM, seed -> many.fits(5, 1.0, 1).get(0));
    List<Fit> far = LadRows.independent(10_000, 3, 1).fits(64, 1.0, 4);
    said(FitMessage.STRATA, seed -> far.get(seed % 4));
  }

  /** A few rows are very long, and noise is so large that they are shortened. */
  @Test
  void transformedRowsThatAreShortened() {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                "s",
                SCHEMA,
                new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
                StreamRequest.ROW,
                2_000,
                List.of(),
                List.of(new SketchRequest("z", "two-stage-moments", 1.0, Map.of()))));
    RowsMechanism mechanism = (RowsMechanism) plan.sketch("z").mechanism();
    said(
        FitMessage.SHORTENED,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          ModelRows rows = mechanism.rows();
          for (int i = 0; i < 2_000; i++) {
            double x = (i % 10 == 0 ? 1.0 : 0.05) * random.nextDouble(-1.0, 1.0);
            mechanism.add(rows, 1.0, x, 0.5 * x + 0.05 * random.nextGaussian());
          }
          Randomness noise = Randomness.insecureForTests(seed);
          ReleaseId id = ReleaseId.parse("s/all/all/z");
          long[] numbers = mechanism.fit(rows, noise.entropy("z"));
          FitInput input = FitInput.of(Release.of(plan, id, noise, numbers));
          return ((FitOutcome.Fitted) Regression.fit(input, RegressionProblem.of(SCHEMA, "y")))
              .fit();
        });
  }

  @Test
  void cellsOfAHistogram() {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                "s",
                SCHEMA,
                new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
                StreamRequest.ROW,
                10_000,
                List.of(),
                List.of(new SketchRequest("h", NoisyHistogram.NAME, 1.0, Map.of("bins", "8")))));
    long[] cells = new long[plan.payload("h").length()];
    for (int i = 0; i < 8; i++) {
      cells[9 * i] = 1_000; // y is x
    }
    ReleaseId id = new ReleaseId("s", "all", "all", "h");
    FitInput input = FitInput.of(Release.of(plan, id, Randomness.insecureForTests(1), cells));
    RegressionProblem squares = RegressionProblem.of(SCHEMA, "y");
    said(FitMessage.BINS, seed -> ((FitOutcome.Fitted) input.solve(squares)).fit());
    RegressionProblem median = squares.withLoss(Loss.ABSOLUTE);
    said(FitMessage.CELLS, seed -> ((FitOutcome.Fitted) input.solve(median)).fit());
  }

  /** Least absolute deviations by Huber's loss, with a threshold far below the residuals. */
  @Test
  void searchesThatEndEarly() {
    said(
        FitMessage.GAP,
        seed -> {
          Simulation simulation = new Simulation(6, 0.99, seed);
          ExactRows rows = ExactRows.create(simulation.problem().names().size(), 0.5);
          for (int i = 0; i < 3_000; i++) {
            rows.add(simulation.row());
          }
          RegressionProblem huber = simulation.problem().withLoss(new Loss.Huber(1e-12));
          return ((FitOutcome.Fitted) Regression.fit(rows, huber)).fit();
        });
  }
}
