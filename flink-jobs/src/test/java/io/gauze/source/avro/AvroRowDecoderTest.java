package io.gauze.source.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.DecodedRow;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RecordSize;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.format.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Avro's own writer has written, and what it would not write. */
final class AvroRowDecoderTest {
  private static final String TYPES =
      """
      {"type": "record", "name": "Row", "fields": [
        {"name": "u", "type": ["null", "string"]},
        {"name": "list", "type": {"type": "array", "items": "long"}},
        {"name": "id", "type": "long"},
        {"name": "a", "type": ["null", "double"]},
        {"name": "map", "type": {"type": "map", "values": {"type": "array", "items": "null"}}},
        {"name": "tree", "type": {"type": "record", "name": "Tree", "fields": [
           {"name": "left", "type": ["null", "Tree"]},
           {"name": "size", "type": {"type": "fixed", "name": "Three", "size": 3}},
           {"name": "leaf", "type": "boolean"}]}},
        {"name": "k", "type": {"type": "enum", "name": "Kind", "symbols": ["z", "x", "y"]}},
        {"name": "rest", "type": "bytes"},
        {"name": "f", "type": "float"},
        {"name": "i", "type": "int"}]}
      """;
  private static final Schema SCHEMA = new Schema.Parser().parse(TYPES);

  private final DecodedRow rows = new DecodedRow(new RecordFormat.Avro(TYPES));

  private static byte[] bytes(GenericRecord record) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GenericRecord tree(int depth) {
    Schema schema = SCHEMA.getField("tree").schema();
    return new GenericRecordBuilder(schema)
        .set("left", depth == 0 ? null : tree(depth - 1))
        .set("size", new GenericData.Fixed(schema.getField("size").schema(), new byte[3]))
        .set("leaf", depth == 0)
        .build();
  }

  private static GenericRecord row(Consumer<GenericRecord> change) {
    GenericRecord row =
        new GenericRecordBuilder(SCHEMA)
            .set("u", "Zaphod")
            .set("list", List.of(1L, Long.MIN_VALUE, -300L))
            .set("id", Long.MAX_VALUE)
            .set("a", 0.5)
            .set("map", Map.of("Zaphod", Arrays.asList(null, null), "", List.of()))
            .set("tree", tree(3))
            .set("k", new GenericData.EnumSymbol(SCHEMA.getField("k").schema(), "y"))
            .set("rest", ByteBuffer.wrap(new byte[] {1, 2}))
            .set("f", 0.1f)
            .set("i", -1)
            .build();
    change.accept(row);
    return row;
  }

  private static GenericRecord row() {
    return row(row -> {});
  }

  @Test
  void readsWhatIsWantedAndSkipsTheRest() throws RowRejectedException {
    assertThat(rows.inserted(bytes(row()))).containsExactly(0.5, 1, 0);
    assertThat(rows.after.extra(DecodedRow.ID)).isEqualTo("9223372036854775807");
    assertThat(rows.inserted(bytes(row(row -> row.put("u", null))))).containsExactly(0.5, 1, 0);
    rows.rejected(bytes(row(row -> row.put("a", null))), "column a: field a is missing");
    rows.rejected(
        bytes(
            row(
                row ->
                    row.put("k", new GenericData.EnumSymbol(SCHEMA.getField("k").schema(), "z")))),
        "column k: unknown text");
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      rows.rejected(bytes(row(row -> row.put("a", bad))), "column a: not a finite number");
    }
  }

  @Test
  void everyPrefixAndEveryLongerRecordIsRefused() throws RowRejectedException {
    byte[] whole = bytes(row());
    for (int length = 1; length < whole.length; length++) {
      rows.rejected(Arrays.copyOf(whole, length), "not Avro of the schema, at byte ");
    }
    rows.rejected(Arrays.copyOf(whole, whole.length + 1), ": bytes after the row; send rows");
    rows.rejected(new byte[0], "empty record");
    rows.rejected(new byte[RecordSize.MAX_BYTES + 1], "longer than 1048576 bytes");
    assertThat(rows.inserted(whole)).as("the next row").containsExactly(0.5, 1, 0);
  }

  /** As other serializers write rows: what is wrong is told, and not where the bytes seem to be. */
  @Test
  void saysWhatStandsBeforeARow() {
    byte[] whole = bytes(row());
    Map<String, byte[]> starts =
        Map.of(
            "a zero byte and an id, as a schema registry's serializer writes them; use format avro-",
            new byte[] {0, 0, 0, 1, 7},
            "Avro's single-object encoding",
            new byte[] {(byte) 0xc3, 1, 0, 0, 0, 0, 0, 0, 0, 0},
            "the header of AWS Glue's serializer",
            new byte[] {3, 0, 7, 7, 7, 7, 7, 7, 0x47, 7, (byte) 0x87, 7, 7, 7, 7, 7, 7, 7},
            "a file of Avro with its schema",
            new byte[] {'O', 'b', 'j', 1, 4},
            "JSON, not Avro",
            new byte[] {'{', '"', 'a', '"', ':'});
    starts.forEach(
        (reason, start) -> {
          byte[] all = Arrays.copyOf(start, start.length + whole.length);
          System.arraycopy(whole, 0, all, start.length, whole.length);
          rows.rejected(all, reason);
        });
    rows.rejected(new byte[] {0, 0, 0, 1, 7, 4, 1}, "not Avro of the schema, at byte ");
    rows.rejected(new byte[] {3, 0, 7}, "not Avro of the schema, at byte ");
  }

  /** Any bytes: a row or a reason, never another exception, nor an endless loop. */
  @Test
  void damagedRecordsAreRowsOrRefused() {
    byte[] whole = bytes(row());
    int refused = 0;
    for (int at = 0; at < whole.length; at++) {
      for (int value = 0; value < 256; value++) {
        byte[] damaged = whole.clone();
        damaged[at] = (byte) value;
        try {
          rows.inserted(damaged);
        } catch (RowRejectedException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void saysWhereTheBytesAreWrong() {
    byte[] text = {2, 12, 'Z', 'a', 'p', 'h', 'o', 'd', 0};
    rows.rejected(text, "at byte 9, in field id: the record ends too early");
    rows.rejected(new byte[] {4}, "at byte 1, in field u: there is no such branch or symbol");
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0x81);
    rows.rejected(endless, "in field u: a whole number is longer than 10 bytes");
    rows.rejected(new byte[] {2, 1}, "in field u: a length is negative");
    rows.rejected(new byte[] {2, 12, 'Z'}, "in field u: the record ends too early");
    rows.rejected(bytes(row(row -> row.put("tree", tree(70)))), "nested deeper than 64");
  }

  /** 2^62 nulls take no byte. */
  @Test
  void countsThatLieTakeNoTime() {
    String schema =
        "{'type':'record','name':'R','fields':[{'name':'z','type':{'type':'array','items':'null'}}]}"
            .replace('\'', '"');
    DecodedRow nulls = new DecodedRow(new RecordFormat.Avro(schema));
    byte[] count = {-128, -128, -128, -128, -128, -128, -128, -128, -128, 1, 0};
    nulls.rejected(Arrays.copyOf(count, 10), "the record ends too early");
    nulls.rejected(count, "column a: field a is missing");
  }

  private static byte[] single(String type, Object value) {
    Schema schema = wrapped(type);
    return bytes(
        new GenericRecordBuilder(schema).set("a", value).set("k", "x").set("id", null).build());
  }

  private static Schema wrapped(String type) {
    return new Schema.Parser()
        .parse(
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":"
                + type
                + "},{\"name\":\"k\",\"type\":\"string\"},{\"name\":\"id\",\"type\":\"null\"}]}");
  }

  private static double number(String type, Object value) throws RowRejectedException {
    DecodedRow rows = new DecodedRow(new RecordFormat.Avro(wrapped(type).toString()));
    return rows.inserted(single(type, value))[0];
  }

  @Test
  void takesNumbersOfAllTypes() throws RowRejectedException {
    assertThat(number("\"int\"", -1)).isEqualTo(-1);
    assertThat(number("\"long\"", Long.MAX_VALUE)).isEqualTo(1);
    assertThat(number("\"float\"", 0.5f)).isEqualTo(0.5);
    assertThat(number("[\"null\",\"int\",\"double\"]", 0.25)).isEqualTo(0.25);
    String decimal = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}";
    byte[] unscaled = new BigDecimal("-0.75").unscaledValue().toByteArray();
    assertThat(number(decimal, ByteBuffer.wrap(unscaled))).isEqualTo(-0.75);
    String fixed = decimal.replace("bytes\"", "fixed\",\"name\":\"F\",\"size\":4");
    Schema four = wrapped(fixed).getField("a").schema();
    assertThat(number(fixed, new GenericData.Fixed(four, new byte[] {0, 0, 0, 50}))).isEqualTo(0.5);
    assertThatThrownBy(() -> number(decimal, ByteBuffer.wrap(new byte[200])))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage("field a is a decimal of no or more than 128 bytes; send a shorter one");
  }

  /** As a text such a decimal would have as many characters as its schema says. */
  @Test
  void refusesDecimalsOfAnEndlessScale() throws RowRejectedException {
    String decimal = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":P,\"scale\":P}";
    String reason = " is a decimal whose schema has a scale above 400; write it with a smaller one";
    for (String places : List.of("401", "2000000000")) {
      String endless = decimal.replace("P", places);
      new DecodedRow(new RecordFormat.Avro(wrapped(endless).toString()))
          .rejected(new byte[] {2, 1, 2, 'x'}, "field a" + reason);
      String text = wrapped("\"int\"").toString().replace("\"string\"", endless);
      new DecodedRow(new RecordFormat.Avro(text))
          .rejected(new byte[] {2, 2, 1}, "field k" + reason);
    }
    assertThat(number(decimal.replace("P", "400"), ByteBuffer.wrap(new byte[] {1}))).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"bytes\"",
        "{\"type\":\"array\",\"items\":\"double\"}",
        "{\"type\":\"map\",\"values\":\"double\"}",
        "{\"type\":\"record\",\"name\":\"I\",\"fields\":[]}"
      })
  void refusesWhatIsNoNumber(String type) {
    byte[] empty = type.contains("record") ? new byte[] {2, 'x'} : new byte[] {0, 2, 'x'};
    new DecodedRow(new RecordFormat.Avro(wrapped(type).toString()))
        .rejected(empty, "field a is bytes, a list, a map or a record; send a number or text");
  }

  @Test
  void refusesTextsAndTruthInNumericColumns() {
    for (String type : List.of("\"string\"", "\"boolean\"")) {
      Object value = type.contains("string") ? "Zaphod" : (Object) true;
      new DecodedRow(new RecordFormat.Avro(wrapped(type).toString()))
          .rejected(
              single(type, value),
              type.contains("string") ? "column a: got a text" : "column a: got true or false");
    }
    byte[] latin = {0, 2, (byte) 0xe9};
    new DecodedRow(new RecordFormat.Avro(wrapped("\"int\"").toString()))
        .rejected(latin, "in field k: a text is not UTF-8");
  }

  @Test
  void readsFieldsInsideOfRecords() throws RowRejectedException {
    RowSchema schema =
        RowSchema.of(List.of(new io.gauze.row.NumericColumn("w", "in.deep.w", -1, 1)), 1.0);
    RowFields fields = RowFields.of(schema, List.of("in.id", "in.none"));
    Schema writer =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "R", "fields": [
                  {"name": "in", "type": ["null", {"type": "record", "name": "In", "fields": [
                    {"name": "id", "type": "float"},
                    {"name": "deep", "type": {"type": "record", "name": "Deep", "fields": [
                      {"name": "v", "type": "string"}, {"name": "w", "type": "double"}]}}]}]}]}
                """);
    Schema in = writer.getField("in").schema().getTypes().get(1);
    GenericRecord deep =
        new GenericRecordBuilder(in.getField("deep").schema()).set("v", "v").set("w", 0.5).build();
    GenericRecord inner = new GenericRecordBuilder(in).set("id", 1.5f).set("deep", deep).build();
    RecordDecoder decoder = new AvroRowDecoder(writer, fields);
    RowImage before = new RowImage(fields);
    RowImage image = new RowImage(fields);
    decoder.decode(bytes(new GenericRecordBuilder(writer).set("in", inner).build()), before, image);
    double[] row = new double[2];
    image.scale(row);
    assertThat(row[1]).isEqualTo(0.5);
    assertThat(image.extra(fields.index("in.id"))).isEqualTo("1.5");
    assertThat(image.hasExtra(fields.index("in.none"))).isFalse();
    decoder.decode(new byte[] {0}, before, image);
    assertThatThrownBy(() -> image.scale(row)).hasMessageContaining("field in.deep.w is missing");
  }

  @Test
  void theSchemaMustBeThatOfARecord() {
    assertThatThrownBy(() -> new RecordFormat.Avro("\"int\"").decoder(DecodedRow.FIELDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("schema must be an Avro record. Provided value: int");
  }
}
