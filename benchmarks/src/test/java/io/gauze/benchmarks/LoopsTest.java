package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.sketch.LinearSketch;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is timed side by side computes the same. */
final class LoopsTest {
  private static Rows rows(int dimension) {
    Rows rows = new Rows();
    rows.dimension = dimension;
    rows.fill();
    return rows;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"moments", "stratified", "count-sketch", "multilevel", "projection", "histogram"})
  void batchesAreTheirRows(String name) {
    Rows rows = rows(12);
    SketchBenchmark benchmark = new SketchBenchmark();
    SketchBenchmark.Sketch one = new SketchBenchmark.Sketch();
    one.sketch = name;
    one.make(rows);
    SketchBenchmark.Sketch other = new SketchBenchmark.Sketch();
    other.sketch = name;
    other.make(rows);
    LinearSketch<?> single = benchmark.rowByRow(rows, one);
    LinearSketch<?> batched = benchmark.batched(rows(12), other);
    assertThat(batched.state()).isEqualTo(single.state());
    assertThat(Arrays.stream(single.state()).anyMatch(sum -> sum != 0)).isTrue();
  }

  @Test
  void plainLoopsSumUpTheMoments() {
    Rows rows = rows(12);
    PlainLoopBenchmark loops = new PlainLoopBenchmark();
    SketchBenchmark.Sketch sketch = new SketchBenchmark.Sketch();
    sketch.sketch = "moments";
    sketch.make(rows);
    long[] exact = new SketchBenchmark().batched(rows, sketch).state();
    assertThat(loops.momentsRowByRow(rows(12), sums(rows))).isEqualTo(exact);
    assertThat(loops.momentsFourRows(rows(12), sums(rows))).isEqualTo(exact);
    assertThat(loops.momentsLanes(rows(12), sums(rows))).isEqualTo(exact);
    long all = Arrays.stream(exact).sum();
    assertThat(loops.momentsTiles(rows(12), sums(rows))[0]).isEqualTo(exact[0]);
    assertThat(all).isNotZero();
  }

  private static PlainLoopBenchmark.Sums sums(Rows rows) {
    PlainLoopBenchmark.Sums sums = new PlainLoopBenchmark.Sums();
    sums.make(rows);
    return sums;
  }

  /** Signs and buckets differ from the sketch's, but each row is in one bucket. */
  @Test
  void aPlainCountSketchHasEachRowOnce() {
    Rows rows = rows(2);
    long[] buckets = new PlainLoopBenchmark().countSketch(rows, sums(rows));
    long odd = Arrays.stream(buckets).filter(sum -> sum % 2 != 0).count();
    assertThat(odd).isPositive();
    assertThat(Arrays.stream(buckets).map(Math::abs).max().orElseThrow()).isLessThan(10 * 8192);
    double[][] projection = new PlainLoopBenchmark().naiveProjection(rows(2), sums(rows));
    // a sum of 1,024 products of N(0, 1) and entries whose mean square is 8192^2 / 3
    double mean = Arrays.stream(projection).mapToDouble(row -> row[0] * row[0]).average().orElse(0);
    assertThat(Math.sqrt(mean) / (32 * 8192 / Math.sqrt(3))).isBetween(0.75, 1.25);
  }

  @Test
  void solversThatAreComparedAgree() {
    SolveBenchmark solve = new SolveBenchmark();
    solve.make();
    double simplex = solve.smallSimplex().getValue();
    double ours = ((QuantileOutcome.Solved) solve.smallLad()).fit().objective();
    assertThat(ours / simplex).isCloseTo(1.0, within(1e-6));
    Fit lasso = ((FitOutcome.Fitted) solve.lasso()).fit();
    long zeros = Arrays.stream(lasso.coefficients().toArray()).filter(b -> b == 0.0).count();
    assertThat(zeros).isBetween(10L, 41L); // about half of 51
    Fit ridge = ((FitOutcome.Fitted) solve.ridge()).fit();
    Fit noisy = ((FitOutcome.Fitted) solve.releaseRidge()).fit();
    assertThat(noisy.coefficients().get(0)).isCloseTo(ridge.coefficients().get(0), within(0.02));
  }
}
