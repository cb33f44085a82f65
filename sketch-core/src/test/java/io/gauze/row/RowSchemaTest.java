package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowSchemaTest {
  private static final Column X = new NumericColumn("x", "x", 0, 10);

  private final RowSchema schema = Schemas.mixed(MissingValues.REJECT);

  @Test
  void encodedColumnsComeInOrderAfterTheIntercept() {
    assertThat(schema.dimension()).isEqualTo(8);
    assertThat(schema.encodedNames())
        .containsExactly(
            "(intercept)",
            "alcohol",
            "cut",
            "female",
            "male",
            "region=south",
            "region=east",
            "price");
    for (int i = 0; i < 8; i++) {
      assertThat(schema.encodedIndex(schema.encodedNames().get(i))).isEqualTo(i);
    }
    assertThat(IntStream.range(0, 6).map(schema::offset)).containsExactly(1, 2, 3, 4, 5, 7);
  }

  @Test
  void fieldsAreListedOnce() {
    assertThat(schema.fields()).containsExactly("alcohol", "cut", "sex", "region", "price");
    assertThat(schema.fieldIndex("region")).isEqualTo(3);
    assertThat(schema.fieldIndex("female")).isEqualTo(-1);
    assertThat(schema.numericField(0)).isTrue();
    assertThat(schema.numericField(2)).isFalse();
  }

  @Test
  void rangesAreInTheUsersUnits() {
    assertThat(List.of(schema.lower(0), schema.upper(0))).containsExactly(1.0, 1.0);
    assertThat(List.of(schema.lower(1), schema.upper(1))).containsExactly(8.0, 15.0);
    assertThat(List.of(schema.lower(6), schema.upper(6))).containsExactly(0.0, 1.0);
    assertThat(List.of(schema.lower(7), schema.upper(7))).containsExactly(-20.0, 1000.0);
  }

  @Test
  void midAndHalfUndoTheEncoding() {
    assertThat(List.of(schema.mid(0), schema.half(0))).containsExactly(0.0, 1.0);
    assertThat(List.of(schema.mid(1), schema.half(1))).containsExactly(11.5, 3.5);
    assertThat(List.of(schema.mid(3), schema.half(3))).containsExactly(0.5, 0.5);
    assertThat(List.of(schema.mid(5), schema.half(5))).containsExactly(0.0, 1.0);
    assertThat(List.of(schema.mid(7), schema.half(7))).containsExactly(490.0, 510.0);
  }

  /** 0.33 * 2^13 = 2703.36, so that rows really carry 2703 steps. */
  @Test
  void halfOfTheInterceptIsOfTheValueOnTheGrid() {
    RowSchema third = Schemas.mixed(0.33, 3.0, MissingValues.REJECT);
    assertThat(third.grid().fractionBits()).isEqualTo(13);
    assertThat(third.intercept()).isEqualTo(0.33);
    assertThat(third.half(0)).isEqualTo(8192.0 / 2703.0);
  }

  @Test
  void unknownColumnNamesTheNearest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schema.encodedIndexes("features", "region=suoth"))
        .withMessage(
            "features must be one of alcohol, cut, female, male, region, region=south, region=east,"
                + " price; the nearest is region=south. Provided value: region=suoth");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schema.encodedIndexes("features", "regoin"))
        .withMessageContaining("the nearest is region. Provided value: regoin");
  }

  @Test
  void aColumnOfCategoriesNamesItsEncodedColumns() {
    RowSchema tariffs =
        RowSchema.of(
            List.of(new CategoryColumn("tariff", "tariff", List.of("flat", "night", "solar"))),
            1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tariffs.encodedIndex("tariff"))
        .withMessage(
            "column must be one of the stream's; its categories are columns of their own,"
                + " tariff=night, tariff=solar: name these, and the first category is the baseline."
                + " Provided value: tariff");
    assertThat(tariffs.encodedIndexes("features", "tariff")).containsExactly(1, 2);
    assertThat(tariffs.encodedIndexes("features", "tariff=solar")).containsExactly(2);
    List<String> codes = IntStream.range(0, 14).mapToObj(Integer::toString).toList();
    RowSchema many = RowSchema.of(List.of(new CategoryColumn("code", "code", codes)), 1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> many.encodedIndex("code"))
        .withMessageContaining("code=9, code=10, and 3 more: name these");
  }

  @ParameterizedTest
  @CsvSource({"1.0, 7", "0.5, 1", "0.33, 12", "0.1, 3", "1.0, 255", "3.7, 40"})
  void largestNormIsTheRootRoundedUp(double intercept, int columns) {
    List<Column> many =
        IntStream.range(0, columns).<Column>mapToObj(RowSchemaTest::categories).toList();
    double norm = RowSchema.largestNorm(many, intercept);
    BigDecimal square = new BigDecimal(intercept).pow(2).add(new BigDecimal(columns));
    assertThat(new BigDecimal(norm).pow(2)).isGreaterThanOrEqualTo(square);
    assertThat(norm - Math.sqrt(square.doubleValue())).isBetween(0.0, 2 * Math.ulp(norm));
  }

  private static Column categories(int i) {
    return new CategoryColumn("c" + i, "c", List.of("a", "b", "c", "d"));
  }

  @Test
  void aBoundAboveTheLargestNormIsRefusedUnlessItIsRounded() {
    double norm = RowSchema.largestNorm(List.of(X), 1.0);

    assertThat(RowSchema.usefulBound(1.2, List.of(X), 1.0)).isEqualTo(1.2);
    assertThat(RowSchema.usefulBound(1.42, List.of(X), 1.0)).isEqualTo(norm);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSchema.usefulBound(1.43, List.of(X), 1.0))
        .withMessage(
            "rowBound must be at most 1.4142, the largest norm that a row of these columns can have:"
                + " a larger one adds noise and changes no row; leave it out, and it is planned."
                + " Provided value: 1.43");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -1.0, 257.0, Double.NaN, Double.POSITIVE_INFINITY})
  void largestNormRefusesIntercepts(double intercept) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSchema.largestNorm(List.of(X), intercept));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5",
    "1, 257",
    "0.01, 0.015",
    "0, 2",
    "-1, 2",
    "0.0078, 2",
    "NaN, 2",
    "1, NaN",
    "1, Infinity",
    "Infinity, Infinity"
  })
  void interceptAndBoundAreChecked(double intercept, double rowBound) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSchema.of(List.of(X), intercept, rowBound, MissingValues.REJECT))
        .withMessageContaining("must be in [");
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 15", "1, 256, 7", "0.015625, 0.015625, 21", "0.0078125, 2, 14"})
  void interceptAndBoundAtTheirEnds(double intercept, double rowBound, int fractionBits) {
    RowSchema extreme = RowSchema.of(List.of(X), intercept, rowBound, MissingValues.REJECT);
    assertThat(extreme.grid().fractionBits()).isEqualTo(fractionBits);
    assertThat(1.0 / extreme.half(0)).isEqualTo(intercept);
  }

  @Test
  void namesAreUnique() {
    refused("names of columns must be unique. Provided value: x twice", X, X);
    refused(
        "the name of a column must not be that of an encoded column of another one. Provided value:"
            + " r=b",
        new CategoryColumn("r", "r", List.of("a", "b")),
        new CategoryColumn("r=b", "b", List.of("x", "y")));
    refused(
        "names of encoded columns must be unique. Provided value: r=b twice",
        new CategoryColumn("r", "r", List.of("a", "b")),
        new NumericColumn("r=b", "b", 0, 1));
    refused(
        "names of encoded columns must be unique. Provided value: (intercept) twice",
        new NumericColumn("(intercept)", "i", 0, 1));
  }

  @Test
  void oneFieldIsEitherNumberOrText() {
    refused(
        "columns of one field must be all numeric or all text."
            + " Provided value: field x, column x1",
        X,
        new IndicatorColumn("x1", "x", "1"));
  }

  @Test
  void columnsAreCounted() {
    refused("columns must be in [1, 4095]. Provided value: 0");
    refused(
        "columns must be in [1, 4095]. Provided value: 4096",
        IntStream.range(0, 4096)
            .mapToObj(i -> new NumericColumn("x" + i, "x" + i, 0, 1))
            .toArray(Column[]::new));
    List<String> many = IntStream.rangeClosed(0, 20_000).mapToObj(Integer::toString).toList();
    refused(
        "encoded columns with the intercept must be in [2, 20000]. Provided value: 20001",
        new CategoryColumn("many", "many", many));
  }

  private static void refused(String message, Column... columns) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSchema.of(List.of(columns), 1, 2, MissingValues.REJECT))
        .withMessage(message);
  }

  @Test
  void listsAreImmutable() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> schema.fields().add("x"));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> schema.encodedNames().add("x"));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> schema.columns().clear());
  }

  @Test
  void equalsByArguments() {
    RowSchema same = Schemas.mixed(MissingValues.REJECT);
    assertThat(same).isEqualTo(schema).hasSameHashCodeAs(schema).hasToString(schema.toString());
    assertThat(Schemas.mixed(MissingValues.MIDPOINT)).isNotEqualTo(schema);
    assertThat(Schemas.mixed(0.5, schema.rowBound(), MissingValues.REJECT)).isNotEqualTo(schema);
    assertThat(schema.toString()).startsWith("RowSchema[columns=[NumericColumn[name=alcohol");
  }

  @Test
  void travelsSerialized() throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(schema);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      RowSchema read = (RowSchema) in.readObject();
      assertThat(read).isEqualTo(schema);
      assertThat(read.encodedNames()).isEqualTo(schema.encodedNames());
    }
  }
}
