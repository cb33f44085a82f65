package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Features and responses that are clipped apart. */
class PartBoundsTest {
  private static final List<Column> COLUMNS =
      List.of(
          new NumericColumn("a", -1, 1),
          new NumericColumn("y", -1, 1),
          new CategoryColumn("c", "c", List.of("p", "q", "r")),
          new NumericColumn("z", -1, 1));

  private static RowSchema schema(double rowBound, double responseBound) {
    return RowSchema.of(COLUMNS, 1.0, rowBound, MissingValues.REJECT)
        .withResponses(new ResponseBound(List.of("y", "z"), responseBound));
  }

  /** The factor of the features is that of the whole row, and does not depend on the responses. */
  @Test
  void theWeightOfARowDependsOnItsFeatures() {
    PartBounds parts = PartBounds.of(schema(Math.sqrt(1.5 + 4.0), 2.0)); // features sqrt(1.5)
    double[] row = {1, 1, 0.5, 0, 1, -0.25}; // features of norm sqrt(3)
    assertThat(parts.isLonger(row)).isTrue();
    assertThat(parts.shorten(row, 0)).isTrue();
    double factor = Math.sqrt(0.5);
    assertThat(row)
        .containsExactly(
            new double[] {factor, factor, 0.5 * factor, 0, factor, -0.25 * factor}, within(1e-15));
  }

  @Test
  void responsesHaveABoundOfTheirOwn() {
    PartBounds parts = PartBounds.of(schema(2.0, 0.5));
    double[] row = {1, 0.25, 0.6, 0, 0, 0.8};
    assertThat(parts.shorten(row, 0)).isTrue();
    assertThat(row).containsExactly(new double[] {1, 0.25, 0.3, 0, 0, 0.4}, within(1e-15));
    double[] shortRow = {1, 0.25, 0.3, 0, 0, 0.3};
    assertThat(parts.isLonger(shortRow)).isFalse();
    assertThat(parts.shorten(shortRow.clone(), 0)).isFalse();
  }

  /** Whatever the entries are, the integers keep the row bound, on which all privacy rests. */
  @ParameterizedTest
  @CsvSource({"1.2, 0.3", "1.7320508075688772, 1.0", "2.0, 0.9", "1.01, 0.1"})
  void noRowIsLongerThanTheBound(double rowBound, double responseBound) {
    RowSchema schema = schema(rowBound, responseBound);
    NormBound norm = NormBound.of(schema);
    SplittableRandom random = new SplittableRandom(3);
    double[] row = new double[schema.dimension()];
    int[] steps = new int[row.length];
    for (int trial = 0; trial < 20_000; trial++) {
      for (int i = 0; i < row.length; i++) {
        row[i] = random.nextInt(3) == 0 ? 1 - random.nextInt(3) : 2 * random.nextDouble() - 1;
      }
      if (trial % 7 == 0) {
        row[random.nextInt(row.length)] = Double.NaN;
      }
      norm.apply(row, 1, steps, 0);
      long square = 0;
      for (int step : steps) {
        square += (long) step * step;
      }
      assertThat(square).isLessThanOrEqualTo(norm.largestSquare());
    }
  }

  /** Where no part can be longer, rows are those of a schema without responses. */
  @Test
  void vacuousBoundsChangeNothing() throws RowRejectedException {
    double largest = RowSchema.largestNorm(COLUMNS, 1.0);
    RowEncoder apart = new RowEncoder(schema(largest, Math.sqrt(2.0)));
    RowEncoder together = new RowEncoder(RowSchema.of(COLUMNS, 1.0));
    SplittableRandom random = new SplittableRandom(4);
    for (int trial = 0; trial < 1_000; trial++) {
      double a = 2 * random.nextDouble() - 1;
      assertThat(encoded(apart, a, 1.0)).isEqualTo(encoded(together, a, 1.0));
    }
    assertThat(apart.clipped()).isZero();
  }

  private static int[] encoded(RowEncoder encoder, double a, double y) throws RowRejectedException {
    encoder.begin();
    encoder.number(0, a);
    encoder.number(1, y);
    encoder.text(2, "q");
    encoder.number(3, -y);
    EncodedRow row = new EncodedRow(6);
    encoder.encode(row);
    return row.values();
  }

  @Test
  void badBoundsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResponseBound(List.of("y", "y"), 1.0))
        .withMessageStartingWith("responses must be distinct columns. Provided value: [y, y]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResponseBound(List.of("y"), 0.0))
        .withMessageStartingWith("responseBound must be > 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResponseBound(List.of(), 1.0))
        .withMessageStartingWith("responseBound without responses must be in [0, 0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schema(1.5, 1.5))
        .withMessageStartingWith("responseBound must be below rowBound, 1.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schema(1.5, 1.2)) // 0.9 is left, less than the intercept
        .withMessageStartingWith("intercept must be in ");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> RowSchema.of(COLUMNS, 1.0).withResponses(new ResponseBound(List.of("why"), 0.5)))
        .withMessageContaining("the nearest is y");
  }
}
