package io.gauze.mechanism.ranges;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link ColumnRangesTest} beside mechanisms of papers. */
final class PapersColumnRangesTest {
  @ParameterizedTest
  @CsvSource({"functional, REPLACE_ONE, 0.1", "jl, ADD_REMOVE, 0.2"})
  void sharesSpendTheBudget(String mechanism, Neighbours neighbours, double share) {
    new ColumnRangesTest().sharesSpendTheBudget(mechanism, neighbours, share);
  }

  /** A mechanism with a delta of its own leaves some for the counts. */
  @ParameterizedTest
  @CsvSource({"jl-unregularised, 0.1", "jl-unregularised, 0.5", "jl-unregularised, 0.9"})
  void countsHaveADelta(String mechanism, double share) {
    RowSchema known =
        RowSchema.of(List.of(new NumericColumn("x0", 0, 1), new NumericColumn("x1", 0, 1)), 0.5);
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    StreamRequest request =
        ColumnRangesTest.request(known, budget, mechanism).withRangeShare(share);
    assertThat(StreamPlan.of(request).costs()).hasSize(1);
  }
}
