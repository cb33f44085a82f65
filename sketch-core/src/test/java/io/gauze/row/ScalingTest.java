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
      expected[3 * k + 1] = scale(c, lower, upper);
      expected[3 * k + 2] = scale(part, 0, 1);
    }
    scaling.apply(entries, entries.length);
    assertThat(entries).isEqualTo(expected); // to the last bit, the sign of 0 too
    assertThat(entries[1]).isEqualTo(-1);
    assertThat(entries[4]).isEqualTo(1);
    for (double entry : entries) {
      assertThat(Math.abs(entry)).isLessThanOrEqualTo(1);
    }
  }

  private static double scale(double c, double lower, double upper) {
    return (2.0 * (c - lower)) / (upper - lower) - 1.0;
  }

  /** The typical value becomes 0, the farther end -1 or 1, and nothing leaves [-1, 1]. */
  @ParameterizedTest
  @CsvSource({
    "0, 10, 2",
    "0, 10, 0",
    "0, 10, 10",
    "8, 15, 10.4",
    "-4.4e307, 4.4e307, -4.4e307",
    "1e307, 8e307, 1.1e307",
    "-1e-310, 3e-310, 1e-310",
    "1, 1.0000000000000009, 1.0000000000000002",
    "-1e16, -9999999999999996, -9999999999999998",
    "0.1, 0.7, 0.3"
  })
  void aTypicalValueIsZero(double lower, double upper, double typical) {
    NumericColumn column = new NumericColumn("a", "a", lower, upper, typical);
    RowSchema schema = RowSchema.of(List.of(column), 1);
    Scaling scaling = new Scaling(schema);
    boolean above = upper - typical >= typical - lower;
    double[] entries = {1, typical, 1, above ? upper : lower, 1, above ? lower : upper};
    scaling.apply(entries, entries.length);
    assertThat(entries[1]).isZero();
    assertThat(entries[3]).isEqualTo(above ? 1 : -1);
    assertThat(Math.abs(entries[5])).isLessThanOrEqualTo(1);
    assertThat(schema.mid(1)).isEqualTo(typical);
    SplittableRandom random = new SplittableRandom(2);
    for (int k = 0; k < 1000; k++) {
      double c = Math.max(lower, Math.min(upper, lower + random.nextDouble() * (upper - lower)));
      double[] row = {1, c};
      scaling.apply(row, 2);
      assertThat(Math.abs(row[1])).isLessThanOrEqualTo(1);
      assertThat(row[1]).isEqualTo(ColumnScale.of(column, 1.0).encode(c));
    }
  }
}
