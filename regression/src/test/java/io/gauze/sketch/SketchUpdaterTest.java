package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.row.CategoryColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Records as maps, into sketches and out of them. */
class SketchUpdaterTest {
  private final RowSchema schema =
      RowSchema.of(
          List.of(
              new NumericColumn("pay", 0, 10),
              new CategoryColumn("zone", "zone", List.of("1", "2", "3"))),
          1.0);
  private final RowHasher hasher = RowHasher.create(new SplittableRandom(1)::nextLong);
  private final SecondMoments moments = new SecondMomentsSpec(4).zero();
  private final CountSketch buckets = new CountSketchSpec(4, 8, 1).zero();
  private final SketchUpdater updates = new SketchUpdater(schema, hasher, moments, buckets);

  @Test
  void anInsertionAndItsDeletionLeaveNothing() throws Exception {
    updates.insert("a", Map.of("pay", 3.5, "zone", "2", "other", "x"));
    assertThat(moments.state()).contains(1L << 28);
    assertThat(buckets).isNotEqualTo(buckets.spec().zero());
    updates.delete("a", Map.of("pay", 3.5, "zone", "2"));
    assertEmpty();
  }

  private void assertEmpty() {
    assertThat(moments).isEqualTo(moments.spec().zero());
    assertThat(buckets).isEqualTo(buckets.spec().zero());
  }

  @Test
  void numbersNameCategories() throws Exception {
    updates.insert("a", Map.of("pay", 1, "zone", 2));
    updates.delete("a", Map.of("pay", 1.0, "zone", "2"));
    assertEmpty();
  }

  @Test
  void whatCannotBeEncodedAddsNothing() throws Exception {
    for (Map<String, ?> bad :
        List.of(
            Map.of("pay", "text", "zone", "1"),
            Map.of("pay", Double.NaN, "zone", "1"),
            Map.of("pay", 1, "zone", "4"),
            Map.of("pay", 1))) {
      assertThatExceptionOfType(RowRejectedException.class)
          .isThrownBy(() -> updates.insert("a", bad));
    }
    assertEmpty();
    updates.insert("a", Map.of("pay", 1, "zone", "1"));
    assertThat(moments).isNotEqualTo(moments.spec().zero());
  }

  @Test
  void sketchesOfAnotherDimensionAreRefused() {
    SecondMoments other = new SecondMomentsSpec(5).zero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SketchUpdater(schema, hasher, moments, other))
        .withMessage("row dimension must be in [5, 5]. Provided value: 4");
  }

  /** Such a sketch waits to be merged: by itself it is no data. */
  @Test
  void moreDeletionsThanInsertionsAreNotFitted() throws Exception {
    for (int i = 0; i < 9; i++) {
      updates.delete("a" + i, Map.of("pay", i, "zone", 1 + i % 3));
    }
    ExactMoments exact = ExactMoments.of(moments, schema);
    assertThat(exact.rows()).isEqualTo(-9);
    RegressionProblem problem = RegressionProblem.of(schema, "pay");
    assertThat(Regression.fit(exact, problem)).isInstanceOf(FitOutcome.Refused.class);
    SecondMoments twice = new SecondMomentsSpec(4).zero();
    SketchUpdater more = new SketchUpdater(schema, hasher, twice);
    for (int i = 0; i < 9; i++) {
      more.insert("a" + i, Map.of("pay", i, "zone", 1 + i % 3));
    }
    FitOutcome outcome = Regression.fit(ExactMoments.of(twice, schema), problem);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> exact.rmse(((FitOutcome.Fitted) outcome).fit()))
        .withMessage("rows must be at least 1. Provided value: -9");
  }
}
