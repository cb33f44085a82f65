package io.gauze.mechanism.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.BoundedRange;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a selection of columns divides its budget. */
final class SelectionSharesTest {
  private static StreamRequest request(int columns, long expectedRows) {
    return Fixtures.request(Fixtures.numbers(columns, 0.5, 2.0), Fixtures.BUDGET, Fixtures.MOMENTS)
        .withExpectedRows(expectedRows);
  }

  private static SelectionShares shares(StreamRequest stream, int selected, int rounds) {
    SelectionBounds bounds = SelectionBounds.of(stream, stream.schema().dimension() - 1);
    return SelectionShares.planned(stream, bounds, selected, rounds, 0.3, bounds.score(Map.of()));
  }

  @Test
  void drawsHaveMoreWithFewerRowsAndMoreColumns() {
    assertThat(shares(request(21, 1_000_000_000), 5, 1).draws()).isCloseTo(0.225, within(1e-12));
    assertThat(shares(request(21, 1), 5, 1).draws()).isEqualTo(0.6);
    double few = shares(request(21, 1_200), 5, 1).draws();
    double many = shares(request(201, 1_200), 5, 1).draws();
    double fewer = shares(request(21, 1_100), 5, 1).draws();
    assertThat(few).isBetween(0.225, 0.6);
    assertThat(fewer).isGreaterThan(few);
    assertThat(many).isGreaterThan(few);
  }

  /** The scale of draws is that of the proof: v = v_y = 1/9, and a row changes a score by 1. */
  @Test
  void scaleFollowsFromTheExpectedScore() {
    double range = BoundedRange.range(shares(request(21, 1_200), 5, 1).ofDraw(0.3, 5));
    double score = 1_200 * Math.sqrt(1.0 / 81.0 / (2.0 * 5.0));
    double scale = score / (0.65 * (Math.log(20.0 / 5.0) + 3.0));
    assertThat(2.0 / range).isCloseTo(scale, within(1e-6 * scale));
  }

  /** Nothing is left over, and nothing is spent twice. */
  @Test
  void partsAddUp() {
    SelectionShares all = shares(request(13, 1_000_000), 12, 3);
    assertThat(all.draws()).isEqualTo(0.12);
    double spent = 12 * Math.pow(all.ofDraw(0.3, 12), 2);
    spent += 2 * Math.pow(all.ofFit(0.3, 3), 2) + Math.pow(all.ofMoments(0.3), 2);
    assertThat(spent).isBetween(0.09 * (1.0 - 1e-12), 0.09);
  }

  /** Noise grows with the rows of a user, and several rounds need a clear signal. */
  @Test
  void usersOfManyRowsHaveOneRound() {
    SketchRequest sketch = new SketchRequest("s", SelectFit.NAME, 1.0, Map.of("readings", "1"));
    StreamRequest rows = Fixtures.request(Fixtures.numbers(15, 0.3, 2.0), Fixtures.BUDGET, sketch);
    assertThat(rounds(rows)).isEqualTo(3);
    assertThat(rounds(rows.withScope(BudgetScope.users("customer", 60)))).isEqualTo(1);
  }

  private static int rounds(StreamRequest request) {
    return ((SelectFit) StreamPlan.of(request).sketch("s").mechanism()).plan().rounds();
  }
}
