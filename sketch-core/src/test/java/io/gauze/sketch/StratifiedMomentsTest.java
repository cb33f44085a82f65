package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.row.Grid;
import io.gauze.sketch.Updates.Update;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StratifiedMomentsTest extends LinearSketchContract<StratifiedMoments> {
  private static final Grid GRID = new Grid(14);
  private static final StratifiedMomentsSpec SPEC =
      new StratifiedMomentsSpec(DIMENSION, 3, 4, GRID);

  @Override
  StratifiedMoments create() {
    return StratifiedMoments.create(SPEC);
  }

  @Override
  List<StratifiedMoments> incompatible() {
    return List.of(
        StratifiedMoments.create(new StratifiedMomentsSpec(DIMENSION, 2, 4, GRID)),
        StratifiedMoments.create(new StratifiedMomentsSpec(DIMENSION, 3, 5, GRID)),
        StratifiedMoments.create(new StratifiedMomentsSpec(DIMENSION, 3, 4, new Grid(13))),
        StratifiedMoments.create(new StratifiedMomentsSpec(DIMENSION + 1, 3, 4, GRID)));
  }

  @Override
  StratifiedMoments fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, StratifiedMoments.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    long[] state = new long[SPEC.stateLength()];
    for (Update update : updates) {
      // a quarter of [-2^14, 2^14] each; half of the entries are outside
      int value = update.row.values()[3];
      int stratum = value < -8192 ? 0 : value < 0 ? 1 : value < 8192 ? 2 : 3;
      for (int i = 0; i < DIMENSION; i++) {
        for (int j = i; j < DIMENSION; j++) {
          long product = (long) update.row.values()[i] * update.row.values()[j];
          state[SPEC.index(stratum, i, j)] += update.sign * product;
        }
      }
    }
    return state;
  }

  /** Frobenius' norm over all strata. */
  @Override
  double length(StratifiedMoments sketch) {
    double squares = 0;
    for (int k = 0; k < SPEC.strata(); k++) {
      int from = SPEC.index(k, 0, 0);
      squares += Math.pow(SecondMomentsTest.frobenius(SPEC.moments(), sketch.state(), from), 2);
    }
    return Math.sqrt(squares);
  }

  @Test
  void theSumOfTheStrataIsTheSecondMoments() {
    StratifiedMoments strata = create();
    SecondMoments moments = SecondMoments.create(new SecondMomentsSpec(DIMENSION));
    for (Update update : Updates.random(500, DIMENSION, 8)) {
      update.to(strata);
      update.to(moments);
    }
    assertThat(strata.total()).isEqualTo(moments);
  }

  @ParameterizedTest
  @CsvSource({
    "-1000000, 0",
    "-16385, 0",
    "-16384, 0",
    "-8193, 0",
    "-8192, 1",
    "-1, 1",
    "0, 2",
    "8191, 2",
    "8192, 3",
    "16383, 3",
    "16384, 3",
    "16385, 3",
    "1000000, 3"
  })
  void strataAreHalfOpenAndCoverEverything(int value, int stratum) {
    assertThat(SPEC.stratum(value)).isEqualTo(stratum);
  }

  /** On the finest grid 1 is far above the largest entry. */
  @Test
  void theFinestGrid() {
    StratifiedMomentsSpec fine = new StratifiedMomentsSpec(1, 0, 1024, new Grid(40));
    assertThat(fine.stratum(-1)).isEqualTo(511);
    assertThat(fine.stratum(Grid.MAX_ROW_STEPS)).isEqualTo(512);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1",
    "4097, 0, 1",
    "5, -1, 1",
    "5, 5, 1",
    "5, 0, 0",
    "5, 0, 1025",
    "512, 0, 1024"
  })
  void rangesAreChecked(int dimension, int column, int strata) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StratifiedMomentsSpec(dimension, column, strata, GRID))
        .withMessageContaining("Provided value: ");
  }

  @Test
  void indicesAreChecked() {
    assertThat(SPEC.index(1, 0, 0)).isEqualTo(15);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> SPEC.index(4, 0, 0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> SPEC.index(0, 5, 0));
  }

  /** n over sigma sqrt D: 7,999 and 8,001, then 19,999 and 20,001. */
  @ParameterizedTest
  @CsvSource({
    "799900, 5",
    "800100, 9",
    "1999900, 9",
    "2000100, 17",
    "1, 5",
    "9223372036854775807, 17"
  })
  void strataFollowTheSignal(long rows, int strata) {
    assertThat(StratifiedMomentsSpec.plannedStrata(rows, 4, 50.0)).isEqualTo(strata);
    assertThat(StratifiedMomentsSpec.plannedStrata(rows, 4, 0.0)).isEqualTo(17);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StratifiedMomentsSpec.plannedStrata(rows, 4, Double.NaN))
        .withMessageContaining("sigma must be in");
  }
}
