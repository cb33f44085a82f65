package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gauze.plan.ColumnForm;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowEncoderTest {
  private static final int ALCOHOL = 0;
  private static final int CUT = 1;
  private static final int SEX = 2;
  private static final int REGION = 3;
  private static final int PRICE = 4;
  private static final int ONE = 8192; // 1.0 on the grid of 13 fraction bits

  private final RowSchema schema = Schemas.mixed(MissingValues.REJECT);
  private final RowEncoder encoder = new RowEncoder(schema);
  private final EncodedRow row = new EncodedRow(8);

  private void good() throws RowRejectedException {
    encoder.begin();
    encoder.number(ALCOHOL, 15);
    encoder.text(CUT, "Good");
    encoder.text(SEX, "Female");
    encoder.text(REGION, "east");
    encoder.number(PRICE, 235);
  }

  @Test
  void everyKindOfColumn() throws RowRejectedException {
    good();
    encoder.encode(row);
    assertThat(row.values()).containsExactly(ONE, ONE, 0, ONE, -ONE, 0, ONE, -ONE / 2);
    assertThat(encoder.clipped()).isZero();
  }

  /** More records than are scaled in one loop, some of which lack values. */
  @Test
  void manyRecordsAreScaledAsOneByOne() throws RowRejectedException {
    RowEncoder lenient = new RowEncoder(Schemas.mixed(1.0, 1.5, MissingValues.MIDPOINT));
    int count = 300;
    double[] rows = new double[8 * count];
    double[] expected = new double[8];
    for (int k = 0; k < count; k++) {
      some(lenient, k);
      lenient.accept();
      lenient.write(rows, 8 * k);
    }
    lenient.scale(rows, count);
    assertThat(lenient.clipped()).isZero();
    for (int k = 0; k < count; k++) {
      some(lenient, k);
      lenient.scale(expected);
      assertThat(Arrays.copyOfRange(rows, 8 * k, 8 * k + 8)).containsExactly(expected);
    }
    assertThat(lenient.clipped()).isPositive();
  }

  private static void some(RowEncoder encoder, int k) throws RowRejectedException {
    encoder.begin();
    if (k % 7 > 0) {
      encoder.number(ALCOHOL, 7 + 0.03 * k);
    }
    encoder.text(CUT, k % 3 > 0 ? "Good" : "Ideal");
    encoder.text(SEX, k % 2 > 0 ? "Female" : "Male");
    if (k % 5 > 0) {
      encoder.text(REGION, "east");
    }
    encoder.number(PRICE, 3.7 * k);
  }

  @Test
  void theBaselineIsAllZeros() throws RowRejectedException {
    good();
    encoder.text(REGION, "north");
    encoder.encode(row);
    assertThat(row.values()).containsExactly(ONE, ONE, 0, ONE, -ONE, 0, 0, -ONE / 2);
  }

  @Test
  void anyTextIsAnIndicator() throws RowRejectedException {
    good();
    encoder.text(SEX, "");
    encoder.encode(row);
    assertThat(row.values()).startsWith(ONE, ONE, 0, -ONE, -ONE);
  }

  @Test
  void theLastOfADuplicateFieldCounts() throws RowRejectedException {
    good();
    encoder.number(ALCOHOL, 99);
    encoder.number(ALCOHOL, 8);
    encoder.text(REGION, "south");
    encoder.encode(row);
    assertThat(row.values()).containsExactly(ONE, -ONE, 0, ONE, -ONE, ONE, 0, -ONE / 2);
    assertThat(encoder.clamped(0)).isZero();
  }

  @Test
  void anEncoderForgetsThePreviousRecord() throws RowRejectedException {
    good();
    encoder.encode(row);
    encoder.begin();
    assertThatExceptionOfType(RowRejectedException.class).isThrownBy(() -> encoder.encode(row));
  }

  @ParameterizedTest
  @CsvSource({
    "1e300, 8192, 1",
    "-1e300, -8192, 1",
    "1.7976931348623157e308, 8192, 1",
    "1000.0000000000001, 8192, 1",
    "1000, 8192, 0",
    "-20, -8192, 0",
    "490, 0, 0",
    "4.9e-324, -7870, 0"
  })
  void valuesOutsideAreClampedAndCounted(double price, int steps, long clamped)
      throws RowRejectedException {
    good();
    encoder.number(PRICE, price);
    encoder.encode(row);
    assertThat(row.values()[7]).isEqualTo(steps);
    assertThat(encoder.clamped(5)).isEqualTo(clamped);
    assertThat(IntStream.range(0, 5).mapToLong(encoder::clamped)).containsOnly(0L);
  }

  @Test
  void aRejectedRowIsNotCounted() throws RowRejectedException {
    good();
    encoder.number(PRICE, 1e9);
    encoder.missing(CUT);
    assertThatExceptionOfType(RowRejectedException.class).isThrownBy(() -> encoder.encode(row));
    assertThat(encoder.clamped(5)).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void refusesWhatIsNotFinite(double value) throws RowRejectedException {
    good();
    RowRejectedException refused =
        catchThrowableOfType(RowRejectedException.class, () -> encoder.number(ALCOHOL, value));
    assertThat(refused)
        .hasMessage(
            "column alcohol: not a finite number;"
                + " send a finite number, values outside [8, 15] are clamped");
    assertThat(refused.column()).isEqualTo("alcohol");
    assertThat(refused.getStackTrace()).isEmpty();
  }

  @Test
  void messagesSayWhatIsAllowedAndShowNoValue() throws RowRejectedException {
    good();
    rejected(
        () -> encoder.text(PRICE, "s3cret"),
        "column price: got a text;"
            + " send a finite number, values outside [-20, 1000] are clamped");
    rejected(
        () -> encoder.text(REGION, "s3cret"),
        "column region: unknown text; send one of north, south, east");
    rejected(
        () -> encoder.number(REGION, 4711.5),
        "column region: got a number; send one of north, south, east");
    rejected(() -> encoder.number(SEX, 4711.5), "column female: got a number; send a text");
    encoder.begin();
    rejected(
        () -> encoder.encode(row),
        "column alcohol: field alcohol is missing;"
            + " send a finite number, values outside [8, 15] are clamped");
  }

  @Test
  void ranksAreListedInTheirOrder() {
    Column cut =
        new OrdinalColumn(
            "cut", "cut", new java.util.TreeMap<>(java.util.Map.of("a", 0.5, "b", 0.0)), 0, 2);
    RowEncoder ordinal = new RowEncoder(RowSchema.of(List.of(cut), 1, 1.5, MissingValues.REJECT));
    rejected(() -> ordinal.text(0, "B"), "column cut: unknown text; send one of a, b");
  }

  @Test
  void longListsOfCategoriesAreCut() {
    List<String> letters = IntStream.range(0, 26).mapToObj(i -> "" + (char) ('a' + i)).toList();
    Column many = new CategoryColumn("letter", "l", letters);
    RowEncoder letter = new RowEncoder(RowSchema.of(List.of(many), 1, 1.5, MissingValues.REJECT));
    rejected(
        () -> letter.text(0, "s3cret"),
        "column letter: unknown text; send one of a, b, c, d, e, f, g, h, i, j and 16 more");
  }

  @Test
  void textsThatAreNotListedAreOfTheLastCategoryOfAnOpenColumn() throws RowRejectedException {
    Column region = new CategoryColumn("region", "r", List.of("north", "2", "rest"), true);
    Column same = new CategoryColumn("closed", "c", List.of("north", "2", "rest"));
    RowSchema schema = RowSchema.of(List.of(region, same), 1, 2, MissingValues.REJECT);
    int one = (int) (1.0 / schema.grid().step());
    RowEncoder open = new RowEncoder(schema);
    for (String text : List.of("west", "rest", "", "3", "2.5", "North")) {
      assertThat(encoded(open, text)).as(text).containsExactly(0, one);
    }
    assertThat(encoded(open, "north")).containsExactly(0, 0);
    assertThat(encoded(open, "2.0")).containsExactly(one, 0);
    open.begin();
    rejected(() -> open.number(0, 1.5), "column region: got a number; send a text");
    open.begin();
    rejected(() -> open.text(1, "west"), "column closed: unknown text; send one of north, 2, rest");
    assertThat(ColumnForm.of(region).column()).isEqualTo(region);
    assertThat(ColumnForm.of(same).column()).isEqualTo(same).isNotEqualTo(region);
  }

  private int[] encoded(RowEncoder encoder, String text) throws RowRejectedException {
    EncodedRow out = new EncodedRow(5);
    encoder.begin();
    encoder.text(0, text);
    encoder.text(1, "north");
    encoder.encode(out);
    return Arrays.copyOfRange(out.values(), 1, 3);
  }

  private static void rejected(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
    assertThatExceptionOfType(RowRejectedException.class).isThrownBy(call).withMessage(message);
  }

  @Test
  void aRecordWithARejectedFieldIsLost() throws RowRejectedException {
    good();
    assertThatExceptionOfType(RowRejectedException.class)
        .isThrownBy(() -> encoder.text(REGION, "west"));
    encoder.text(REGION, "east");
    assertThatIllegalStateException()
        .isThrownBy(() -> encoder.encode(row))
        .withMessage("a record with a rejected field is lost; call begin first");
    good();
    encoder.encode(row);
    assertThat(row.values()).startsWith(ONE, ONE);
  }

  @Test
  void nullIsAsIfTheFieldWereNotThere() throws RowRejectedException {
    good();
    encoder.missing(SEX);
    rejected(() -> encoder.encode(row), "column female: field sex is missing; send a text");
  }

  @Test
  void midpointEncodesZeroForEveryKind() throws RowRejectedException {
    RowEncoder lenient = new RowEncoder(Schemas.mixed(MissingValues.MIDPOINT));
    lenient.begin();
    lenient.encode(row);
    assertThat(row.values()).containsExactly(ONE, 0, 0, 0, 0, 0, 0, 0);
    lenient.begin();
    lenient.text(REGION, "south");
    lenient.text(SEX, "Male");
    lenient.missing(SEX);
    lenient.encode(row);
    assertThat(row.values()).containsExactly(ONE, 0, 0, 0, 0, ONE, 0, 0);
  }

  @Test
  void midpointStillRefusesBadValues() {
    RowEncoder lenient = new RowEncoder(Schemas.mixed(MissingValues.MIDPOINT));
    lenient.begin();
    assertThatExceptionOfType(RowRejectedException.class)
        .isThrownBy(() -> lenient.number(ALCOHOL, Double.NaN));
    assertThatIllegalStateException().isThrownBy(() -> lenient.encode(row));
  }

  /** The integers are from the same operations in Python's doubles. */
  @Test
  void longRowsAreClippedAndCounted() throws RowRejectedException {
    RowEncoder tight = new RowEncoder(Schemas.mixed(0.33, 1.7, MissingValues.REJECT));
    tight.begin();
    tight.number(ALCOHOL, 14.2);
    tight.text(CUT, "Ideal");
    tight.text(SEX, "Male");
    tight.text(REGION, "south");
    tight.number(PRICE, 77);
    tight.encode(row);
    assertThat(row.values()).containsExactly(3970, 9280, 12030, -12030, 12030, 12030, 0, -9742);
    assertThat(tight.clipped()).isEqualTo(1);
    tight.begin();
    tight.number(ALCOHOL, 11.5);
    tight.text(CUT, "Good");
    tight.text(SEX, "Other");
    tight.text(REGION, "north");
    tight.number(PRICE, 490);
    tight.encode(row);
    assertThat(row.values()).containsExactly(5406, 0, 0, -16384, -16384, 0, 0, 0);
    assertThat(tight.clipped()).isEqualTo(1);
  }

  /**
   * What is clamped or missing is counted by column, what is too long by row, whether it is encoded
   * or not.
   */
  @Test
  void countsWhatDoesNotFit() throws RowRejectedException {
    NumericColumn x = new NumericColumn("x", 0, 10);
    NumericColumn y = new NumericColumn("y", 0, 10);
    IndicatorColumn s = new IndicatorColumn("s", "s", "yes");
    RowEncoder tight =
        new RowEncoder(RowSchema.of(List.of(x, s, y), 0.5, 1.4, MissingValues.MIDPOINT));
    RowCounts before = tight.counts();
    for (double value : new double[] {5, 11, -1, 10}) {
      tight.begin();
      tight.number(0, value);
      tight.text(1, "yes");
      tight.scale(new double[4]); // y is missing: the middle, which is in the range
    }
    tight.begin();
    tight.number(0, 100);
    tight.text(1, "no");
    tight.number(2, 12);
    tight.encode(new EncodedRow(4));

    RowCounts counts = tight.counts();
    assertThat(counts)
        .isEqualTo(
            new RowCounts(5, Map.of("x", 3L, "y", 1L), Map.of("x", 0L, "s", 0L, "y", 4L), 4));
    assertThat(counts.missingShares(0.2)).isEqualTo(Map.of("y", 0.8));
    assertThat(counts.missingShares(0.8)).isEmpty();
    assertThat(counts.clampedShares(0.2)).isEqualTo(Map.of("x", 0.6));
    assertThat(counts.clippedShare()).isEqualTo(0.8);
    assertThat(counts.since(before)).isEqualTo(counts);
    assertThat(before.clippedShare()).isZero();
  }

  /** A text may be missing, too; a rejected row counts nowhere. */
  @Test
  void countsWhatIsMissing() throws RowRejectedException {
    List<Column> columns =
        List.of(new NumericColumn("x", 0, 10), new IndicatorColumn("s", "s", "y"));
    RowEncoder lenient = new RowEncoder(RowSchema.of(columns, 0.5, 1.4, MissingValues.MIDPOINT));
    lenient.begin();
    lenient.number(0, 5);
    lenient.accept();
    lenient.begin();
    lenient.text(1, "y");
    lenient.missing(0);
    lenient.accept();
    lenient.begin();
    lenient.number(0, 5);
    lenient.text(1, "y");
    lenient.accept();
    assertThat(lenient.counts().missing()).isEqualTo(Map.of("x", 1L, "s", 1L));

    RowEncoder strict = new RowEncoder(RowSchema.of(columns, 0.5, 1.4, MissingValues.REJECT));
    strict.begin();
    strict.number(0, 5);
    assertThatExceptionOfType(RowRejectedException.class).isThrownBy(strict::accept);
    assertThat(strict.counts().missing()).isEqualTo(Map.of("x", 0L, "s", 0L));
  }

  @Test
  void theBufferMustFit() throws RowRejectedException {
    good();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode(new EncodedRow(7)))
        .withMessage("out must have dimension 8. Provided value: 7");
  }

  @Test
  void aRowShowsItsShapeOnly() throws RowRejectedException {
    good();
    encoder.encode(row);
    assertThat(row).hasToString("EncodedRow[dimension=8]");
    assertThat(row.dimension()).isEqualTo(8);
    assertThatIllegalArgumentException().isThrownBy(() -> new EncodedRow(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new EncodedRow(20_001));
  }
}
