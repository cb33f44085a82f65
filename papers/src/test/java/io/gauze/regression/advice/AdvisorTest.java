package io.gauze.regression.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.advice.Advisor.Advice;
import io.gauze.regression.moments.ExpectedError;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AdvisorTest {
  private static StreamRequest stream(int columns, long rows, double epsilon) {
    return stream(columns, rows, epsilon, StreamRequest.ROW);
  }

  private static StreamRequest stream(int columns, long rows, double epsilon, BudgetScope scope) {
    List<Column> list = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      list.add(new NumericColumn("x" + i, -1, 1));
    }
    return new StreamRequest(
        "advised",
        RowSchema.of(list, 0.5, 1.5, MissingValues.REJECT),
        new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
        scope,
        rows,
        List.of(),
        List.of(new SketchRequest("s", "noisy-moments", 1.0, Map.of())));
  }

  /** Without models, which answer one question. */
  private static List<Advice> sketches(List<Advice> all) {
    return all.stream().filter(one -> Mechanisms.sketches().contains(one.mechanism())).toList();
  }

  private static Advice advice(List<Advice> all, String mechanism) {
    return all.stream().filter(one -> one.mechanism().equals(mechanism)).findFirst().orElseThrow();
  }

  @Test
  void recommendsMomentsForSquares() {
    List<Advice> all = sketches(Advisor.of(stream(6, 100_000, 1.0), Loss.SQUARED));
    Advice moments = advice(all, "noisy-moments");
    assertThat(Advisor.recommended(all)).contains(advice(all, "two-stage-moments"));
    assertThat(all).extracting(Advice::mechanism).doesNotContain("multilevel-l1", "ada-ssp");
    assertThat(all).hasSize(Mechanisms.sketches().size() - 2);
    double best = moments.predictedExcess().orElseThrow();
    assertThat(advice(all, "jl").predictedExcess().orElseThrow()).isBetween(best, 100 * best);
    assertThat(advice(all, "functional").predictedExcess().orElseThrow()).isGreaterThan(2 * best);
    assertThat(advice(all, "count-sketch").predictedExcess().orElseThrow()).isGreaterThan(best);
  }

  /** Where the rows of an epoch cannot be read again, moments are those of one stage. */
  @Test
  void recommendsWhatTheStreamAllows() {
    for (BudgetScope scope : List.of(BudgetScope.cumulative(24), BudgetScope.users("user", 5))) {
      List<Advice> all = Advisor.of(stream(6, 100_000, 1.0, scope), Loss.SQUARED);
      assertThat(Advisor.recommended(all)).contains(advice(all, "noisy-moments"));
      assertThat(advice(all, "two-stage-moments").usable()).isFalse();
    }
  }

  /** The l1 sketch is useless at any epsilon that protects, and it is said plainly. */
  @Test
  void recommendsStrataForAbsoluteDeviations() {
    List<Advice> all = Advisor.of(stream(6, 1_000_000, 1.0), Loss.ABSOLUTE);
    assertThat(Advisor.recommended(all)).contains(advice(all, "stratified-moments"));
    assertThat(all.get(0).mechanism()).isEqualTo("huber");
    assertThat(Advisor.model(all)).as("for one question").contains(all.get(0));
    assertThat(Advisor.model(Advisor.of(stream(6, 100_000, 1.0), Loss.SQUARED))).isEmpty();
    List<Advice> sketches = sketches(all);
    assertThat(sketches.get(0).mechanism()).isEqualTo("residual-strata");
    assertThat(sketches.get(0).why())
        .contains("the rows are read several times, and epochs do not add up");
    assertThat(sketches.get(1).mechanism()).isEqualTo("stratified-moments");
    Advice sketch = advice(Advisor.of(stream(6, 100_000, 1.0), Loss.ABSOLUTE), "multilevel-l1");
    assertThat(sketch.usable()).isFalse();
    assertThat(sketch.why()).startsWith("useless here: ");
    assertThat(all).extracting(Advice::mechanism).doesNotContain("wishart");
  }

  /** Where noise is large, one noise over all rows beats one in every stratum. */
  @Test
  void recommendsMomentsForAbsoluteDeviationsUnderMuchNoise() {
    List<Advice> all = sketches(Advisor.of(stream(6, 5_000, 0.5), Loss.ABSOLUTE));
    assertThat(names(all)).containsSubsequence("noisy-moments", "stratified-moments");
    Advice moments = advice(all, "noisy-moments");
    assertThat(moments.why()).contains("least squares in place of", "15 %");
    Advice strata = advice(all, "residual-strata"); // whose moments answer then
    assertThat(strata.predictedExcess().orElseThrow())
        .isLessThan(advice(all, "stratified-moments").predictedExcess().orElseThrow());
    Advice rich = advice(Advisor.of(stream(6, 10_000_000, 1.0), Loss.ABSOLUTE), "noisy-moments");
    assertThat(rich.predictedExcess().orElseThrow()).isCloseTo(0.023, within(1e-3));
  }

  /** A fit of a large excess is worth having where the rows could explain much. */
  @Test
  void comparesWithKnowingNothing() {
    StreamRequest poor = stream(6, 1_500, 1.0);
    Advice moments = advice(Advisor.of(poor, Loss.SQUARED, 0.9), "noisy-moments");
    assertThat(moments.predictedExcess().orElseThrow()).isBetween(0.5, 2.0);
    assertThat(moments.gainKept()).isBetween(0.1, 0.9);
    assertThat(moments.verdict()).isEqualTo(FitQuality.DOUBTFUL);
    assertThat(moments.usable()).isTrue();
    Advice rich = advice(Advisor.of(stream(6, 1_000_000, 1.0), Loss.SQUARED), "noisy-moments");
    assertThat(rich.verdict()).isEqualTo(FitQuality.GOOD);
    assertThat(rich.gainKept()).isGreaterThan(0.99);
  }

  @Test
  void theWordDependsOnTheGainToo() {
    assertThat(FitQuality.of(0.04, 0.5)).isEqualTo(FitQuality.GOOD);
    assertThat(FitQuality.of(0.05, 0.5)).isEqualTo(FitQuality.DOUBTFUL);
    assertThat(FitQuality.of(0.04, 0.07)).isEqualTo(FitQuality.DOUBTFUL);
    assertThat(FitQuality.of(0.04, 0.044)).isEqualTo(FitQuality.USELESS);
    assertThat(FitQuality.of(0.0, 0.0)).isEqualTo(FitQuality.USELESS);
    assertThat(FitQuality.of(Double.NaN, 0.5)).isEqualTo(FitQuality.USELESS);
  }

  /** Columns that depend on each other cost more than independent ones of the same size. */
  @Test
  void columnsAreExpectedToDependOnEachOther() {
    RowSchema schema = stream(6, 100_000, 1.0).schema();
    AssumedDataModel model = AssumedDataModel.of(schema, 1e5, 0.5);
    assertThat(model.squares().get(4)).isCloseTo(3e-4 * model.squares().get(0), within(1e-9));
    AssumedDataModel independent = new AssumedDataModel(5, 1e5, 0.5, model.responseSquare(), 0.5);
    MomentNoise noise = new MomentNoise.Gaussian(10);
    assertThat(ExpectedError.moments(model, noise))
        .isGreaterThan(3 * ExpectedError.moments(independent, noise));
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

  /** Special mechanisms and those of papers are shown if they are named. */
  @Test
  void showsThoseThatPeopleShouldTake() {
    List<Advice> all = Advisor.of(stream(6, 1_000_000, 1.0), Loss.ABSOLUTE);
    List<String> usual = names(Advisor.shown(all, Set.of()));
    assertThat(usual)
        .containsExactlyInAnyOrder(
            "noisy-moments", "select-fit", "stratified-moments", "residual-strata", "huber");
    assertThat(names(all)).containsAll(usual).contains("multilevel-l1", "histogram", "quantile");
    assertThat(names(Advisor.shown(all, Set.of("multilevel-l1", "huber", "auto"))))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(usual.stream(), Stream.of("multilevel-l1")).toList());
    assertThat(Advisor.recommended(Advisor.shown(all, Set.of())))
        .isEqualTo(Advisor.recommended(all));
  }

  /** If none of the usual ones can be used, the best of the others is recommended, and shown. */
  @Test
  void recommendsAnotherOneIfNoneOfTheUsualCanBeUsed() {
    Advice usual = made("noisy-moments", FitQuality.USELESS);
    Advice special = made("functional", FitQuality.GOOD);
    Advice other = made("histogram", FitQuality.DOUBTFUL);
    List<Advice> all = List.of(special, other, usual);
    assertThat(Advisor.recommended(all)).contains(special);
    assertThat(Advisor.shown(all, Set.of())).containsExactly(special, usual);
    Advice usable = made("noisy-moments", FitQuality.DOUBTFUL);
    assertThat(Advisor.recommended(List.of(special, usable))).contains(usable);
    assertThat(Advisor.shown(List.of(special, usable), Set.of())).containsExactly(usable);
    Advice paper = made("private-irls", FitQuality.GOOD);
    assertThat(Advisor.model(List.of(paper))).as("a model of a paper").isEmpty();
  }

  private static Advice made(String mechanism, FitQuality verdict) {
    return new Advice(mechanism, Map.of(), OptionalDouble.of(0.01), 0.9, verdict, "a reason");
  }

  private static List<String> names(List<Advice> some) {
    return some.stream().map(Advice::mechanism).toList();
  }

  /** More rows, or more budget, never make it worse. */
  @Test
  void fallsWithRowsAndBudget() {
    double few = moments(10_000, 1.0);
    assertThat(moments(100_000, 1.0)).isLessThan(0.25 * few);
    assertThat(moments(10_000, 4.0)).isLessThan(0.5 * few);
  }

  @Test
  void findsWhatAnErrorTakes() {
    ErrorSearch search =
        new ErrorSearch((epsilon, rows) -> stream(6, rows, epsilon), Loss.SQUARED, 0.5, 0.01);
    double epsilon = search.epsilon("noisy-moments", 1.0, 10_000).orElseThrow();
    assertThat(moments(10_000, epsilon)).isLessThanOrEqualTo(0.01);
    assertThat(moments(10_000, epsilon / 1.06)).isGreaterThan(0.01);
    double rows = search.rows("noisy-moments", 1.0, 10_000_000).orElseThrow();
    assertThat(moments((long) Math.ceil(rows), 1.0)).isLessThanOrEqualTo(0.01);
    assertThat(moments((long) (rows / 1.06), 1.0)).isGreaterThan(0.01);
    assertThat(search.epsilon("noisy-moments", 1.0, 1)).isEmpty();
  }

  private static double moments(long rows, double epsilon) {
    return advice(Advisor.of(stream(6, rows, epsilon), Loss.SQUARED), "noisy-moments")
        .predictedExcess()
        .orElseThrow();
  }
}
