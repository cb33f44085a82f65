package io.gauze.source.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.DecodedRow;
import io.gauze.source.RecordDecoder;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRow;
import io.gauze.source.file.CsvRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written of a file, its own decoder reads. */
final class RecordWriterTest {
  private static final String AVRO =
      """
      {"type": "record", "name": "Row", "fields": [
        {"name": "id", "type": "long"},
        {"name": "k", "type": ["null", {"type": "enum", "name": "K", "symbols": ["x", "y"]}, "string"]},
        {"name": "a", "type": ["double", "null"]},
        {"name": "who", "type": "string", "default": "nobody"}]}
      """;

  @TempDir private Path folder;

  private static final CsvOptions MULTILINE =
      new CsvOptions(Optional.empty(), Optional.empty(), '.', true);

  private List<CsvRow> rows(String... lines) throws IOException, RowRejectedException {
    Path file = Files.write(folder.resolve("rows.csv"), List.of(lines));
    List<CsvRow> rows = new ArrayList<>();
    try (CsvRows open =
        CsvRows.open(
            file.toString(), MULTILINE, CsvRows.Reader.of(DecodedRow.SCHEMA, List.of("id")))) {
      while (open.hasNext()) {
        rows.add(open.nextRow());
      }
    }
    return rows;
  }

  private CsvRow row(String header, String line) throws IOException, RowRejectedException {
    return rows(header, line).get(0);
  }

  private static RecordWriter writer(RecordFormat format) {
    return format.writer(DecodedRow.FIELDS, Change.INSERT).orElseThrow();
  }

  static Stream<Arguments> formats() {
    return Stream.of(
        Arguments.of(new RecordFormat.Json()),
        Arguments.of(new RecordFormat.Csv(List.of("a", "other", "k", "id"), ',')),
        Arguments.of(new RecordFormat.Csv(List.of("id", "a", "k"), '\t')),
        Arguments.of(new RecordFormat.Avro(AVRO)),
        Arguments.of(new RecordFormat.DebeziumJson(ReplicaIdentity.FULL)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void itsDecoderReadsWhatIsWritten(RecordFormat format) throws Exception {
    RecordWriter writer = writer(format);
    DecodedRow decoded = new DecodedRow(format);
    for (CsvRow row :
        rows(
            "id;who;a;k;",
            "9223372036854775807;\"Zaphod\";0.5;y;?",
            "12; ;-0.25;7;",
            "1;NA;2;x;")) {
      double a = Math.min(1, Double.parseDouble(row.value("a").orElseThrow()));
      String k = row.value("k").orElseThrow();
      assertThat(decoded.inserted(writer.write(row)))
          .containsExactly(a, k.equals("y") ? 1 : 0, k.equals("7") ? 1 : 0);
      assertThat(decoded.after.extra(DecodedRow.ID)).isEqualTo(row.value("id").orElseThrow());
    }
    byte[] missing = writer.write(row("id,who,a,k", "12,,,x"));
    decoded.rejected(missing, "column a: field a is missing");
  }

  @Test
  void jsonHasAllColumns() throws Exception {
    CsvRow row = row("id,,a,k,ts,zip,none", "007,?,+.5,7,-1.50e3,12 3,");
    assertThat(new String(writer(new RecordFormat.Json()).write(row), UTF_8))
        .isEqualTo("{\"id\":\"007\",\"a\":0.5,\"k\":\"7\",\"ts\":-1.50e3,\"zip\":\"12 3\"}");
    assertThat(
            new String(
                writer(new RecordFormat.DebeziumJson(ReplicaIdentity.FULL)).write(row), UTF_8))
        .isEqualTo(
            "{\"before\":null,\"after\":{\"id\":\"007\",\"a\":0.5,\"k\":\"7\",\"ts\":-1.50e3,"
                + "\"zip\":\"12 3\",\"none\":null},\"op\":\"c\"}");
  }

  @Test
  void csvIsQuotedWhereItMustBe() throws Exception {
    List<String> columns = List.of("a", "none", "k", "id");
    CsvRow row = row("id,a,k", "\"say \"\"x\"\"\",0.5,\"1,5\n\"");
    assertThat(new String(writer(new RecordFormat.Csv(columns, ',')).write(row), UTF_8))
        .isEqualTo("0.5,,\"1,5\n\",\"say \"\"x\"\"\"");
    assertThat(new String(writer(new RecordFormat.Csv(columns, ';')).write(row), UTF_8))
        .isEqualTo("0.5;;\"1,5\n\";\"say \"\"x\"\"\"");
  }

  @Test
  void deletionsAreEventsWithTheRowBefore() throws Exception {
    RecordFormat format = new RecordFormat.DebeziumJson(ReplicaIdentity.FULL);
    RecordWriter writer = format.writer(DecodedRow.FIELDS, Change.DELETE).orElseThrow();
    DecodedRow decoded = new DecodedRow(format);
    byte[] event = writer.write(row("id,a,k", "12,0.5,y"));
    assertThat(decoded.decode(event)).isEqualTo(Change.DELETE);
    assertThat(DecodedRow.row(decoded.before)).containsExactly(0.5, 1, 0);
    assertThat(decoded.before.extra(DecodedRow.ID)).isEqualTo("12");
  }

  @Test
  void noFormatWritesWhatItDoesNotHave() {
    RecordFormat registry = new RecordFormat.ConfluentAvro(RegistryAccess.open("http://r"));
    assertThat(registry.writer(DecodedRow.FIELDS, Change.INSERT)).isEmpty();
    for (RecordFormat plain :
        List.of(
            new RecordFormat.Json(),
            new RecordFormat.Csv(List.of("a"), ','),
            new RecordFormat.Avro(AVRO))) {
      assertThat(plain.writer(DecodedRow.FIELDS, Change.DELETE)).isEmpty();
    }
    assertThat(
            new RecordFormat.DebeziumJson(ReplicaIdentity.FULL)
                .writer(DecodedRow.FIELDS, Change.UPDATE))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "long, 12.0, 12",
    "int, -1e2, -100",
    "float, 0.5, 0.5",
    "boolean, true, true",
    "string, 1.0, 1.0"
  })
  void avroTakesTheTextOfItsTypes(String type, String value, String extra) throws Exception {
    RecordFormat format = avro("\"" + type + "\"");
    DecodedRow decoded = new DecodedRow(format);
    decoded.inserted(writer(format).write(row("id,a,k", value + ",0.5,x")));
    assertThat(decoded.after.extra(DecodedRow.ID)).isEqualTo(extra);
  }

  private static RecordFormat avro(String type) {
    return new RecordFormat.Avro(
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"double\"},"
            + "{\"name\":\"k\",\"type\":\"string\"},{\"name\":\"id\",\"type\":"
            + type
            + "}]}");
  }

  @ParameterizedTest
  @CsvSource({"long", "int", "float", "double", "boolean", "bytes"})
  void avroRefusesTextsThatAreNotOfTheType(String type) throws Exception {
    RecordWriter writer = writer(avro("\"" + type + "\""));
    CsvRow bad = row("id,a,k", "Zaphod,0.5,x");
    assertThatThrownBy(() -> writer.write(bad))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage("field id has a value that is no " + type + " of the schema");
    CsvRow missing = row("id,a,k", ",0.5,x");
    assertThatThrownBy(() -> writer.write(missing))
        .isInstanceOf(RowRejectedException.class)
        .hasMessage("field id is missing, and its schema allows neither null nor a default");
  }

  @Test
  void avroWritesDecimalsAndNestedRecords() throws Exception {
    for (String carrier : List.of("\"bytes\"", "\"fixed\",\"name\":\"F\",\"size\":5")) {
      String decimal =
          "{\"type\":" + carrier + ",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}";
      DecodedRow decoded = new DecodedRow(avro(decimal));
      for (String id : List.of("-12.30", "0.07", "1234567.00")) {
        decoded.inserted(writer(avro(decimal)).write(row("id,a,k", id + ",0.5,x")));
        assertThat(decoded.after.extra(DecodedRow.ID)).isEqualTo(id);
      }
      for (String id : List.of("0.001", "1e400", "1e2000000000")) {
        CsvRow finer = row("id,a,k", id + ",0.5,x");
        assertThatThrownBy(() -> writer(avro(decimal)).write(finer))
            .hasMessage("field id has a value that is no decimal of the schema");
      }
    }
    RecordFormat nested =
        avro(
            "[\"null\",{\"type\":\"record\",\"name\":\"I\",\"fields\":[{\"name\":\"no\",\"type\":\"int\"}]}]");
    RowFields fields = RowFields.of(DecodedRow.SCHEMA, List.of("id.no"));
    RowImage image = new RowImage(fields);
    RecordDecoder decoder = nested.decoder(fields);
    decoder.decode(
        writer(nested).write(row("id.no,a,k,id", "7,0.5,x,")), new RowImage(fields), image);
    assertThat(image.extra(fields.index("id.no"))).isEqualTo("7");
    decoder.decode(
        writer(nested).write(row("id.no,a,k,id", ",0.5,x,")), new RowImage(fields), image);
    assertThat(image.hasExtra(fields.index("id.no"))).isFalse();
  }
}
