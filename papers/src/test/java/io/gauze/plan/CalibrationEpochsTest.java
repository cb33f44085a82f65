package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.EveryMechanism;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.RangeBudget;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.noise.Randomness;
import io.gauze.row.Column;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a row costs in a calibration epoch, in a later one, and when it moves between them. */
final class CalibrationEpochsTest {
  private static final RowSchema ANY =
      RowSchema.of(List.of(new NumericColumn("x", 0, 1), new NumericColumn("y", 0, 1)), 0.5);

  private static Budget budget(Neighbours neighbours) {
    return new Budget(1.0, 1e-6, neighbours);
  }

  private static StreamPlan sketches(Neighbours neighbours, String... mechanisms) {
    SketchRequest[] all = new SketchRequest[mechanisms.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = new SketchRequest("s" + i, mechanisms[i], 1.0 + i, Map.of());
    }
    StreamRequest request = Fixtures.request(ANY, budget(neighbours), all);
    return CalibrationEpochs.plan(request, 0.1, List.of("x"));
  }

  private static StreamPlan counts(StreamPlan sketches) {
    List<Column> columns = List.of(new EstimatedColumn("x", "x"), new EstimatedColumn("y", "y"));
    RowSchema counted =
        RowSchema.of(columns, 0.5, RowSchema.largestNorm(columns, 0.5), MissingValues.REJECT);
    StreamRequest request =
        sketches
            .request()
            .withSketches(List.of(new SketchRequest("ranges", ColumnRanges.NAME, 1.0, Map.of())))
            .withSchema(counted);
    return CalibrationEpochs.counts(sketches, request);
  }

  private static double mu(StreamPlan plan) {
    return Math.sqrt(
        plan.costs().stream()
            .mapToDouble(c -> Math.pow(((MechanismCost.Gaussian) c).mu(), 2))
            .sum());
  }

  /** Counts and sketches have the budget once each, and a row that moves costs no more. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void gaussianSumsHaveTheWholeBudgetTwice(Neighbours neighbours) {
    StreamPlan sketches = sketches(neighbours, "noisy-moments", "count-sketch");
    StreamPlan counts = counts(sketches);
    double whole = GaussianDp.mu(1.0, 1e-6);
    assertThat(mu(counts)).isLessThanOrEqualTo(mu(sketches)).isCloseTo(whole, within(1e-6));
    assertThat(mu(sketches)).isLessThanOrEqualTo(whole);
    ColumnRanges mechanism = (ColumnRanges) counts.sketches().get(0).mechanism();
    double rows = mechanism.sigma() * mechanism.stepSize();
    // by the columns themselves: 2 counts change by one, 4 for a replaced row
    double removed = Math.sqrt(2.0) / rows;
    double replaced = Math.sqrt(neighbours == Neighbours.ADD_REMOVE ? 2.0 : 4.0) / rows;
    double removedLater =
        neighbours == Neighbours.ADD_REMOVE ? mu(sketches) : mu(sketches) / Math.sqrt(2.0);
    double moved = neighbours == Neighbours.ADD_REMOVE ? 0.0 : Math.hypot(removed, removedLater);
    for (double cost : new double[] {replaced, moved}) {
      assertThat(GaussianDp.delta(1.0, Math.max(cost, 1e-9)) + sketches.samplerDelta())
          .isLessThanOrEqualTo(1e-6 * (1.0 + 1e-9));
    }
    assertThat(CalibrationEpochs.costs(sketches)).isEqualTo(sketches.costs());
  }

  private static List<String> additive() {
    return Mechanisms.additive().stream().filter(name -> !name.equals(ColumnRanges.NAME)).toList();
  }

  /**
   * The lemma of the proof: where the noise is a Gaussian sum, a removed row costs at most mu /
   * sqrt 2 if a replaced one costs mu. For equal mu the noise shows the sensitivities.
   */
  @ParameterizedTest
  @MethodSource("additive")
  void aReplacementIsAtLeastTheRootOfTwoRemovals(String mechanism) {
    assertThat(sensitivity(mechanism, Neighbours.REPLACE_ONE))
        .isGreaterThanOrEqualTo(
            Math.sqrt(2.0) * sensitivity(mechanism, Neighbours.ADD_REMOVE) * (1.0 - 1e-12));
  }

  private static double sensitivity(String mechanism, Neighbours neighbours) {
    StreamRequest request =
        Fixtures.request(Fixtures.schema(), budget(neighbours), EveryMechanism.gaussian(mechanism));
    AdditiveMechanism one =
        (AdditiveMechanism) StreamPlan.of(request).sketches().get(0).mechanism();
    return one.sigma() * one.stepSize() * one.mu();
  }

  /** Their curves differ for removal and addition: the counts are charged beside them. */
  @ParameterizedTest
  @CsvSource({
    "functional, REPLACE_ONE",
    "functional, ADD_REMOVE",
    "select-fit, REPLACE_ONE",
    "jl, ADD_REMOVE"
  })
  void otherMechanismsShareTheBudgetWithTheCounts(String mechanism, Neighbours neighbours) {
    StreamPlan sketches = sketches(neighbours, mechanism);
    StreamPlan counts = counts(sketches);
    assertThat(mu(counts)).isCloseTo(Math.sqrt(0.1) * GaussianDp.mu(1.0, 1e-6), within(1e-9));
    List<MechanismCost> all = CalibrationEpochs.costs(sketches);
    assertThat(all).hasSize(1 + sketches.costs().size()).containsAll(counts.costs());
    assertThat(Composition.of(neighbours, all).delta(1.0) + sketches.samplerDelta())
        .isBetween(1e-6 * (1.0 - 1e-4), 1e-6);
    assertThat(sketches.guarantee(Randomness.SYSTEM).basis())
        .contains("chosen from noisy counts of a calibration epoch", "a share of 0.1");
  }

  /** Both jobs of a stream ask the account for the same. */
  @Test
  void theAccountIsChargedOnce() {
    for (String mechanism : new String[] {"noisy-moments", "functional"}) {
      StreamPlan sketches = sketches(Neighbours.REPLACE_ONE, mechanism);
      LedgerTerms terms = LedgerTerms.of(sketches, "rows", sketches.budget());
      assertThat(terms.costs()).isEqualTo(CalibrationEpochs.costs(sketches));
      assertThat(terms.distance()).isEqualTo(counts(sketches).samplerDistance());
      RowSchema chosen =
          RowSchema.of(
              List.of(new NumericColumn("x", -5.6, 1800), new NumericColumn("y", 1, 100)), 0.25);
      ReleaseId id = ReleaseId.parse("wine/all/2026-01-01T00:00:00Z/ranges");
      StreamPlan later = CalibrationEpochs.withRanges(sketches, chosen, id).orElseThrow();
      assertThat(LedgerTerms.of(later, "rows", sketches.budget())).isEqualTo(terms);
      assertThat(later.encodingVersion()).isNotEqualTo(sketches.encodingVersion());
      assertThat(later.guarantee(Randomness.SYSTEM).basis())
          .contains("the ranges of columns are chosen from " + id + ", whose rows are in no other");
    }
  }

  /** The series of a stream that chooses its ranges is another than that of one that knows them. */
  @Test
  void theSeriesSaysThatRangesAreChosen() {
    StreamPlan sketches = sketches(Neighbours.REPLACE_ONE, "noisy-moments");
    StreamPlan known = StreamPlan.of(sketches.request().withRanges(RangeBudget.NONE));
    assertThat(sketches.series("epochs")).isNotEqualTo(known.series("epochs"));
  }

  /** The placeholder of a column of unknown range looks like a known range of 0 to 1. */
  @Test
  void columnsOfUnknownRangeArePartOfTheSeries() {
    SketchRequest sketch = new SketchRequest("s", "noisy-moments", 1.0, Map.of());
    StreamRequest request = Fixtures.request(ANY, budget(Neighbours.REPLACE_ONE), sketch);
    List<String> series =
        Stream.of(List.of("x"), List.of("y"), List.of("x", "y"))
            .map(columns -> CalibrationEpochs.plan(request, 0.1, columns).series("PT1H"))
            .distinct()
            .toList();
    assertThat(series).hasSize(3);
  }
}
