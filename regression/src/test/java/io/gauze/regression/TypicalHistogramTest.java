package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyHistogram;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.histogram.ReleasedCounts;
import io.gauze.release.Release;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A typical value leaves bins that no row can be in: their noise must not count as rows. */
class TypicalHistogramTest {
  private static final int BINS = 16;

  private static ReleasedCounts counts(double typical) {
    List<NumericColumn> columns =
        List.of(new NumericColumn("x", "x", 0, 1, typical), new NumericColumn("y", -1, 1));
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                "s",
                RowSchema.of(columns, 1.0),
                new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
                StreamRequest.ROW,
                10_000,
                List.of(),
                List.of(
                    new SketchRequest("h", NoisyHistogram.NAME, 1.0, Map.of("bins", "" + BINS)))));
    long[] cells = new long[plan.payload("h").length()];
    ReleaseId id = new ReleaseId("s", "all", "all", "h");
    return (ReleasedCounts) FitInput.of(Release.of(plan, id, Randomness.SYSTEM, cells));
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "1, 7", "0.5, 0", "0.25, 5"}) // of 0.25 the range is [-1/3, 1]
  // The typical value itself is in the bin above it.
  void binsBeyondTheRangeHaveNoRows(double typical, int impossible) {
    ReleasedCounts counts = counts(typical);
    double[] row = new double[3];
    int without = 0;
    for (int cell = 0; cell < BINS * BINS; cell++) {
      without += counts.row(cell, row) ? 0 : 1;
    }
    assertThat(without).isEqualTo(impossible * BINS);
  }

  @Test
  void binsKeepTheirWidth() {
    for (double typical : new double[] {0, 0.25, 0.5, 1}) {
      assertThat(counts(typical).width(1)).isEqualTo(2.0 / BINS);
    }
  }
}
