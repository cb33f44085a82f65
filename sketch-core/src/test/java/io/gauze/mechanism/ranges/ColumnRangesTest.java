package io.gauze.mechanism.ranges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.Composition;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.Calibrations;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Column;
import io.gauze.row.EncodedRow;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RangeGrid;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.RangeCounts;
import io.gauze.sketch.RangeCountsSpec;
import io.gauze.sketch.SketchBytes;
import io.gauze.testing.Alpha;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ColumnRangesTest {
  private static final double ROW = Math.scalb(1.0, RangeCountsSpec.ROW_BITS);

  private static RowSchema unknown(MissingValues missing, int columns) {
    List<Column> all = new ArrayList<>();
    all.add(new IndicatorColumn("female", "sex", "Female"));
    for (int c = 0; c < columns; c++) {
      all.add(new EstimatedColumn("x" + c, "x" + c));
    }
    return RowSchema.of(all, 0.5, RowSchema.largestNorm(all, 0.5), missing);
  }

  static StreamRequest request(RowSchema schema, Budget budget, String mechanism) {
    return Fixtures.request(schema, budget, new SketchRequest("s", mechanism, 1.0, Map.of()));
  }

  private static ColumnRanges planned(int columns, Neighbours neighbours) {
    return (ColumnRanges)
        StreamPlan.of(
                request(
                    unknown(MissingValues.REJECT, columns),
                    new Budget(1.0, 1e-6, neighbours),
                    ColumnRanges.NAME))
            .sketch("s")
            .mechanism();
  }

  private static void row(RowEncoder encoder, EncodedRow out, double... values)
      throws RowRejectedException {
    encoder.begin();
    encoder.text(0, "Male");
    for (int c = 0; c < values.length; c++) {
      if (Double.isNaN(values[c])) {
        encoder.missing(1 + c);
      } else {
        encoder.number(1 + c, values[c]);
      }
    }
    encoder.encode(out);
  }

  /**
   * The middle and both ends of each cell come back as that cell, through the integers of a row.
   */
  @ParameterizedTest
  @CsvSource({"1", "12", "250"})
  void aRowIsInOneCellOfEachColumn(int columns) throws RowRejectedException {
    RowSchema schema = unknown(MissingValues.MIDPOINT, columns);
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    double[] values = new double[columns];
    for (int cell = 0; cell < RangeGrid.CELLS; cell++) {
      Arrays.fill(values, 0.5 * (RangeGrid.lower(cell) + RangeGrid.upper(cell)));
      values[0] = cell == RangeGrid.CELLS / 2 ? Double.NaN : values[0];
      row(encoder, row, values);
      RangeCounts counts = RangeCounts.create(ColumnRanges.spec(schema));
      counts.add(new RowTag(), row, 1);
      for (int c = 0; c < columns; c++) {
        for (int k = 0; k < RangeGrid.CELLS; k++) {
          boolean here = k == cell && !Double.isNaN(values[c]);
          assertThat(counts.state()[c * RangeGrid.CELLS + k]).isEqualTo(here ? (long) ROW : 0L);
        }
      }
      assertThat(SketchBytes.read(SketchBytes.write(counts))).isEqualTo(counts);
      counts.add(new RowTag(), row, -1);
      assertThat(counts).isEqualTo(counts.spec().zero());
    }
  }

  /** Attained where all cells of a replaced row differ. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void sensitivityIsThatOfAllColumnsTogether(Neighbours neighbours) {
    double changes = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    for (int columns : new int[] {1, 2, 7, 12}) {
      ColumnRanges mechanism = planned(columns, neighbours);
      assertThat(mechanism.sensitivity())
          .isGreaterThanOrEqualTo(Math.sqrt(changes * columns))
          .isCloseTo(Math.sqrt(changes * columns), within(1e-12));
      assertThat(mechanism.sigma() * mechanism.stepSize() * mechanism.mu())
          .isGreaterThanOrEqualTo(mechanism.sensitivity() * (1.0 - 1e-15));
    }
  }

  /** Reference: ranges_sigma.py, the condition of Balle and Wang solved with 40 digits. */
  @ParameterizedTest
  @CsvSource({
    "ADD_REMOVE, 1, 1, 1e-6, 4.22467888933",
    "REPLACE_ONE, 12, 1, 1e-6, 20.6966152119",
    "ADD_REMOVE, 7, 0.1, 1e-6, 96.0531822929"
  })
  void noiseIsThatOfTheReference(
      Neighbours neighbours, int columns, double epsilon, double delta, double sigma) {
    Calibration calibration =
        Calibrations.of(
            ColumnRanges.NAME,
            CalibrationRequest.of(epsilon, OptionalDouble.of(delta), neighbours)
                .withColumns(columns + 1));
    assertThat(calibration.noise().get("sigma")).isCloseTo(sigma, within(1e-9 * sigma));
  }

  /**
   * Null hypothesis: each of the 145 m counts of an empty sketch is normal with the planned
   * deviation. 20,300 counts of m = 2 columns; their sum is normal, and the sum of squares
   * chi-squared and nearly normal; level 1e-6 for both together. Twin: the noise for one column in
   * two has half of the squares.
   */
  @Test
  void countsHaveTheNoiseThatIsPlanned() {
    ColumnRanges mechanism = planned(2, Neighbours.REPLACE_ONE);
    Entropy entropy = Randomness.insecureForTests(5).entropy("ranges");
    int draws = 70;
    double squares = 0.0;
    double sum = 0.0;
    long[] state = new long[mechanism.spec().stateLength()];
    for (int d = 0; d < draws; d++) {
      Arrays.fill(state, 0L);
      mechanism.addNoise(state, 0, entropy);
      for (long value : state) {
        double z = value * mechanism.stepSize() * mechanism.mu() / mechanism.sensitivity();
        squares += z * z;
        sum += z;
      }
    }
    double n = (double) draws * state.length;
    double critical = Alpha.z(2);
    assertThat(Math.abs(sum) / Math.sqrt(n)).isLessThan(critical);
    assertThat(Math.abs(squares - n) / Math.sqrt(2.0 * n)).isLessThan(critical);
    assertThat(Math.abs(0.5 * squares - n) / Math.sqrt(2.0 * n)).isGreaterThan(critical + 5.0);
  }

  /** The counts and the sketches together spend the budget: no more, and not much less. */
  @ParameterizedTest
  @CsvSource({
    "noisy-moments, REPLACE_ONE, 0.1",
    "noisy-moments, ADD_REMOVE, 0.5",
    "select-fit, REPLACE_ONE, 0.1"
  })
  void sharesSpendTheBudget(String mechanism, Neighbours neighbours, double share) {
    Budget budget = new Budget(1.0, 1e-6, neighbours);
    RowSchema known =
        RowSchema.of(List.of(new NumericColumn("x0", 0, 1), new NumericColumn("x1", 0, 1)), 0.5);
    StreamPlan ranges =
        StreamPlan.of(
            request(unknown(MissingValues.REJECT, 2), budget, ColumnRanges.NAME)
                .withRangeShare(share));
    StreamPlan rest = StreamPlan.of(request(known, budget, mechanism).withRangeShare(share));
    Map<MechanismCost, Integer> all = new LinkedHashMap<>();
    ranges.costs().forEach(cost -> all.merge(cost, 1, Integer::sum));
    rest.costs().forEach(cost -> all.merge(cost, 1, Integer::sum));

    double delta = Composition.of(neighbours, all).delta(1.0);
    assertThat(delta + rest.samplerDelta()).isBetween(1e-6 * (1.0 - 1e-4), 1e-6);
    double mu = ((MechanismCost.Gaussian) ranges.costs().get(0)).mu();
    assertThat(mu).isCloseTo(Math.sqrt(share) * GaussianDp.mu(1.0, 1e-6), within(1e-12));
    assertThat(rest.guarantee(Randomness.SYSTEM).basis()).contains("a share of " + share);
  }

  /** Ranges that a release chose change the encoding and not the costs. */
  @Test
  void anotherSchemaHasTheSameCosts() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    RowSchema known = RowSchema.of(List.of(new NumericColumn("x0", 0, 1)), 0.5);
    RowSchema chosen = RowSchema.of(List.of(new NumericColumn("x0", -5.6, 1800)), 0.25);
    StreamPlan plan = StreamPlan.of(request(known, budget, NoisyMoments.NAME).withRangeShare(0.1));
    StreamPlan other = plan.withSchema(chosen).orElseThrow();
    assertThat(other.costs()).isEqualTo(plan.costs());
    assertThat(other.encodingVersion()).isNotEqualTo(plan.encodingVersion());
    assertThat(other.sketch("s").mechanism().sigma() * other.sketch("s").mechanism().stepSize())
        .isCloseTo(
            plan.sketch("s").mechanism().sigma()
                * plan.sketch("s").mechanism().stepSize()
                * Math.pow(chosen.rowBound() / known.rowBound(), 2),
            within(1e-9));
    RowSchema wider =
        RowSchema.of(List.of(new NumericColumn("x0", 0, 1), new NumericColumn("y", 0, 1)), 0.5);
    assertThat(plan.withSchema(wider)).isEqualTo(Optional.empty());
  }

  @Test
  void allOtherUnitsAndReleasesAreForAStreamOfItsOwn() {
    StreamRequest counts =
        request(
            unknown(MissingValues.REJECT, 2),
            new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE),
            ColumnRanges.NAME);
    BudgetScope users = BudgetScope.users("customer", 3);
    for (BudgetScope scope :
        List.of(StreamRequest.ROW, users, BudgetScope.keys(4), BudgetScope.cumulative(4))) {
      assertThat(StreamPlan.of(counts.withScope(scope)).costs()).hasSize(1);
    }
    for (BudgetScope scope : List.of(StreamRequest.ROW, users)) {
      assertThat(StreamPlan.of(counts.withScope(scope).withCheckpointLeaks(1)).costs()).hasSize(1);
    }
    for (BudgetScope scope : List.of(BudgetScope.keys(4), BudgetScope.cumulative(4))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StreamPlan.of(counts.withScope(scope).withCheckpointLeaks(1)))
          .withMessageContaining("checkpointLeaks must be 0");
    }
  }

  @Test
  void aShareNeedsRowsThatAreReleasedOnce() {
    StreamRequest request =
        request(
            unknown(MissingValues.REJECT, 1),
            new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
            ColumnRanges.NAME);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withRangeShare(1.0))
        .withMessage("rangeShare must be in [0, 1). Provided value: 1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withScope(BudgetScope.users("u", 2)).withRangeShare(0.1))
        .withMessageContaining("unless the unit is a row");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BudgetSplit.of(request.budget(), List.of(), 1, 1.0));
  }

  /** A mechanism with a delta of its own leaves some for the counts, or is told what to change. */
  @Test
  void countsNeedADelta() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    double mu = 0.99 * GaussianDp.mu(1.0, 1e-6);
    BudgetSplit.Part own = new BudgetSplit.Part(new BudgetSplit.Approximate(0.9e-6), 1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BudgetSplit.of(budget, List.of(own), 1, mu))
        .withMessageContaining("rangeShare must be smaller");
  }

  @Test
  void aLedgerRefusesPartOfABudget() {
    StreamRequest request =
        request(
            unknown(MissingValues.REJECT, 1),
            new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
            ColumnRanges.NAME);
    StreamPlan whole = StreamPlan.of(request);
    StreamPlan part = StreamPlan.of(request.withRangeShare(0.1));
    assertThat(part.series("all")).isNotEqualTo(whole.series("all"));
    assertThat(LedgerTerms.of(whole, "rows", whole.budget()).costs()).isEqualTo(whole.costs());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerTerms.of(part, "rows", part.budget()))
        .withMessageContaining("rangeShare must be 0");
  }

  @Test
  void positionsAreNeitherClippedNorSummed() {
    List<EstimatedColumn> columns = List.of(new EstimatedColumn("x", "x"));
    RowSchema clipped = RowSchema.of(columns, 0.5, 0.75, MissingValues.REJECT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnRanges.spec(clipped))
        .withMessageContaining("clipping would move values");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                StreamPlan.of(
                    request(
                        RowSchema.of(columns, 0.5),
                        new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
                        NoisyMoments.NAME)))
        .withMessageContaining("mechanism must be ranges");
  }

  @Test
  void aSchemaWithoutUnknownRangesHasNothingToCount() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnRanges.spec(Fixtures.schema()))
        .withMessageContaining("range: estimate");
  }
}
