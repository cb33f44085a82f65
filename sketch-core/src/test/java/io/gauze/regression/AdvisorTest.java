package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.Advisor.Advice;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AdvisorTest {
  private static StreamRequest stream(int columns, long rows, double epsilon) {
    List<Column> list = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      list.add(new NumericColumn("x" + i, -1, 1));
    }
    return new StreamRequest(
        "advised",
        RowSchema.of(list, 0.5, 1.5, MissingValues.REJECT),
        new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
        StreamRequest.ROW,
        rows,
        List.of(),
        List.of(new SketchRequest("s", "noisy-moments", 1.0, Map.of())));
  }

  private static Advice advice(List<Advice> all, String mechanism) {
    return all.stream().filter(one -> one.mechanism().equals(mechanism)).findFirst().orElseThrow();
  }

  @Test
  void recommendsMomentsForSquares() {
    List<Advice> all = Advisor.of(stream(6, 100_000, 1.0), Loss.SQUARED);
    assertThat(all.get(0).mechanism()).isEqualTo("noisy-moments");
    assertThat(all).extracting(Advice::mechanism).doesNotContain("multilevel-l1");
    assertThat(all).hasSize(Mechanisms.names().size() - 1);
    double best = all.get(0).predictedExcess().orElseThrow();
    assertThat(advice(all, "jl").predictedExcess().orElseThrow()).isBetween(best, 100 * best);
    assertThat(advice(all, "functional").predictedExcess().orElseThrow()).isGreaterThan(5 * best);
    assertThat(advice(all, "count-sketch").predictedExcess().orElseThrow()).isGreaterThan(best);
  }

  /** The l1 sketch is useless at any epsilon that protects, and it is said plainly. */
  @Test
  void recommendsStrataForAbsoluteDeviations() {
    List<Advice> all = Advisor.of(stream(6, 100_000, 1.0), Loss.ABSOLUTE);
    assertThat(all.get(0).mechanism()).isEqualTo("stratified-moments");
    Advice sketch = advice(all, "multilevel-l1");
    assertThat(sketch.usable()).isFalse();
    assertThat(sketch.why()).startsWith("useless here: ");
    assertThat(all).extracting(Advice::mechanism).doesNotContain("noisy-moments", "wishart");
  }

  /** Too many cells, or too few rows: said, not thrown. */
  @Test
  void saysWhatCannotBe() {
    List<Advice> all = Advisor.of(stream(40, 500, 0.1), Loss.SQUARED);
    Advice cells = advice(all, "histogram");
    assertThat(cells.usable()).isFalse();
    assertThat(cells.predictedExcess()).isEmpty();
    assertThat(cells.why()).startsWith("bins must be so few");
    assertThat(Advisor.recommended(stream(40, 500, 0.1), Loss.SQUARED)).isEmpty();
    assertThat(all).noneMatch(Advice::usable).allMatch(one -> !one.why().isBlank());
  }

  /** More rows, or more budget, never make it worse. */
  @Test
  void fallsWithRowsAndBudget() {
    double few = moments(10_000, 1.0);
    assertThat(moments(100_000, 1.0)).isLessThan(0.1 * few);
    assertThat(moments(10_000, 4.0)).isLessThan(0.2 * few);
  }

  private static double moments(long rows, double epsilon) {
    return advice(Advisor.of(stream(6, rows, epsilon), Loss.SQUARED), "noisy-moments")
        .predictedExcess()
        .orElseThrow();
  }
}
