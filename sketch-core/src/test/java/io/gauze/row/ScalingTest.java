package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that are scaled together are numbers that are scaled one by one, and stay in [-1, 1]. */
class ScalingTest {
  private static final double INTERCEPT = -0.0; // a text's entry, for instance, is not scaled

  @ParameterizedTest
  @CsvSource({
    "-1, 1",
    "8, 15",
    "-4.4e307, 4.4e307",
    "1e307, 8e307",
    "0, 4.9e-324",
    "-1e-310, 3e-310",
    "1, 1.0000000000000002",
    "-1e16, -9999999999999996"
  })
  void togetherAsOneByOne(double lower, double upper) {
    RowSchema schema =
        RowSchema.of(
            List.of(new NumericColumn("a", "a", lower, upper), new NumericColumn("b", "b", 0, 1)),
            1);
    Scaling scaling = new Scaling(schema);
    int rows = Scaling.blockRows(schema.dimension());
    double[] entries = new double[rows * schema.dimension()];
    double[] expected = new double[entries.length];
    SplittableRandom random = new SplittableRandom(1);
    for (int k = 0; k < rows; k++) {
      double part = k < 2 ? k : random.nextDouble();
      double c = k == 1 ? upper : Math.min(upper, lower + part * (upper - lower));
      entries[3 * k] = INTERCEPT;
      entries[3 * k + 1] = c;
      entries[3 * k + 2] = part;
      expected[3 * k] = INTERCEPT;
      expected[3 * k + 1] = Numbers.scale(c, lower, upper);
      expected[3 * k + 2] = Numbers.scale(part, 0, 1);
    }
    scaling.apply(entries, entries.length);
    assertThat(entries).isEqualTo(expected); // to the last bit, the sign of 0 too
    assertThat(entries[1]).isEqualTo(-1);
    assertThat(entries[4]).isEqualTo(1);
    for (double entry : entries) {
      assertThat(Math.abs(entry)).isLessThanOrEqualTo(1);
    }
  }
}
