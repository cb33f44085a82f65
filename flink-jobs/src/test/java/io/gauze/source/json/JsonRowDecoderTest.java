package io.gauze.source.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.CategoryColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RecordSize;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are refused hold 8642 or Zaphod, which no message may say. */
final class JsonRowDecoderTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("a", "a", -1, 1),
              new OrdinalColumn("rank", "r", Map.of("low", 0.0, "high", 1.0), 0, 1),
              new IndicatorColumn("yes", "i", "true"),
              new CategoryColumn("kind", "k", List.of("1", "2.50", "x"))),
          1.0,
          4.0,
          MissingValues.REJECT);
  private static final String REST = "\"r\":\"low\",\"i\":true,\"k\":\"x\"}";

  private static final RowFields FIELDS = RowFields.of(SCHEMA, List.of());

  private final JsonRowDecoder decoder = new JsonRowDecoder(FIELDS);
  private final RowImage image = new RowImage(FIELDS);

  /** The encoded columns: a, rank, yes, kind=2.50, kind=x. */
  private double[] decode(byte[] bytes) throws RowRejectedException {
    decoder.decode(bytes, image);
    double[] row = new double[SCHEMA.dimension()];
    image.scale(row);
    return Arrays.copyOfRange(row, 1, row.length);
  }

  private double[] decode(String json) throws RowRejectedException {
    return decode(json.getBytes(UTF_8));
  }

  private void rejected(byte[] bytes, String reason) throws RowRejectedException {
    assertThatThrownBy(() -> decode(bytes))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining(reason)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("8642", "Zaphod"))
        .hasNoCause();
    assertThat(decode("{\"a\":0.5," + REST)).as("the next row").startsWith(0.5);
  }

  private void rejected(String json, String reason) throws RowRejectedException {
    rejected(json.getBytes(UTF_8), reason);
  }

  @Test
  void refusesAnEmptyRecord() throws RowRejectedException {
    rejected("", "empty record");
  }

  @Test
  void refusesALongRecordUnread() throws RowRejectedException {
    byte[] most = new byte[RecordSize.MAX_BYTES];
    Arrays.fill(most, (byte) ' ');
    byte[] row = ("{\"a\":0.5," + REST).getBytes(UTF_8);
    System.arraycopy(row, 0, most, 0, row.length);
    assertThat(decode(most)).startsWith(0.5);
    rejected(Arrays.copyOf(most, most.length + 1), "longer than 1048576 bytes, namely 1048577");
  }

  @Test
  void refusesOtherEncodings() throws RowRejectedException {
    String row = "{\"a\":0.8642," + REST;
    rejected(row.getBytes(UTF_16), "not UTF-8");
    rejected(row.getBytes(UTF_16LE), "not UTF-8");
    rejected(row.getBytes(UTF_16BE), "not UTF-8");
    rejected(("\ufeff" + row).getBytes(UTF_16LE), "not UTF-8");
    rejected(row.replace("low", "Zaphod\u00e9").getBytes(ISO_8859_1), "not UTF-8, at byte ");
  }

  @ParameterizedTest
  @ValueSource(strings = {".8642", "+8642", "08642", "8642.", "8_642", "0x8642", "-.8642"})
  void refusesNumbersInOtherForms(String number) throws RowRejectedException {
    String reason = "a number that is not written as JSON writes it";
    rejected("{\"a\":" + number + "," + REST, reason);
    rejected("\ufeff{\"a\":" + number + "}", reason);
  }

  /** Lines of values, XML and forms; and what no text holds. */
  @ParameterizedTest
  @ValueSource(strings = {"8642,x", "Zaphod", "<row a='8642'/>", "a=8642&r=x", "a: 8642", "-"})
  void refusesOtherTexts(String text) throws RowRejectedException {
    rejected(text, "not a JSON object; send one object a record");
  }

  @Test
  void refusesBinaryData() throws RowRejectedException {
    rejected("\2\u00c3\u00f5\6Zaphod".getBytes(ISO_8859_1), "binary data, not text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[8642]", "8642", "\"Zaphod\"", "null", "true", "  ", "[]"})
  void refusesWhatIsNoObject(String json) throws RowRejectedException {
    rejected(json, "not a JSON object");
  }

  @Test
  void refusesAnObjectInsideOfAText() throws RowRejectedException {
    rejected("\" {\\\"a\\\":0.8642}\"", "a JSON object inside of a text: it was serialized twice");
  }

  @Test
  void refusesCompressedRecordsByTheirName() throws RowRejectedException {
    byte[] row = ("{\"a\":0.8642," + REST).getBytes(UTF_8);
    for (int level : new int[] {1, 6, 9}) {
      Deflater deflater = new Deflater(level);
      deflater.setInput(row);
      deflater.finish();
      byte[] zlib = new byte[200];
      rejected(Arrays.copyOf(zlib, deflater.deflate(zlib)), "compressed with zlib");
      deflater.end();
    }
    rejected("\u0082SNAPPY\0\0\0".getBytes(ISO_8859_1), "compressed with snappy");
    rejected("\u00ff\6\0\0sNaPpY".getBytes(ISO_8859_1), "compressed with snappy");
  }

  /** Eight bytes of it, or four. */
  @Test
  void refusesTheIdOfASchema() throws RowRejectedException {
    byte[] row = ("{\"a\":0.8642," + REST).getBytes(UTF_8);
    for (int length : new int[] {4, 8}) {
      byte[] framed = new byte[1 + length + row.length];
      framed[length] = 7;
      System.arraycopy(row, 0, framed, 1 + length, row.length);
      rejected(framed, "a zero byte and an id");
    }
    rejected(new String(row, UTF_8).getBytes(Charset.forName("UTF-32BE")), "UTF-16 or UTF-32");
    rejected("\ufeff{}".getBytes(Charset.forName("UTF-32BE")), "UTF-16 or UTF-32");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\ufeff", "\ufeff ", " "})
  void readsARowBesideItsSchema(String start) throws RowRejectedException {
    String row = "{\"a\":0.5," + REST;
    String envelope = "{\"schema\":{\"type\":\"struct\"},\"payload\":" + row + "}";
    assertThat(decode(start + envelope)).isEqualTo(decode(row));
    assertThat(decode(start + row)).isEqualTo(decode(row));
  }

  /** It would be a row without any value, where the config lets values be missing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'before':null,'after':{'a':0.8642},'op':'c'}",
        "{'op':'d','before':{'a':0.8642},'ts_ms':8642}",
        "{'schema':{},'payload':{'before':{'a':0.8642},'after':null,'op':'d'}}",
        "{'payload':{'op':'c','after':{'a':0.8642}}}"
      })
  void refusesAChangeEvent(String event) {
    assertThatThrownBy(() -> inside(event.replace('\'', '"')))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("a change event of Debezium; use format debezium-json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'A':8642,'Route':{'Stops':1}}",
        "{'ROUTE':{'stops':8642}}",
        "{'schema':{},'payload':{'A':8642}}"
      })
  void refusesNamesInOtherLetters(String row) {
    assertThatThrownBy(() -> inside(row.replace('\'', '"')))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageMatching("field (a|route.stops) is there in other letters, capital or small;.*")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("8642", "Stops", "ROUTE"));
  }

  @Test
  void refusesAnEnvelopeWithoutRow() {
    assertThatThrownBy(() -> inside("{\"schema\":{\"a\":{}},\"payload\":null}"))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("the payload beside the schema is null");
  }

  /** Rows may be about operations, or lack all values. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'op':'c','after':{'x':1},'a':0.25}",
        "{'op':'c','after':7}",
        "{'op':1,'after':{}}",
        "{'after':{},'before':{}}",
        "{'payload':null,'z':1}",
        "{'A':7,'a':null}",
        "{'A':7,'a':0.25}",
        "{'x':{'A':7}}",
        "{}"
      })
  void takesOtherObjectsForRows(String row) throws RowRejectedException {
    assertThat(inside(row.replace('\'', '"'))).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":0.8642}", "8642", "null", "[]", "\"Zaphod\""})
  void refusesASecondValue(String second) throws RowRejectedException {
    rejected("{\"a\":0.5," + REST + " " + second, "text after the JSON object");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{Zaphod:1}",
        "{'a':8642}",
        "{\"a\":8642",
        "{\"a\":8642,}",
        "{\"a\":+8642}",
        "{\"a\":08642}",
        "{\"a\":.8642}",
        "{\"a\":8642.}",
        "{\"a\":0x8642}",
        "{\"a\":8642e}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":-Infinity}",
        "{\"a\":Zaphod}",
        "{\"a\" 8642}",
        "{\"a\":8642 \"r\":1}",
        "{\"a\":8642/* */}",
        "{\"a\":8642}}",
        "{\"r\":\"Zaphod\n\"}",
        "{\"r\":\"Zaphod\\x\"}",
        "{\"r\":\"Zaphod"
      })
  void refusesWhatIsNoJson(String text) throws RowRejectedException {
    rejected(text, "not JSON (RFC 8259, UTF-8), at byte ");
  }

  @Test
  void refusesWhatIsTooLongOrTooDeep() throws RowRejectedException {
    String reason = "JSON that is nested deeper than 64";
    rejected("{\"z\":" + "[".repeat(100) + "]".repeat(100) + ",\"a\":0.8642," + REST, reason);
    rejected("{\"a\":" + "8642".repeat(300) + "," + REST, "column a: not a finite number");
  }

  /** Nobody reads them. */
  @Test
  void longNumbersAndNamesInOtherFieldsAreSkipped() throws RowRejectedException {
    String digits = "1".repeat(1001);
    assertThat(decode("{\"z\":" + digits + ",\"a\":0.5," + REST))
        .isEqualTo(decode("{\"z\":-" + digits + "." + digits + "e9,\"a\":0.5," + REST))
        .isEqualTo(decode("{\"" + "Zaphod".repeat(20_000) + "\":1,\"a\":0.5," + REST));
  }

  @Test
  void refusesNestedValuesOfColumns() throws RowRejectedException {
    rejected("{\"a\":[8642]," + REST, "field a is an object or array; send a number or text");
    rejected("{\"a\":{\"Zaphod\":8642}," + REST, "field a is an object or array");
    rejected("{\"r\":[\"Zaphod\"]}", "field r is an object or array");
  }

  @ParameterizedTest
  @CsvSource({
    "a, \"Zaphod\", column a: got a text; send a finite number",
    "a, \"0.8642\", column a: got a number that is written as a text",
    "a, true, column a: got true or false",
    "a, 8642e999, column a: not a finite number",
    "a, -8642e999999999999, column a: not a finite number",
    "r, \"Zaphod\", column rank: unknown text; send one of",
    "r, 8642, column rank: unknown text",
    "r, false, column rank: unknown text",
    "k, \"Zaphod\", column kind: unknown text; send one of 1",
    "k, 8642, column kind: unknown text",
    "k, 1.5, column kind: unknown text",
    "a, null, column a: field a is missing",
    "r, null, column rank: field r is missing",
    "k, null, column kind: field k is missing",
    "i, null, column yes: field i is missing"
  })
  void refusesValuesOfTheWrongType(String field, String value, String reason)
      throws RowRejectedException {
    rejected("{\"a\":0.8642," + REST.replace("}", ",\"" + field + "\":" + value + "}"), reason);
  }

  @Test
  void refusesAMissingField() throws RowRejectedException {
    rejected("{" + REST, "column a: field a is missing");
    rejected("{}", "is missing");
  }

  @Test
  void skipsFieldsThatNoColumnReads() throws RowRejectedException {
    String unknown = "{\"a\":[{\"k\":\"?\"},1e999],\"b\":{\"c\":{\"a\":7}},\"d\":null,\"A\":3}";
    assertThat(decode("{\"z\":" + unknown + ",\"Zaphod\":\"x\",\"a\":0.5," + REST))
        .isEqualTo(decode("{\"a\":0.5," + REST));
  }

  @Test
  void theLastOfEqualFieldsCounts() throws RowRejectedException {
    assertThat(decode("{\"a\":0.5,\"a\":-0.25," + REST)).startsWith(-0.25);
    assertThat(decode("{\"a\":null,\"a\":-0.25," + REST)).startsWith(-0.25);
    rejected("{\"a\":\"Zaphod\",\"a\":-0.25," + REST, "column a: got a text");
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "\"true\", 1", "false, -1", "\"True\", 1", "1, 1", "0.0, -1"})
  void anIndicatorOfABooleanTakesEverySpelling(String value, double encoded)
      throws RowRejectedException {
    assertThat(decode("{\"a\":0,\"r\":\"high\",\"k\":\"x\",\"i\":" + value + "}"))
        .containsExactly(0, 1, encoded, 0, 1);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "\"1\", 0, 0", "2.50, 1, 0", "\"2.50\", 1, 0", "\"\\u0078\", 0, 1"})
  void aCategoryTakesTheLiteralOfANumber(String value, double first, double second)
      throws RowRejectedException {
    assertThat(decode("{\"a\":0,\"r\":\"low\",\"i\":true,\"k\":" + value + "}"))
        .containsExactly(0, -1, 1, first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5",
    "5e-1, 0.5",
    "-0, 0",
    "7, 1",
    "-1E300, -1",
    "1e-999, 0",
    "123456789012345678901234567890, 1"
  })
  void numbersAreClampedToTheRange(String value, double encoded) throws RowRejectedException {
    assertThat(decode(" {\"a\" : " + value + ",\n" + REST)[0]).isEqualTo(encoded);
  }

  private static List<Double> inside(String json) throws RowRejectedException {
    RowSchema schema =
        RowSchema.of(
            List.of(
                new NumericColumn("a", "a", -1, 1),
                new NumericColumn("stops", "route.stops", -1, 1),
                new IndicatorColumn("hub", "route.depot.name", "x")),
            1.0,
            4.0,
            MissingValues.MIDPOINT);
    RowFields fields = RowFields.of(schema, List.of());
    RowImage image = new RowImage(fields);
    new JsonRowDecoder(fields).decode(json.getBytes(UTF_8), image);
    double[] row = new double[schema.dimension()];
    image.scale(row);
    return List.of(row[1], row[2], row[3]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '#',
      value = {
        "{'route':{'stops':0.5,'depot':{'name':'x','stops':1}},'a':0.25}; 0.25, 0.5, 1.0",
        "{'a':0.25,'route':{'depot':{'name':'y'},'a':1,'b':[{'stops':1}],'stops':0.5}}; 0.25, 0.5,"
            + " -1.0",
        // a member of the row with that name, as send writes it
        "{'a':0.25,'route.stops':0.5,'route.depot.name':'x'}; 0.25, 0.5, 1.0",
        "{'a':0.25,'route.stops':1,'route':{'stops':0.5,'depot.name':'x'}}; 0.25, 0.5, 0.0",
        // of duplicates the last counts, also of objects
        "{'a':0.25,'route':{'stops':0.5,'depot':{'name':'x'}},'route':{'stops':1}}; 0.25, 1.0, 0.0",
        "{'a':0.25,'route':{'stops':0.5},'route':null}; 0.25, 0.0, 0.0",
        "{'a':0.25,'stops':1,'name':'x','depot':{'name':'x'},'other':{'route':{'stops':1}}}; 0.25,"
            + " 0.0, 0.0",
        "{'a':0.25,'route':{'depot':null,'stops':null}}; 0.25, 0.0, 0.0"
      })
  void readsFieldsInsideOfObjects(String json, String row) throws RowRejectedException {
    assertThat(inside(json.replace('\'', '"'))).hasToString("[" + row + "]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '#',
      value = {
        "{'route':8642}; field route.",
        "{'route':[8642]}; field route.",
        "{'route':{'depot':'Zaphod'}}; field route.depot.name is inside of a member that is no"
            + " object",
        "{'route':{'stops':{'Zaphod':1}}}; field route.stops is an object or array",
        "{'route':{'stops':'8642'}}; column stops: got a number that is written as a text"
      })
  void refusesWhatIsNoObject(String json, String reason) {
    assertThatThrownBy(() -> inside(json.replace('\'', '"')))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining(reason)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("8642", "Zaphod"));
  }
}
