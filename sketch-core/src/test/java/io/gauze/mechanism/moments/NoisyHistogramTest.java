package io.gauze.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedLaplace;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.Histogram;
import io.gauze.sketch.HistogramSpec;
import io.gauze.testing.Alpha;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NoisyHistogramTest {
  private static StreamPlan plan(RowSchema schema, Budget budget, Map<String, String> options) {
    return StreamPlan.of(
        Fixtures.request(
            schema, budget, new SketchRequest("s", NoisyHistogram.NAME, 1.0, options)));
  }

  private static NoisyHistogram planned(Budget budget) {
    return (NoisyHistogram)
        plan(Fixtures.schema(), budget, Map.of("bins", "4")).sketch("s").mechanism();
  }

  /** alcohol, cut, female, region=south, region=east, quality. */
  @Test
  void axesAreTheColumns() {
    HistogramSpec spec = NoisyHistogram.spec(Fixtures.schema(), 4);
    assertThat(spec.axes())
        .extracting(HistogramSpec.Axis::column)
        .containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(spec.axes()).extracting(HistogramSpec.Axis::bins).containsExactly(4, 4, 3, 3, 3, 4);
    RowSchema strict = RowSchema.of(Fixtures.schema().columns(), 0.5, 2.25, MissingValues.REJECT);
    assertThat(NoisyHistogram.spec(strict, 4).axes())
        .extracting(HistogramSpec.Axis::bins)
        .containsExactly(4, 4, 2, 3, 3, 4);
  }

  /** Texts that differ are in cells that differ: 2 of sex and 3 of region. */
  @Test
  void cellsTellTextsApart() throws RowRejectedException {
    RowSchema schema = RowSchema.of(Fixtures.schema().columns(), 0.5, 2.25, MissingValues.REJECT);
    Set<Integer> cells = new HashSet<>();
    for (String sex : new String[] {"Female", "Male"}) {
      for (String region : new String[] {"north", "south", "east"}) {
        RowEncoder encoder = new RowEncoder(schema);
        EncodedRow row = new EncodedRow(schema.dimension());
        encoder.begin();
        encoder.number(schema.fieldIndex("alcohol"), 15);
        encoder.number(schema.fieldIndex("quality"), 10);
        encoder.text(schema.fieldIndex("cut"), "Ideal");
        encoder.text(schema.fieldIndex("sex"), sex);
        encoder.text(schema.fieldIndex("region"), region);
        encoder.encode(row);
        Histogram counts = Histogram.create(NoisyHistogram.spec(schema, 4));
        counts.add(new RowTag(), row, 1);
        for (int cell = 0; cell < counts.state().length; cell++) {
          if (counts.state()[cell] != 0) {
            assertThat(counts.state()[cell]).isOne();
            cells.add(cell);
          }
        }
      }
    }
    assertThat(cells).hasSize(6);
  }

  /** n / ln n is 72,382 for a million rows. */
  @ParameterizedTest
  @CsvSource({
    "1000000, 1, 42", // 41.7
    "1000000, 2, 16", // 16.4
    "1000000, 5, 5", // 4.9
    "1000000, 30, 2", // 1.4
    "1, 1, 2",
    "3, 1, 2",
    "8588886016, 1, 721" // 721.4
  })
  void plansBins(long rows, int axes, int bins) {
    assertThat(NoisyHistogram.defaultBins(rows, axes)).isEqualTo(bins);
    StreamPlan plan = plan(Fixtures.numbers(2, 1.0, 1.7), Fixtures.BUDGET, Map.of());
    assertThat(plan.sketch("s").mechanism().spec().stateLength()).isEqualTo(16 * 16);
  }

  @Test
  void tooManyCellsAreRefused() {
    RowSchema schema = Fixtures.numbers(20, 1.0, 2.0);
    assertThat(plan(schema, Fixtures.BUDGET, Map.of()).sketch("s").mechanism().spec().stateLength())
        .isEqualTo(1 << 20);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(schema, Fixtures.BUDGET, Map.of("bins", "3")))
        .withMessage(
            "sketch s: bins must be so few that there are at most 1,048,576 cells. Provided value:"
                + " 3 for 20 columns; take fewer columns, or fewer bins (at least 2)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                plan(Fixtures.numbers(4095, 1.0, 2.0), Fixtures.BUDGET, Map.of("bins", "1048576")))
        .withMessageContaining("for 4095 columns");
  }

  /** A row is in one cell: add-remove 1, replace-one 2, whatever else. */
  @Test
  void theScaleIsInRows() {
    for (Neighbours neighbours : Neighbours.values()) {
      Budget budget = new Budget(0.5, 1e-9, neighbours);
      NoisyHistogram mechanism = planned(budget);
      double expected = neighbours == Neighbours.ADD_REMOVE ? 2.0 : 4.0;
      assertThat(mechanism.noise().scale()).isCloseTo(expected, within(1e-7));
      assertThat(mechanism.stepSize()).isEqualTo(1.0);
      StreamPlan plan = plan(Fixtures.schema(), budget, Map.of("bins", "4"));
      int cells = 4 * 4 * 3 * 3 * 3 * 4;
      Release release = Release.of(plan, Fixtures.id("s"), Randomness.SYSTEM, new long[cells]);
      Payload.Counts counts = (Payload.Counts) release.payload();
      assertThat(counts.spec()).isEqualTo(mechanism.spec());
      assertThat(counts.scale()).isCloseTo(expected, within(1e-7));
    }
  }

  /**
   * Every cell, full or empty, has round(X), X Laplace: P(0) = 1 - e^(-1/2s), and both signs are
   * equally likely. Counts in each of 1728 cells over 500 draws against binomial laws, together
   * 1e-6. Pooled over cells a scale that is off by 5 % would be noticed.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1.0, 5.0})
  void noiseFollowsItsLaw(double epsilon) {
    NoisyHistogram mechanism = planned(new Budget(epsilon, 1e-9, Neighbours.ADD_REMOVE));
    int length = mechanism.spec().stateLength();
    int draws = 500;
    int[] zeros = new int[length];
    int[] positive = new int[length];
    Entropy entropy = Randomness.insecureForTests(75).entropy("counts");
    for (int d = 0; d < draws; d++) {
      long[] state = new long[length];
      mechanism.addNoise(state, 0, entropy);
      for (int k = 0; k < length; k++) {
        zeros[k] += state[k] == 0 ? 1 : 0;
        positive[k] += state[k] > 0 ? 1 : 0;
      }
    }
    double zero = -Math.expm1(-0.5 * epsilon);
    int total = 0;
    for (int k = 0; k < length; k++) {
      assertThat(Alpha.unlikely(zeros[k], draws, zero, 2 * length + 2)).isFalse();
      assertThat(Alpha.unlikely(positive[k], draws, 0.5 - 0.5 * zero, 2 * length + 2)).isFalse();
      total += zeros[k];
    }
    assertThat(Alpha.unlikely(total, draws * length, zero, 2 * length + 2)).isFalse();
    double wider = -Math.expm1(-0.5 * epsilon / 1.05);
    assertThat(Alpha.unlikely(total, draws * length, wider, 2 * length + 2)).isTrue();
  }

  @Test
  void refusesLessNoiseThanClaimedAndWarnsWhereItDrownsTheRows() {
    NoisyHistogram right = planned(Fixtures.BUDGET);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new NoisyHistogram(
                    right.spec(),
                    right.bins(),
                    right.sensitivity(),
                    right.epsilon(),
                    RoundedLaplace.of(right.noise().scale() / 1.0001),
                    1))
        .withMessageStartingWith("scale must be at least sensitivity / epsilon = ");
    RowSchema few = Fixtures.numbers(2, 1.0, 1.7);
    assertThat(plan(few, Fixtures.BUDGET, Map.of()).warnings()).isEmpty();
    assertThat(plan(few, Fixtures.BUDGET, Map.of("bins", "1024")).warnings())
        .singleElement()
        .asString()
        .contains(
            "GZ-DROWNED", "hide the signal of a cell, which is ", "Take fewer columns or bins");
  }
}
