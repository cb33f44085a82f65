package io.gauze.regression.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.FitMessage;
import io.gauze.model.ModelRows;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.rows.ExactRows;
import io.gauze.release.Release;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Predictions from releases of models, against what they are off by on rows of known laws. */
final class ExpectedModelTest {
  private static final int FEATURES = 6;
  private static final int ROWS = 8_000;
  private static final int RELEASES = 9;

  /** The deviation of every column in the encoded scale, which is public. */
  private static final double SPREAD = 0.25;

  private static final List<Column> COLUMNS = columns();
  private static final RowSchema SCHEMA = RowSchema.of(COLUMNS, SPREAD, 0.8, MissingValues.REJECT);

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    IntStream.range(0, FEATURES).forEach(k -> columns.add(new NumericColumn("x" + k, -1, 1)));
    columns.add(new NumericColumn("y", -1, 1));
    return columns;
  }

  private static StreamPlan plan(String mechanism, double epsilon, Map<String, String> options) {
    return plan(SCHEMA, mechanism, epsilon, options);
  }

  private static StreamPlan plan(
      RowSchema schema, String mechanism, double epsilon, Map<String, String> options) {
    return StreamPlan.of(
        new StreamRequest(
            "s",
            schema,
            new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(new SketchRequest("m", mechanism, 1.0, options))));
  }

  /** Normal rows: x_k = r x_(k-1) + ..., and y of the same deviation. */
  private static double[][] rows(double correlation, double explained) {
    SplittableRandom random = new SplittableRandom(9);
    double[][] rows = new double[ROWS][FEATURES + 2];
    double slope = Math.sqrt(explained / 2.0); // of the first and the last feature
    for (double[] row : rows) {
      row[0] = 1.0 / SCHEMA.half(0);
      double before = random.nextGaussian();
      for (int k = 1; k <= FEATURES; k++) {
        row[k] = SPREAD * before;
        before =
            correlation * before
                + Math.sqrt(1.0 - correlation * correlation) * random.nextGaussian();
      }
      double error = Math.sqrt(1.0 - explained) * SPREAD * random.nextGaussian();
      row[FEATURES + 1] = slope * (row[1] - row[FEATURES]) + error;
    }
    return rows;
  }

  /** The releases of a model of rows, and what its loss exceeds the least one by, in the median. */
  private static final class Measured {
    private final List<FitInput> inputs = new ArrayList<>();
    private final List<Fit> fits = new ArrayList<>();
    private final double excess;

    Measured(StreamPlan plan, Loss loss, double[]... rows) {
      RowsMechanism mechanism = (RowsMechanism) plan.sketches().get(0).mechanism();
      ModelRows held = mechanism.rows();
      ExactRows exact = ExactRows.create(SCHEMA.dimension(), 1.0 / SCHEMA.half(0));
      for (double[] row : rows) {
        mechanism.add(held, row);
        exact.add(row);
      }
      RegressionProblem problem = RegressionProblem.of(SCHEMA, "y").withLoss(loss);
      double best = exact.meanLoss(fitted(exact, problem.withLambda(0.0)));
      ReleaseId id = new ReleaseId("s", ReleaseId.ALL, ReleaseId.ALL, "m");
      double[] more = new double[RELEASES];
      for (int i = 0; i < RELEASES; i++) {
        Randomness seeded = Randomness.insecureForTests(i);
        Release release = Release.of(plan, id, seeded, mechanism.fit(held, seeded.entropy("m")));
        inputs.add(FitInput.of(release));
        fits.add(fitted(inputs.get(i), problem));
        more[i] = exact.meanLoss(fits.get(i)) / best - 1.0;
      }
      excess = median(more);
    }

    private static Fit fitted(FitInput input, RegressionProblem problem) {
      return ((FitOutcome.Fitted) Regression.fit(input, problem)).fit();
    }

    private static double median(double... values) {
      Arrays.sort(values);
      return values[values.length / 2];
    }

    double predicted() {
      return median(fits.stream().mapToDouble(Fit::predictedExcess).toArray());
    }

    double most() {
      return median(
          IntStream.range(0, RELEASES)
              .mapToDouble(i -> inputs.get(i).largestExcess(fits.get(i)))
              .toArray());
    }
  }

  /** The noise is most of the error: the law of the rows decides what it does. */
  @ParameterizedTest
  @CsvSource({"0.0, 0.5, 0.2", "0.9, 0.5, 0.2", "0.0, 0.1, 0.1", "0.9, 0.9, 0.5"})
  void predictionsAreWithinAFactorOfFour(double correlation, double explained, double epsilon) {
    Measured measured =
        new Measured(plan("huber", epsilon, Map.of()), Loss.ABSOLUTE, rows(correlation, explained));
    assertThat(measured.predicted()).isBetween(0.25 * measured.excess, 4.0 * measured.excess);
    assertThat(measured.most()).isGreaterThan(measured.excess);
  }

  /** Features that explain nothing have small coefficients, so a constant is nearly as good. */
  @Test
  void nothingToLearnIsSeen() {
    Measured measured = new Measured(plan("huber", 1.0, Map.of()), Loss.ABSOLUTE, rows(0.5, 1e-9));
    FitInput input = measured.inputs.get(0);
    Fit fit = measured.fits.get(0);
    assertThat(input.ignorance(fit).orElseThrow()).isLessThan(0.02);
    assertThat(FitQuality.of(input, fit)).isNotEqualTo(FitQuality.GOOD);
    assertThat(Said.by(fit)).contains(FitMessage.RANGE);
  }
}
