package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RowClipperTest {
  /** Whatever the row, the integers are at most the bound, exactly; both parts keep their own. */
  @ParameterizedTest
  @CsvSource({"0.5, 1.0", "1.2499999, 0.3", "0.015625, 1.0", "31.6, 0.7", "1.0, 1.0"})
  void noRowIsLongerThanTheBound(double featureBound, double responseBound) {
    SplittableRandom random = new SplittableRandom(4);
    RowClipper clipper = RowClipper.of(6, featureBound, responseBound);
    double step = clipper.grid().step();
    long largest = (long) Math.floor(Math.pow(clipper.bound() / step, 2));
    assertThat(clipper.bound()).isCloseTo(Math.hypot(featureBound, responseBound), within(1e-12));
    int[] steps = new int[6];
    long reached = 0;
    for (int i = 0; i < 5_000; i++) {
      double[] row = new double[6];
      double size = featureBound * Math.pow(2.0, random.nextInt(9) - 4);
      for (int j = 0; j < 6; j++) {
        row[j] = size * random.nextGaussian();
      }
      row[5] = responseBound * (random.nextBoolean() ? 4.0 : 1.0) * random.nextDouble(-1.0, 1.0);
      clipper.clip(row, steps);
      long square = Arrays.stream(steps).mapToLong(q -> (long) q * q).sum();
      assertThat(square).isLessThanOrEqualTo(largest);
      reached = Math.max(reached, square);
      double features = IntStream.range(0, 5).mapToDouble(j -> (double) steps[j] * steps[j]).sum();
      assertThat(Math.sqrt(features) * step).isLessThanOrEqualTo(featureBound * (1.0 + 0x1p-30));
      assertThat(Math.abs(steps[5]) * step).isLessThanOrEqualTo(responseBound * (1.0 + 0x1p-30));
    }
    assertThat((double) reached).isGreaterThan(0.9 * largest);
  }

  /** A scaled row gets the integers of its record, also where the intercept is not on the grid. */
  @ParameterizedTest
  @CsvSource({"0.7, 0.3", "1.1, 0.123456789", "8.0, 0.3"})
  void theBoundsOfASchemaAreThoseOfItsRecords(double rowBound, double intercept) throws Exception {
    List<NumericColumn> columns =
        IntStream.range(0, 4).mapToObj(j -> new NumericColumn("x" + j, "x" + j, -3, 7)).toList();
    RowSchema schema = RowSchema.of(columns, intercept, rowBound, MissingValues.MIDPOINT);
    RowEncoder encoder = new RowEncoder(schema);
    RowClipper clipper = RowClipper.of(schema);
    SplittableRandom random = new SplittableRandom(9);
    double[] row = new double[5];
    EncodedRow encoded = new EncodedRow(5);
    int[] steps = new int[5];
    for (int i = 0; i < 5_000; i++) {
      encoder.begin();
      for (int j = 0; j < 4; j++) {
        if (random.nextInt(10) > 0) {
          encoder.number(j, random.nextDouble(-4, 8));
        }
      }
      encoder.scale(row);
      row[0] = schema.intercept();
      clipper.clip(row, steps);
      encoder.encode(encoded);
      assertThat(steps).isEqualTo(encoded.values());
    }
    assertThat(encoder.clipped() > 0).isEqualTo(rowBound < 2.0);
  }

  /** The weight of a row depends on its features alone, so that a linear model stays true. */
  @Test
  void aLinearModelStaysTrue() {
    RowClipper clipper = RowClipper.of(3, 1.0, 1.0);
    int[] steps = new int[3];
    double[] slopes = {0.2, -0.3};
    for (double size : new double[] {0.1, 0.9, 1.5, 3.0}) {
      double[] row = {size, -size, size * (slopes[0] - slopes[1])};
      clipper.clip(row, steps);
      assertThat(slopes[0] * steps[0] + slopes[1] * steps[1])
          .isCloseTo(steps[2], within(2.0)); // rounding toward zero
    }
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowClipper.of(3, 0.001, 1.0))
        .withMessage("featureBound must be in [0.015625, 256]. Provided value: 0.001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowClipper.of(3, 1.0, 300.0))
        .withMessage("responseBound must be in [0.015625, 256]. Provided value: 300.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowClipper.of(1, 1.0, 1.0))
        .withMessage("dimension must be in [2, 4096]. Provided value: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowClipper.of(3, 1.0, 1.0).clip(new double[2], new int[3]))
        .withMessage("row must have 3 entries. Provided value: 2");
    assertThat(RowClipper.of(3, 1.0, 0.0 + 1.0))
        .hasToString("RowClipper[dimension=3, bound=" + Math.sqrt(2.0) + "]");
  }
}
