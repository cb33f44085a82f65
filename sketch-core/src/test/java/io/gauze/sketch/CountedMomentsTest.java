package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.row.EncodedRow;
import io.gauze.row.Grid;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.Updates.Update;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountedMomentsTest extends LinearSketchContract<CountedMoments> {
  private static final long UNIT = 1_000_003;
  private static final long SQUARE = 1L << 29;
  private static final CountedMomentsSpec SPEC =
      new CountedMomentsSpec(DIMENSION, new Grid(0), UNIT, List.of(1, 3), SQUARE);
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("x", -1, 1),
              new NumericColumn("y", -1, 1),
              new NumericColumn("z", -1, 1)),
          0.6,
          1.0,
          MissingValues.REJECT);
  private static final RowSchema APART = SCHEMA.withResponses(new ResponseBound(List.of("y"), 0.5));

  @Override
  CountedMoments create() {
    return SPEC.zero();
  }

  @Override
  List<CountedMoments> incompatible() {
    return List.of(
        new CountedMomentsSpec(DIMENSION, new Grid(1), UNIT, List.of(1, 3), SQUARE).zero(),
        new CountedMomentsSpec(DIMENSION, new Grid(0), UNIT + 1, List.of(1, 3), SQUARE).zero(),
        new CountedMomentsSpec(DIMENSION, new Grid(0), UNIT, List.of(1), SQUARE).zero(),
        new CountedMomentsSpec(DIMENSION, new Grid(0), UNIT, List.of(1, 3), SQUARE - 1).zero());
  }

  @Override
  CountedMoments fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, CountedMoments.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    int triangle = SecondMomentsSpec.length(DIMENSION);
    long[] state = new long[triangle + 2];
    for (Update update : updates) {
      int[] row = update.row.values();
      int at = 0;
      for (int i = 0; i < DIMENSION; i++) {
        for (int j = i; j < DIMENSION; j++) {
          state[at++] += update.sign * (long) row[i] * row[j];
        }
      }
      boolean isLong = (long) row[1] * row[1] + (long) row[3] * row[3] >= SQUARE;
      state[triangle + (isLong ? 1 : 0)] += update.sign * UNIT;
    }
    return state;
  }

  /** The norm of the matrix and of the counts. */
  @Override
  double length(CountedMoments sketch) {
    int triangle = SecondMomentsSpec.length(DIMENSION);
    double matrix = SecondMomentsTest.frobenius(SPEC.moments(), sketch.state(), 0);
    return Math.hypot(
        matrix,
        Math.hypot((double) sketch.state()[triangle], (double) sketch.state()[triangle + 1]));
  }

  /** A row of the bound attains it, and so does one that moves to another group. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void sensitivityIsOfMomentsAndCountTogether(Neighbours neighbours) {
    Grid grid = Grid.forRowBound(1.0);
    CountedMomentsSpec spec = new CountedMomentsSpec(2, grid, 1L << 27, List.of(), 0);
    // K is 1/8 of the squared bound, 2^30 steps
    double one = Math.sqrt(1.0 + 1.0 / 64.0);
    double all = neighbours == Neighbours.ADD_REMOVE ? one : Math.sqrt(2.0) * one;
    assertThat(spec.sensitivity(1.0, neighbours)).isBetween(all, all * (1.0 + 1e-14));
    CountedMoments sketch = spec.zero();
    EncodedRow row = new EncodedRow(2);
    row.values()[1] = 1 << 15;
    sketch.add(new RowTag(), row, 1);
    double norm =
        Math.hypot((double) sketch.state()[2], (double) sketch.state()[3]) * grid.momentUnit();
    assertThat(norm).isCloseTo(one, within(1e-15));
  }

  /** A fiftieth of the squared sensitivity is the count's: K is a seventh of the squared bound. */
  @Test
  void theShapeOfASchemaHasItsShare() {
    CountedMomentsSpec spec = CountedMomentsSpec.of(SCHEMA, 0.02, true);
    double unit = spec.rowUnit() * SCHEMA.grid().momentUnit();
    assertThat(unit).isBetween(1.0 / 7.0 - 1e-8, 1.0 / 7.0);
    assertThat(spec.counts()).isEqualTo(1);
    assertThat(CountedMomentsSpec.of(APART, 0.02, true).responses()).containsExactly(2);
    assertThat(CountedMomentsSpec.of(APART, 0.02, true).counts()).isEqualTo(2);
    assertThat(CountedMomentsSpec.of(APART, 0.02, false).counts()).isEqualTo(1);
    RowSchema wide =
        RowSchema.of(SCHEMA.columns(), 0.6, 1.5, MissingValues.REJECT)
            .withResponses(new ResponseBound(List.of("y"), 1.0));
    assertThat(wide.shortensResponses()).as("no response is beyond its range").isFalse();
    assertThat(CountedMomentsSpec.of(wide, 0.02, true).responseSquare()).isEqualTo(1L << 30);
  }

  /** Rows less the constants' squares are the weight that shortening took off. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsTellWhatShorteningTookOff(boolean apart) throws RowRejectedException {
    RowSchema schema = apart ? APART : SCHEMA;
    CountedMomentsSpec spec = CountedMomentsSpec.of(schema, 0.02, true);
    CountedMoments sketch = spec.zero();
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    SplittableRandom random = new SplittableRandom(4);
    double lost = 0.0;
    int shortened = 0;
    int rows = 500;
    for (int r = 0; r < rows; r++) {
      double[] values = random.doubles(3, -1.0, 1.0).toArray();
      encoder.begin();
      for (int i = 0; i < values.length; i++) {
        encoder.number(i, values[i]);
      }
      encoder.encode(row);
      sketch.add(new RowTag(), row, 1);
      double square = 0.36 + values[0] * values[0] + values[2] * values[2];
      double bound = apart ? 0.75 : 1.0;
      square += apart ? 0.0 : values[1] * values[1];
      double weight = Math.min(1.0, bound / square);
      lost += 1.0 - weight;
      shortened += apart && Math.sqrt(weight) * Math.abs(values[1]) > 0.5 ? 1 : 0;
    }
    int triangle = spec.moments().stateLength();
    double constant = Math.floor(0.6 / schema.grid().step());
    double counted = (double) sketch.state()[triangle] / spec.rowUnit();
    double ofApart = apart ? (double) sketch.state()[triangle + 1] / spec.rowUnit() : 0.0;
    assertThat(counted + ofApart).isEqualTo(rows);
    assertThat(ofApart).isEqualTo(shortened);
    assertThat(rows - sketch.state()[0] / (constant * constant)).isCloseTo(lost, within(0.05));
    assertThat(lost).isGreaterThan(20.0);
  }

  @Test
  void refusesWhatIsOutOfRange() {
    Grid grid = new Grid(13);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CountedMomentsSpec(4, grid, 0, List.of(), 0))
        .withMessageStartingWith("rowUnit must be in [1, 1073741824]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CountedMomentsSpec(4, grid, 1, List.of(2, 2), 9))
        .withMessageStartingWith("response must be in [3, 3]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CountedMomentsSpec(4, grid, 1, List.of(), 9))
        .withMessageStartingWith("responseSquare must be in [0, 0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CountedMomentsSpec.of(SCHEMA, 0.6, true))
        .withMessageStartingWith("share must be in ");
  }
}
