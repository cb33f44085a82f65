package io.gauze.mechanism.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.CalibrationEpochs;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HuberPlanTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          IntStream.range(0, 12)
              .mapToObj(k -> (Column) new NumericColumn("c" + k, "c" + k, -1, 1))
              .toList(),
          0.5,
          3.0,
          MissingValues.REJECT);

  private static HuberModel model(double epsilon, long rows, Map<String, String> options) {
    StreamRequest request =
        new StreamRequest(
            "planned",
            SCHEMA,
            new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            rows,
            List.of(),
            List.of(new SketchRequest("m", HuberTrack.NAME, 1.0, options)));
    return ((HuberTrack) StreamPlan.of(request).sketch("m").mechanism()).fit();
  }

  private static HuberModel model(double epsilon, long rows, double threshold) {
    return model(
        epsilon, rows, Map.of("threshold", Double.toString(threshold), "featureBound", "1.4"));
  }

  private static double share(double epsilon, long rows, double threshold) {
    return model(epsilon, rows, threshold).objective().determinantShare();
  }

  /** A threshold that is large for the rows has much noise, which a larger ridge holds back. */
  @Test
  void theRidgeGrowsWhereNoiseIsLarge() {
    assertThat(share(0.1, 5_000, 0.2)).isEqualTo(0.2);
    assertThat(share(1.0, 5_000, 0.2)).isEqualTo(0.25);
    assertThat(share(1.0, 5_000, 0.1)).isEqualTo(0.3);
    assertThat(share(1.0, 300_000, 0.2)).isEqualTo(0.3);
  }

  @Test
  void aPlannedThresholdSuitsTheUsualShare() {
    for (double epsilon : new double[] {0.5, 1.0, 5.0}) {
      for (long rows : new long[] {5_000, 50_000, 500_000}) {
        assertThat(model(epsilon, rows, Map.of()).objective().determinantShare()).isEqualTo(0.3);
      }
    }
  }

  /** Cells of one series must have one share, or a row that moves between them costs more. */
  @Test
  void anotherShareIsAnotherSeries() {
    HuberModel usual = model(1.0, 300_000, 0.2);
    HuberModel other =
        new HuberModel(
            usual.name(),
            usual.spec(),
            usual.columns(),
            usual.loss(),
            usual.objective().withDeterminantShare(0.25),
            usual.expectedRows());
    assertThat(other.shape()).isNotEqualTo(usual.shape());
  }

  /**
   * Chosen ranges and expected rows are in no fingerprint of such a series, so neither is a share.
   */
  @ParameterizedTest
  @ValueSource(strings = {HuberTrack.NAME, LogisticModel.NAME})
  void theShareIsFixedWhereRangesAreChosenFromRows(String mechanism) {
    Set<Double> shares = new HashSet<>();
    for (long rows : new long[] {100, 400, 800, 5_000}) {
      StreamPlan plan =
          CalibrationEpochs.plan(request(mechanism, 0.1, rows), 0.1, List.of("c0", "c1"));
      for (double half : new double[] {0.15, 50.0}) {
        StreamPlan chosen =
            CalibrationEpochs.withRanges(plan, schema(half), new ReleaseId("s", "all", "0", "c"))
                .orElseThrow();
        shares.add(share(chosen));
        // counted and released are the same rows
        StreamRequest same = request(mechanism, 0.1, rows).withSchema(schema(half));
        shares.add(share(StreamPlan.of(same.withRangeShare(0.1))));
      }
    }
    assertThat(shares).containsExactly(0.3);
  }

  private static double share(StreamPlan plan) {
    Mechanism mechanism = plan.sketch("m").mechanism();
    ObjectiveMechanism model =
        mechanism instanceof HuberTrack track ? track.fit() : (ObjectiveMechanism) mechanism;
    return model.objective().determinantShare();
  }

  /** Without that, the first of these has another share. */
  @Test
  void theShareIsPlannedWhereRangesAreKnown() {
    StreamPlan known = StreamPlan.of(request(HuberTrack.NAME, 0.1, 400).withSchema(schema(0.15)));
    assertThat(share(known)).isLessThan(0.3);
  }

  private static RowSchema schema(double half) {
    return RowSchema.of(
        List.of(new NumericColumn("c0", 0, 1), new NumericColumn("c1", 50 - half, 50 + half)), 0.5);
  }

  private static StreamRequest request(String mechanism, double epsilon, long rows) {
    Map<String, String> options =
        mechanism.equals(HuberTrack.NAME) ? Map.of("threshold", "0.1") : Map.of();
    return new StreamRequest(
        "chosen",
        schema(0.5),
        new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
        StreamRequest.ROW,
        rows,
        List.of(),
        List.of(new SketchRequest("m", mechanism, 1.0, options)));
  }
}
