package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.release.Release;
import io.gauze.row.Column;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BestFitTest {
  private static final int FEATURES = 6;
  private static final int ROWS = 20_000;

  private static RowSchema schema() {
    List<Column> columns = new ArrayList<>();
    for (int k = 0; k < FEATURES; k++) {
      columns.add(new NumericColumn("x" + k, -1, 1));
    }
    columns.add(new NumericColumn("y", -1, 1));
    return RowSchema.of(columns, 0.5, 1.5, MissingValues.REJECT);
  }

  /** Moments of all columns, and of one selected column, where all have the same slope. */
  private static List<Release> releases() {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                "best",
                schema(),
                new Budget(4.0, 1e-6, Neighbours.ADD_REMOVE),
                StreamRequest.ROW,
                ROWS,
                List.of(),
                List.of(
                    new SketchRequest("all", "noisy-moments", 1.0, Map.of()),
                    new SketchRequest(
                        "few", "select-fit", 1.0, Map.of("selected", "1", "readings", "1")))));
    LocalSketch sketch = new LocalSketch(plan, Randomness.insecureForTests(3));
    SplittableRandom random = new SplittableRandom(4);
    double steps = 1.0 / plan.schema().grid().step();
    EncodedRow row = new EncodedRow(FEATURES + 2);
    row.values()[0] = (int) (0.5 * steps);
    for (int i = 0; i < ROWS; i++) {
      double y = 0.02 * random.nextGaussian();
      for (int k = 1; k <= FEATURES; k++) {
        double x = random.nextDouble(-0.5, 0.5);
        row.values()[k] = (int) (x * steps);
        y += 0.3 * x;
      }
      row.values()[FEATURES + 1] = (int) (y * steps);
      sketch.add(row);
    }
    return sketch.release();
  }

  /** The fit of one column predicts more excess: it allows for what the others explain. */
  @Test
  void fitsOfSelectedFeaturesComeAfterCompleteOnes() {
    List<FitSource> sources =
        releases().stream().map(release -> FitSource.of(List.of(release))).toList();
    BestFit best =
        BestFit.of(
            sources,
            new FitQuestion("y", List.of(), Loss.SQUARED, Penalty.AUTO, false, true, false));
    double all = best.attempts().get(0).fit().orElseThrow().predictedExcess();
    double few = best.attempts().get(1).fit().orElseThrow().predictedExcess();
    assertThat(few).isGreaterThan(5.0 * all);
    assertThat(best.best()).contains(best.attempts().get(0));
    assertThat(best.attempts().get(0).verdict()).isEqualTo(FitQuality.GOOD);
    assertThat(best.attempts().get(1).verdict()).isEqualTo(FitQuality.DOUBTFUL);
  }
}
