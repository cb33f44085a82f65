package io.gauze.benchmarks;

import io.gauze.row.EncodedRow;
import io.gauze.row.Grid;
import io.gauze.row.RowTag;
import io.gauze.sketch.CountSketchSpec;
import io.gauze.sketch.GaussianProjectionSpec;
import io.gauze.sketch.HistogramSpec;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.MultilevelSketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Rows added a second, by sketch. */
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SketchBenchmark {
  static final int BUCKETS = 1024;
  static final int PROJECTION_ROWS = 256;

  /** One sketch. */
  @State(Scope.Thread)
  public static class Sketch {
    /** Which. */
    @Param({"moments", "stratified", "count-sketch", "multilevel", "projection", "histogram"})
    public String sketch;

    LinearSketch<?> empty;

    /** Makes it. */
    @Setup
    public void make(Rows rows) {
      empty = spec(sketch, rows.dimension).zero();
    }
  }

  private static SketchSpec spec(String sketch, int dimension) {
    Grid grid = new Grid(13);
    return switch (sketch) {
      case "moments" -> new SecondMomentsSpec(dimension);
      case "stratified" -> new StratifiedMomentsSpec(dimension, dimension - 1, 8, grid);
      case "count-sketch" -> new CountSketchSpec(dimension, BUCKETS, 3);
      case "multilevel" -> new MultilevelSketchSpec(dimension, BUCKETS, 3, 10, 2, 3);
      case "projection" -> new GaussianProjectionSpec(dimension, PROJECTION_ROWS, 3);
      case "histogram" ->
          new HistogramSpec(
              dimension,
              grid,
              List.of(new HistogramSpec.Axis(1, 32), new HistogramSpec.Axis(2, 32)));
      default -> throw new IllegalArgumentException("unknown sketch " + sketch);
    };
  }

  /** Row by row. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public LinearSketch<?> rowByRow(Rows rows, Sketch sketch) {
    int batch = rows.turn();
    EncodedRow[] row = rows.rows[batch];
    RowTag[] tag = rows.tags[batch];
    for (int k = 0; k < Rows.SIZE; k++) {
      sketch.empty.add(tag[k], row[k], 1);
    }
    return sketch.empty;
  }

  /** A batch at a time. */
  @Benchmark
  @OperationsPerInvocation(Rows.SIZE)
  public LinearSketch<?> batched(Rows rows, Sketch sketch) {
    sketch.empty.add(rows.batch());
    return sketch.empty;
  }
}
