package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.row.Grid;
import io.gauze.sketch.HistogramSpec.Axis;
import io.gauze.sketch.Updates.Update;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramTest extends LinearSketchContract<Histogram> {
  private static final Grid GRID = new Grid(14);
  private static final HistogramSpec SPEC =
      new HistogramSpec(DIMENSION, GRID, List.of(new Axis(4, 2), new Axis(1, 3)));

  @Override
  Histogram create() {
    return Histogram.create(SPEC);
  }

  @Override
  List<Histogram> incompatible() {
    List<Axis> turned = List.of(new Axis(1, 3), new Axis(4, 2));
    return List.of(
        Histogram.create(new HistogramSpec(DIMENSION, GRID, turned)),
        Histogram.create(new HistogramSpec(DIMENSION, new Grid(13), SPEC.axes())),
        Histogram.create(new HistogramSpec(DIMENSION + 1, GRID, SPEC.axes())));
  }

  @Override
  Histogram fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, Histogram.class);
  }

  @Override
  byte[] bytesOfAnotherFamily() {
    return SketchBytes.write(SecondMoments.create(new SecondMomentsSpec(DIMENSION)));
  }

  @Override
  long[] naive(List<Update> updates) {
    long[] state = new long[6];
    for (Update update : updates) {
      int[] row = update.row.values();
      // thirds of [-2^14, 2^14] end at -5461.33 and 5461.33
      int third = row[1] <= -5462 ? 0 : row[1] <= 5461 ? 1 : 2;
      state[(row[4] < 0 ? 0 : 3) + third] += update.sign;
    }
    return state;
  }

  @Test
  void cellsByTheLastAxisFirst() {
    assertThat(SPEC.stateLength()).isEqualTo(6);
    assertThat(SPEC.index(0, 2)).isEqualTo(2);
    assertThat(SPEC.index(1, 0)).isEqualTo(3);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> SPEC.index(0, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> SPEC.index(0));
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 2", "5, 5, 2", "5, -1, 2", "5, 0, 0", "5, 0, 1048577", "4097, 0, 2"})
  void rangesAreChecked(int dimension, int column, int bins) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HistogramSpec(dimension, GRID, List.of(new Axis(column, bins))))
        .withMessageContaining("Provided value: ");
  }

  @Test
  void axesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HistogramSpec(5, GRID, List.of()))
        .withMessage("number of axes must be in [1, 5]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HistogramSpec(5, GRID, List.of(new Axis(2, 2), new Axis(2, 2))))
        .withMessage("columns of axes must differ. Provided value: 2 twice");
    List<Axis> many = List.of(new Axis(0, 1 << 20), new Axis(1, 256));
    assertThatIllegalArgumentException().isThrownBy(() -> new HistogramSpec(5, GRID, many));
  }
}
