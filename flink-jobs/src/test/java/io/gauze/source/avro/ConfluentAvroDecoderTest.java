package io.gauze.source.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.RowRejectedException;
import io.gauze.source.DecodedRow;
import io.gauze.source.RegistryServer;
import io.gauze.source.format.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a registry on the loopback interface that answers as it is told. */
final class ConfluentAvroDecoderTest {
  private static final Schema FIRST =
      schema("{'name':'a','type':'double'},{'name':'k','type':'string'}");
  private static final Schema SECOND =
      schema(
          "{'name':'new','type':'long'},{'name':'k','type':'string'},{'name':'a','type':'float'}");

  private RegistryServer server;

  private static Schema schema(String fields) {
    return new Schema.Parser()
        .parse(("{'type':'record','name':'R','fields':[" + fields + "]}").replace('\'', '"'));
  }

  @BeforeEach
  void start() throws IOException {
    server = new RegistryServer();
    server.put(1, registered(FIRST));
    server.put(70_000, registered(SECOND));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String registered(Schema schema) {
    return "{\"schema\":\"" + schema.toString().replace("\"", "\\\"") + "\"}";
  }

  private static DecodedRow rows(RegistryAccess access) {
    return rows(access, Duration.ofSeconds(10));
  }

  private static DecodedRow rows(RegistryAccess access, Duration patience) {
    SchemaRegistry registry = new SchemaRegistry(access, Duration.ofNanos(1), patience);
    return new DecodedRow(new ConfluentAvroDecoder(registry, Optional.empty(), DecodedRow.FIELDS));
  }

  private DecodedRow rows() {
    return rows(RegistryAccess.open(server.url()));
  }

  private static byte[] record(int id, Schema schema, double a) {
    try {
      GenericRecordBuilder builder = new GenericRecordBuilder(schema).set("k", "y");
      if (schema.equals(SECOND)) {
        builder.set("new", 8642L).set("a", (float) a);
      } else {
        builder.set("a", a);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      new GenericDatumWriter<GenericRecord>(schema).write(builder.build(), encoder);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readsRowsOfTwoSchemasAndAsksForEachOnce() throws RowRejectedException {
    DecodedRow rows = rows();
    for (int i = 0; i < 3; i++) {
      assertThat(rows.inserted(record(1, FIRST, 0.5))).containsExactly(0.5, 1, 0);
      assertThat(rows.inserted(record(70_000, SECOND, 0.25))).containsExactly(0.25, 1, 0);
      assertThat(rows.inserted(record(70_000, SECOND, -0.25))).containsExactly(-0.25, 1, 0);
    }
    assertThat(server.asked()).containsExactly("/schemas/ids/1", "/schemas/ids/70000");
    assertThat(server.credentials()).containsOnly("none");
  }

  /** And each asks again: what one sender names decides nothing for the records of others. */
  @Test
  void anUnknownIdIsARefusedRow() throws RowRejectedException {
    DecodedRow rows = rows(RegistryAccess.open(server.url() + "/"));
    for (int i = 0; i < 3; i++) {
      rows.rejected(record(8642, FIRST, 0.5), "the schema registry knows no schema of the record");
      assertThat(rows.inserted(record(1, FIRST, 0.5))).containsExactly(0.5, 1, 0);
    }
    String unknown = "/schemas/ids/8642";
    assertThat(server.asked()).containsExactly(unknown, "/schemas/ids/1", unknown, unknown);
  }

  @Test
  void schemasThatCannotBeUsedAreRefusedRows() {
    server.put(2, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message Zaphod {}\"}");
    server.put(3, "{\"schema\":\"\\\"Zaphod\\\"\"}");
    server.put(4, "{\"schema\":\"\\\"int\\\"\"}");
    server.put(5, "{\"schema\":\"x\",\"references\":[{\"name\":\"Zaphod\"}]}");
    DecodedRow rows = rows();
    rows.rejected(
        record(2, FIRST, 0.5), "the schema of the record's id is not Avro; send records in Avro");
    rows.rejected(
        record(3, FIRST, 0.5), "the schema of the record's id is not Avro that can be read; send");
    rows.rejected(record(4, FIRST, 0.5), "the schema of the record's id is no record");
    rows.rejected(record(5, FIRST, 0.5), "refers to other schemas, which is not supported");
  }

  // -- schemas that a registry has, and Avro's own parser does not take

  private static byte[] framed(int id, byte... body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  private void put(int id, String schema) {
    server.put(id, "{\"schema\":\"" + schema.replace('\'', '"').replace("\"", "\\\"") + "\"}");
  }

  /** Their ids are for ever: nobody can correct them. */
  @Test
  void schemasThatAreStrangeAreRead() throws RowRejectedException {
    DecodedRow rows = rows();
    put(
        10,
        "{'type':'record','name':'smart-meter','namespace':'my-company.v1','fields':["
            + "{'name':'a','type':'int','default':'none'},{'name':'k','type':'string'},"
            + "{'name':'last-seen','type':['null','long'],'default':5}]}");
    assertThat(rows.inserted(framed(10, (byte) 2, (byte) 2, (byte) 'y', (byte) 0)))
        .containsExactly(1, 1, 0);
    put(
        11,
        "{'type':'record','name':'R','aliases':['old-name'],'fields':["
            + "{'name':'value','aliases':['a','old-a'],'type':'int'},{'name':'k','type':'string'}]}");
    assertThat(rows.inserted(framed(11, (byte) 2, (byte) 2, (byte) 'y'))).containsExactly(1, 1, 0);
    put(
        12,
        "{'type':'record','name':'R','fields':[{'name':'a','type':'int'},"
            + "{'name':'b','aliases':['a'],'type':'int'},{'name':'k','type':'string'}]}");
    assertThat(rows.inserted(framed(12, (byte) 2, (byte) 1, (byte) 2, (byte) 'y')))
        .as("a field of the name goes before an alias")
        .containsExactly(1, 1, 0);
  }

  @Test
  void aDeclaredSchemaGivesNamesAndDefaults() throws RowRejectedException {
    String reader =
        "{'type':'record','name':'R','fields':["
            + "{'name':'a','aliases':['amount'],'type':'double','default':-1},"
            + "{'name':'k','type':'string','default':'7'},"
            + "{'name':'id','type':['null','long'],'default':null}]}";
    DecodedRow rows =
        new DecodedRow(
            new RecordFormat.ConfluentAvro(
                RegistryAccess.open(server.url()), reader.replace('\'', '"')));
    put(20, "{'type':'record','name':'W','fields':[{'name':'amount','type':'int'}]}");
    assertThat(rows.inserted(framed(20, (byte) 2))).containsExactly(1, 0, 1);
    assertThat(rows.after.hasExtra(DecodedRow.ID)).isFalse();
    put(21, "{'type':'record','name':'W','fields':[{'name':'k','type':'string'}]}");
    assertThat(rows.inserted(framed(21, (byte) 2, (byte) 'y'))).containsExactly(-1, 1, 0);
    put(
        22,
        "{'type':'record','name':'W','fields':[{'name':'a','type':'int'},"
            + "{'name':'amount','type':'int'},{'name':'id','type':'int'}]}");
    assertThat(rows.inserted(framed(22, (byte) 1, (byte) 2, (byte) 14))).containsExactly(-1, 0, 1);
    assertThat(rows.after.key(DecodedRow.ID)).isEqualTo("7");
  }

  /** Where values may be missing, each event would be a row without any. */
  @Test
  void refusesChangeEventsOfDebezium() throws RowRejectedException {
    String row = "{'type':'record','name':'Value','fields':[{'name':'a','type':'double'}]}";
    put(
        30,
        "{'type':'record','name':'Envelope','fields':[{'name':'before','type':['null',"
            + row
            + "]},{'name':'after','type':['null','Value']},{'name':'op','type':'string'}]}");
    byte[] event = framed(30, (byte) 0, (byte) 0, (byte) 2, (byte) 'd');
    rows().rejected(event, "a change event of Debezium; use format debezium-avro-confluent");
    String reader =
        "{'type':'record','name':'R','fields':[{'name':'a','type':'double','default':0},"
            + "{'name':'k','type':'string','default':'y'}]}";
    RecordFormat declared =
        new RecordFormat.ConfluentAvro(
            RegistryAccess.open(server.url()), reader.replace('\'', '"'));
    new DecodedRow(declared).rejected(event, "a change event of Debezium");
    put(
        31,
        "{'type':'record','name':'R','fields':[{'name':'a','type':'int'},{'name':'k','type':"
            + "'string'},{'name':'after','type':"
            + row
            + "},{'name':'op','type':'string'}]}");
    byte[] about = new byte[18];
    System.arraycopy(framed(31, (byte) 2, (byte) 2, (byte) 'y'), 0, about, 0, 8);
    about[16] = 2;
    about[17] = 'c';
    assertThat(rows().inserted(about)).as("a row about operations").containsExactly(1, 1, 0);
  }

  @Test
  void refusesRecordsWithoutId() {
    DecodedRow rows = rows();
    rows.rejected(new byte[] {2, 0, 0, 0, 1, 1}, "no schema id: a record begins with a zero byte");
    rows.rejected(new byte[] {0, 0, 0, 1}, "no schema id");
    rows.rejected("{\"a\":8642}".getBytes(UTF_8), "JSON, not Avro; use format json");
    rows.rejected(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0}, "compressed with gzip; send Avro");
    rows.rejected("Obj\1\4\0\0".getBytes(UTF_8), "a file of Avro with its schema");
    rows.rejected(new byte[] {(byte) 0xc3, 1, 7, 7, 7, 7, 7, 7, 7, 7}, "single-object encoding");
    byte[] eight = new byte[12];
    eight[8] = 1;
    rows.rejected(eight, "an id of eight bytes, as Apicurio's serializers may write it");
    assertThat(server.asked()).isEmpty();
    rows.rejected(new byte[] {0, 0, 0, 0, 1}, "not Avro of the schema, at byte 5, in field a");
    rows.rejected(new byte[0], "empty record");
    byte[] other = record(1, SECOND, 0.25);
    rows.rejected(other, "not Avro of the schema, at byte ");
  }

  @Test
  void aRegistryThatIsDownIsAskedAgain() throws RowRejectedException {
    server.next(List.of(500, 503, 429));
    assertThat(rows().inserted(record(1, FIRST, 0.5))).containsExactly(0.5, 1, 0);
    assertThat(server.asked()).hasSize(4);
  }

  @Test
  void aRegistryThatStaysDownFailsTheJobAndNoRow() throws Exception {
    server.next(List.of(500, 500, 500, 500, 500));
    DecodedRow rows = rows();
    assertThatThrownBy(() -> rows.decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(
            "the schema registry at " + server.url() + " cannot be used: it answered")
        .hasMessageContaining("status 500")
        .hasMessageContaining("begins again at its last checkpoint; no row is lost");
    assertThat(rows.inserted(record(1, FIRST, 0.5))).as("later").containsExactly(0.5, 1, 0);

    server.put(1, "<html>a proxy's page</html>");
    assertThatThrownBy(() -> rows().decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("its answer is no JSON");
    server.put(1, "{\"id\":1}");
    assertThatThrownBy(() -> rows().decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("its answer holds no schema");
    server.close();
    assertThatThrownBy(() -> rows().decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot be used: ConnectException");
  }

  /** The server goes on only when the client has closed the connection. */
  @Test
  void aRegistryThatStallsInItsAnswerIsAskedAgain() throws RowRejectedException {
    server.stall(1);
    DecodedRow rows = rows(RegistryAccess.open(server.url()), Duration.ofSeconds(2));
    assertThat(rows.inserted(record(1, FIRST, 0.5))).containsExactly(0.5, 1, 0);
    assertThat(server.asked()).hasSize(2);
  }

  @Test
  void aRegistryThatStallsForEverFailsTheJob() {
    server.stall(Integer.MAX_VALUE);
    DecodedRow rows = rows(RegistryAccess.open(server.url()), Duration.ofMillis(300));
    assertThatThrownBy(() -> rows.decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot be used: IOException its answer was not whole after PT0.3S")
        .hasMessageContaining("begins again at its last checkpoint; no row is lost");
  }

  @Test
  void anEndlessAnswerIsNotRead() {
    server.put(1, "x".repeat((8 << 20) + 1));
    assertThatThrownBy(() -> rows().decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("its answer is longer than 8388608 bytes");
  }

  @Test
  void sendsThePasswordOfAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "s\u00e9cret\n");
    RegistryAccess access = new RegistryAccess(server.url(), "me", file.toString(), "");
    rows(access).inserted(record(1, FIRST, 0.5));
    assertThat(server.credentials()).containsExactly("Basic bWU6c8OpY3JldA==");
    assertThat(access.toString()).doesNotContain("s\u00e9cret");

    server.next(List.of(401));
    assertThatThrownBy(() -> rows(access).decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("refuses (status 401): check kafka.rows.registry.user")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s\u00e9cret"));
    assertThat(server.asked()).as("a refusal is not asked again").hasSize(2);
  }

  @Test
  void saysWhereThePasswordShouldBe(@TempDir Path folder) {
    String none = folder.resolve("none").toString();
    assertThatThrownBy(
            () ->
                rows(new RegistryAccess(server.url(), "me", none, "")).decode(record(1, FIRST, 0)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the password of the schema registry cannot be read from " + none);
    assertThatThrownBy(
            () ->
                rows(new RegistryAccess(server.url(), "me", "", "GAUZE_NO_SUCH_VARIABLE"))
                    .decode(record(1, FIRST, 0)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the environment variable GAUZE_NO_SUCH_VARIABLE");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void anInterruptionEndsTheWait() {
    DecodedRow rows = rows();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> rows.decode(record(1, FIRST, 0.5)))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
