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
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortenedMomentsTest extends LinearSketchContract<ShortenedMoments> {
  private static final long UNIT = 1_000_003;
  private static final int CONSTANT = 1 << 14;
  private static final ShortenedMomentsSpec.Responses APART_COLUMNS =
      new ShortenedMomentsSpec.Responses(List.of(1, 3), 1L << 29, 400_000);
  private static final ShortenedMomentsSpec SPEC =
      new ShortenedMomentsSpec(DIMENSION, new Grid(0), CONSTANT, UNIT, APART_COLUMNS);
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
  ShortenedMoments create() {
    return SPEC.zero();
  }

  @Override
  List<ShortenedMoments> incompatible() {
    ShortenedMomentsSpec.Responses one =
        new ShortenedMomentsSpec.Responses(List.of(1), 1L << 29, 400_000);
    return List.of(
        new ShortenedMomentsSpec(DIMENSION, new Grid(1), CONSTANT, UNIT, APART_COLUMNS).zero(),
        new ShortenedMomentsSpec(DIMENSION, new Grid(0), 9, UNIT, APART_COLUMNS).zero(),
        new ShortenedMomentsSpec(DIMENSION, new Grid(0), CONSTANT, UNIT + 1, APART_COLUMNS).zero(),
        new ShortenedMomentsSpec(DIMENSION, new Grid(0), CONSTANT, UNIT, one).zero());
  }

  @Override
  ShortenedMoments fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, ShortenedMoments.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    int triangle = SecondMomentsSpec.length(DIMENSION);
    long[] state = new long[triangle + 1];
    for (Update update : updates) {
      int[] row = update.row.values();
      int at = 0;
      for (int i = 0; i < DIMENSION; i++) {
        for (int j = i; j < DIMENSION; j++) {
          state[at++] += update.sign * (long) row[i] * row[j];
        }
      }
      BigInteger whole = BigInteger.valueOf((long) CONSTANT * CONSTANT);
      BigInteger left = BigInteger.valueOf((long) row[0] * row[0]).min(whole);
      long lost = BigInteger.valueOf(UNIT).multiply(whole.subtract(left)).divide(whole).longValue();
      boolean isLong = (long) row[1] * row[1] + (long) row[3] * row[3] >= 1L << 29;
      state[triangle] += update.sign * Math.min(UNIT, lost + (isLong ? 400_000 : 0));
    }
    return state;
  }

  /** The norm of the matrix and of the lost weight. */
  @Override
  double length(ShortenedMoments sketch) {
    double lost = sketch.state()[SecondMomentsSpec.length(DIMENSION)];
    return Math.hypot(SecondMomentsTest.frobenius(SPEC.moments(), sketch.state(), 0), lost);
  }

  /** A row that lost nearly all of its weight nearly attains it. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void sensitivityIsOfMomentsAndLostWeightTogether(Neighbours neighbours) {
    Grid grid = Grid.forRowBound(1.0);
    ShortenedMomentsSpec spec =
        new ShortenedMomentsSpec(2, grid, 1 << 14, 1L << 27, ShortenedMomentsSpec.Responses.NONE);
    // K is 1/8 of the squared bound, 2^30 steps
    double one = Math.sqrt(1.0 + 1.0 / 64.0);
    double all = neighbours == Neighbours.ADD_REMOVE ? one : Math.sqrt(2.0) * one;
    assertThat(spec.sensitivity(1.0, neighbours)).isBetween(all, all * (1.0 + 1e-14));
    ShortenedMoments sketch = spec.zero();
    EncodedRow row = new EncodedRow(2);
    row.values()[1] = 1 << 15;
    sketch.add(new RowTag(), row, 1);
    double norm = Math.hypot((double) sketch.state()[2], (double) sketch.state()[3]);
    assertThat(norm * grid.momentUnit()).isCloseTo(one, within(1e-15));
  }

  /** A fiftieth of the squared sensitivity is its: K is a seventh of the squared bound. */
  @Test
  void theShapeOfASchemaHasItsShare() {
    ShortenedMomentsSpec spec = ShortenedMomentsSpec.of(SCHEMA, 0.02);
    double unit = spec.rowUnit() * SCHEMA.grid().momentUnit();
    assertThat(unit).isBetween(1.0 / 7.0 - 1e-8, 1.0 / 7.0);
    assertThat(spec.constant()).isEqualTo((int) (0.6 * (1 << 15)));
    assertThat(spec.responses()).isEqualTo(ShortenedMomentsSpec.Responses.NONE);
    ShortenedMomentsSpec.Responses apart = ShortenedMomentsSpec.of(APART, 0.02).responses();
    assertThat(apart.columns()).containsExactly(2);
    // of a response at the end of its range, 1, a quarter of the square is left
    assertThat((double) apart.lost()).isCloseTo(0.75 * spec.rowUnit(), within(1.0));
    RowSchema wide =
        RowSchema.of(SCHEMA.columns(), 0.6, 1.5, MissingValues.REJECT)
            .withResponses(new ResponseBound(List.of("y"), 1.0));
    assertThat(wide.shortensResponses()).as("no response is beyond its range").isFalse();
    assertThat(ShortenedMomentsSpec.of(wide, 0.02).responses().columns()).isEmpty();
  }

  /** The lost weight is that of real factors; of responses it is at most what is told. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellsWhatShorteningTookOff(boolean apart) throws RowRejectedException {
    RowSchema schema = apart ? APART : SCHEMA;
    ShortenedMomentsSpec spec = ShortenedMomentsSpec.of(schema, 0.02);
    ShortenedMoments sketch = spec.zero();
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    SplittableRandom random = new SplittableRandom(4);
    double lost = 0.0;
    double most = 0.0;
    for (int r = 0; r < 500; r++) {
      double[] values = random.doubles(3, -1.0, 1.0).toArray();
      encoder.begin();
      for (int i = 0; i < values.length; i++) {
        encoder.number(i, values[i]);
      }
      encoder.encode(row);
      sketch.add(new RowTag(), row, 1);
      double square = 0.36 + values[0] * values[0] + values[2] * values[2];
      square += apart ? 0.0 : values[1] * values[1];
      double weight = Math.min(1.0, (apart ? 0.75 : 1.0) / square);
      double response = Math.sqrt(weight) * Math.abs(values[1]);
      double kept = apart ? Math.min(1.0, 0.25 / (response * response)) : 1.0;
      lost += 1.0 - weight * kept;
      most += Math.min(1.0, 1.0 - weight + (kept < 1.0 ? 0.75 : 0.0));
    }
    double told = sketch.state()[spec.moments().stateLength()] / (double) spec.rowUnit();
    assertThat(told).isCloseTo(most, within(0.05));
    assertThat(told).isGreaterThan(lost - 0.05);
    assertThat(lost).isGreaterThan(20.0);
  }

  @Test
  void refusesWhatIsOutOfRange() {
    Grid grid = new Grid(13);
    ShortenedMomentsSpec.Responses none = ShortenedMomentsSpec.Responses.NONE;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShortenedMomentsSpec(4, grid, 5, 0, none))
        .withMessageStartingWith("rowUnit must be in [1, 1073741824]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShortenedMomentsSpec(4, grid, 0, 5, none))
        .withMessageStartingWith("constant must be in [1, 32768]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShortenedMomentsSpec.Responses(List.of(2, 2), 9, 9))
        .withMessageStartingWith("response must be in [3, 19999]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShortenedMomentsSpec.Responses(List.of(), 9, 0))
        .withMessageStartingWith("responseSquare must be in [0, 0]");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ShortenedMomentsSpec(
                    4, grid, 5, 5, new ShortenedMomentsSpec.Responses(List.of(4), 9, 1)))
        .withMessageStartingWith("response must be in [1, 3]");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ShortenedMomentsSpec(
                    4, grid, 5, 5, new ShortenedMomentsSpec.Responses(List.of(1), 9, 6)))
        .withMessageStartingWith("responseLost must be in [0, 5]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShortenedMomentsSpec.of(SCHEMA, 0.6))
        .withMessageStartingWith("share must be in ");
  }
}
