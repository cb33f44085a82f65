package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.plan.StreamPlan;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Streams to test with. */
public final class Fixtures {
  public static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
  public static final SketchRequest MOMENTS =
      new SketchRequest("moments", NoisyMoments.NAME, 1.0, Map.of());
  public static final SketchRequest BUCKETS =
      new SketchRequest("buckets", NoisyCountSketch.NAME, 2.0, Map.of("buckets", "8"));

  private Fixtures() {}

  /** One column of every kind: 7 encoded ones with the intercept. */
  public static RowSchema schema() {
    Map<String, Double> ranks = new LinkedHashMap<>();
    ranks.put("Fair", 0.0);
    ranks.put("Good", 1.0);
    ranks.put("Ideal", 2.0);
    List<Column> columns =
        List.of(
            new NumericColumn("alcohol", "alcohol", 8, 15),
            new OrdinalColumn("cut", "cut", ranks, 0, 2),
            new IndicatorColumn("female", "sex", "Female"),
            new CategoryColumn("region", "region", List.of("north", "south", "east")),
            new NumericColumn("quality", "quality", 0, 10));
    return RowSchema.of(columns, 0.5, 2.25, MissingValues.MIDPOINT);
  }

  /** Only numbers: {@code columns} of them. */
  public static RowSchema numbers(int columns, double intercept, double rowBound) {
    List<Column> list = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      list.add(new NumericColumn("x" + i, "x" + i, -1, 1));
    }
    return RowSchema.of(list, intercept, rowBound, MissingValues.MIDPOINT);
  }

  public static StreamRequest request(RowSchema schema, Budget budget, SketchRequest... sketches) {
    return new StreamRequest(
        "wine", schema, budget, StreamRequest.ROW, 1_000_000, List.of(), List.of(sketches));
  }

  public static StreamPlan plan() {
    return StreamPlan.of(request(schema(), BUDGET, MOMENTS, BUCKETS));
  }

  public static ReleaseId id(String sketch) {
    return new ReleaseId("wine", "all", "2026-01-01T00:00:00Z", sketch);
  }
}
