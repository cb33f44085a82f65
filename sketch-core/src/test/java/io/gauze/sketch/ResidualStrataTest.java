package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.row.Grid;
import io.gauze.row.RowTag;
import io.gauze.sketch.Updates.Update;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResidualStrataTest extends LinearSketchContract<ResidualStrata> {
  private static final Grid GRID = new Grid(14);
  private static final List<Double> WEIGHTS = List.of(0.25, -0.5, 0.125, 0.0, 1.0);
  private static final ResidualStrataSpec SPEC =
      new ResidualStrataSpec(DIMENSION, WEIGHTS, 4, GRID);

  @Override
  ResidualStrata create() {
    return ResidualStrata.create(SPEC);
  }

  @Override
  List<ResidualStrata> incompatible() {
    List<Double> others = List.of(0.25, -0.5, 0.125, 0.0, Math.nextUp(1.0));
    List<Double> more = List.of(0.25, -0.5, 0.125, 0.0, 1.0, 0.0);
    return List.of(
        ResidualStrata.create(new ResidualStrataSpec(DIMENSION, others, 4, GRID)),
        ResidualStrata.create(new ResidualStrataSpec(DIMENSION, WEIGHTS, 5, GRID)),
        ResidualStrata.create(new ResidualStrataSpec(DIMENSION, WEIGHTS, 4, new Grid(13))),
        ResidualStrata.create(new ResidualStrataSpec(DIMENSION + 1, more, 4, GRID)));
  }

  @Override
  ResidualStrata fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, ResidualStrata.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(
        StratifiedMoments.create(new StratifiedMomentsSpec(DIMENSION, 3, 4, GRID)));
  }

  @Override
  long[] naive(List<Update> updates) {
    long[] state = new long[SPEC.stateLength()];
    for (Update update : updates) {
      int[] row = update.row.values();
      // eight times the weighted sum in grid steps; a quarter of [-2^17, 2^17] each
      long sum = 2L * row[0] - 4L * row[1] + row[2] + 8L * row[4];
      int next = 15 * (sum < -65536 ? 0 : sum < 0 ? 1 : sum < 65536 ? 2 : 3);
      for (int i = 0; i < DIMENSION; i++) {
        for (int j = i; j < DIMENSION; j++) {
          state[next++] += update.sign * ((long) row[i] * row[j]);
        }
      }
    }
    return state;
  }

  /** Frobenius' norm over all strata. */
  @Override
  double length(ResidualStrata sketch) {
    double squares = 0;
    for (int k = 0; k < SPEC.strata(); k++) {
      squares += Math.pow(SecondMomentsTest.frobenius(SPEC.moments(), sketch.state(), 15 * k), 2);
    }
    return Math.sqrt(squares);
  }

  /** The weight 1 of a single entry: [-1, 1] is [-2^14, 2^14] steps. */
  @ParameterizedTest
  @CsvSource({
    "-32768, 0",
    "-16385, 0",
    "-16384, 0",
    "-8193, 0",
    "-8192, 1",
    "-1, 1",
    "0, 2",
    "8191, 2",
    "8192, 3",
    "16384, 3",
    "32768, 3"
  })
  void strataAreHalfOpenAndCoverEverything(int value, int stratum) {
    assertThat(stratum(1.0, value)).isEqualTo(stratum);
  }

  /** The largest weights of either sign send all but 0 to the ends; no weight, to the middle. */
  @ParameterizedTest
  @CsvSource({
    "65536, 1, 3",
    "65536, -1, 0",
    "-65536, 32768, 0",
    "-65536, -32768, 3",
    "65536, 0, 2",
    "0, 32768, 2",
    "1e-300, -32768, 2"
  })
  void extremeWeights(double weight, int value, int stratum) {
    assertThat(stratum(weight, value)).isEqualTo(stratum);
  }

  /** The stratum of a row of one entry, of 4. */
  private static int stratum(double weight, int value) {
    // the constant 1, which counts rows, has no weight
    ResidualStrataSpec spec = new ResidualStrataSpec(2, List.of(0.0, weight), 4, GRID);
    ResidualStrata sketch = ResidualStrata.create(spec);
    sketch.add(new RowTag(), Updates.row(1, value), 1);
    int found = 0;
    while (sketch.state()[3 * found] == 0) {
      found++;
    }
    return found;
  }

  @Test
  void theSumOfTheStrataIsTheSecondMoments() {
    ResidualStrata strata = create();
    SecondMoments moments = SecondMoments.create(new SecondMomentsSpec(DIMENSION));
    for (Update update : Updates.random(500, DIMENSION, 8)) {
      update.to(strata);
      update.to(moments);
    }
    long[] total = new long[15];
    Arrays.setAll(
        total,
        i ->
            Arrays.stream(new int[] {0, 1, 2, 3}).mapToLong(k -> strata.state()[15 * k + i]).sum());
    assertThat(total).isEqualTo(moments.state());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, dimension must be in",
    "4097, 4097, 1, dimension must be in",
    "5, 4, 1, weights must have",
    "5, 5, 0, strata must be in",
    "5, 5, 1025, strata must be in",
    "512, 512, 1024, strata * D (D + 1) / 2 must be in"
  })
  void rangesAreChecked(int dimension, int weights, int strata, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ResidualStrataSpec(dimension, Collections.nCopies(weights, 0.5), strata, GRID))
        .withMessageStartingWith(message)
        .withMessageContaining("Provided value: ");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 65536.01, -65536.01})
  void weightsAreChecked(double weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResidualStrataSpec(1, List.of(weight), 1, GRID))
        .withMessageStartingWith("weight must be in [-65536");
    byte[] bytes =
        SketchBytes.write(ResidualStrata.create(new ResidualStrataSpec(1, List.of(1.0), 1, GRID)));
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(20, weight);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fromBytes(bytes))
        .withMessageStartingWith("weight must be in [-65536");
  }

  /** Refused before memory of that size is allocated. */
  @ParameterizedTest
  @CsvSource({
    "8, -1, dimension must be in",
    "8, 4097, dimension must be in",
    "8, 4096, sketch must have at least",
    "12, 0, strata must be in",
    "12, 1024, sketch of ",
    "16, 41, fractionBits must be in"
  })
  void hostileBytesAreRefused(int at, int value, String message) {
    byte[] bytes = SketchBytes.write(create());
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fromBytes(bytes))
        .withMessageStartingWith(message);
  }
}
