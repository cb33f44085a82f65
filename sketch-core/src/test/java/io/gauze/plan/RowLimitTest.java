package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.model.ModelRows;
import io.gauze.model.TooManyRowsException;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Models take a limited number of rows. With one more an epoch has no release, which tells that row
 * for sure, so that the guarantee must say that it assumes no more.
 */
final class RowLimitTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(new NumericColumn("x", "x", -1, 1), new NumericColumn("y", "y", -5, 5)),
          0.1,
          1.0,
          MissingValues.REJECT);

  private static StreamPlan plan(SketchRequest... sketches) {
    return StreamPlan.of(
        new StreamRequest(
            "limited",
            SCHEMA,
            new Budget(20, 1e-6, Neighbours.ADD_REMOVE),
            StreamRequest.ROW,
            1000,
            List.of(),
            List.of(sketches)));
  }

  private static SketchRequest model(String name, String mechanism) {
    return new SketchRequest(name, mechanism, 1.0, Map.of());
  }

  private static SketchRequest steep() {
    Map<String, String> options = Map.of("threshold", "0.1", "featureBound", "0.125");
    return new SketchRequest("steep", HuberTrack.NAME, 1.0, options);
  }

  private static RowsMechanism rows(StreamPlan plan, String sketch) {
    return (RowsMechanism) plan.sketch(sketch).mechanism();
  }

  private static List<String> limits(StreamPlan plan) {
    return plan.guarantee(Randomness.SYSTEM).assumptions().stream()
        .filter(assumption -> assumption.startsWith("an epoch and group has at most"))
        .toList();
  }

  private static String limit(int rows) {
    return String.format(
        Locale.ROOT,
        "an epoch and group has at most %,d rows: with more a model is not made, which is seen",
        rows);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"huber", "quantile", "logistic", "huber-track", "select-fit", "two-stage-moments"})
  void theGuaranteeNamesTheLimit(String mechanism) {
    StreamPlan plan = plan(model("m", mechanism), Fixtures.MOMENTS);
    assertThat(limits(plan)).containsExactly(limit(rows(plan, "m").mostRows()));
    assertThat(rows(plan, "m").mostRows()).isBetween(2000, ModelRows.MOST_ROWS);
  }

  /** The row after the last one that is allowed is seen, whatever the noise. */
  @Test
  void oneRowMoreThanTheLimitIsSeen() {
    StreamPlan plan = plan(steep());
    RowsMechanism mechanism = rows(plan, "steep");
    Entropy entropy = Randomness.insecureForTests(1).entropy("rows at the limit");
    ModelRows all = mechanism.rows();
    for (int i = 0; i < mechanism.mostRows(); i++) {
      mechanism.add(all, 0.1, i % 7 / 7.0 - 0.5, i % 11 / 11.0 - 0.5);
    }
    assertThat(mechanism.fit(all, entropy)).hasSize(mechanism.payloadLength());
    mechanism.add(all, 0.1, 0.0, 0.0);
    assertThatThrownBy(() -> mechanism.fit(all, entropy)).isInstanceOf(TooManyRowsException.class);
  }

  @Test
  void theSmallestLimitCountsAndOthersHaveNone() {
    StreamPlan plan = plan(model("m", "huber"), steep(), model("i", "logistic"));
    assertThat(limits(plan)).containsExactly(limit(rows(plan, "steep").mostRows()));
    assertThat(rows(plan, "steep").mostRows()).isLessThan(rows(plan, "m").mostRows());
    assertThat(limits(plan(Fixtures.MOMENTS, model("t", IrlsTrack.NAME)))).isEmpty();
  }
}
