package io.gauze.source.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.RowRejectedException;
import io.gauze.source.RegistryServer;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.avro.SchemaRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One key is one key, however its serializer writes it, and two keys are two. */
final class KeyReaderTest {
  private static final String ENVELOPE = "{\"schema\":%s,\"payload\":%s}";
  private static final String STRUCT =
      "{\"type\":\"struct\",\"fields\":[{\"type\":\"int64\",\"optional\":false,%s\"field\":\"id\"}],"
          + "\"optional\":false,\"name\":\"t.Key\"}";

  private RegistryServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RegistryServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String text(String key) throws RowRejectedException {
    return KeyReader.ofTexts().text(key.getBytes(UTF_8));
  }

  private static void areOne(String... keys) throws RowRejectedException {
    for (String key : keys) {
      assertThat(text(key)).as(key).isEqualTo(text(keys[0]));
    }
  }

  private static void differ(String... keys) throws RowRejectedException {
    String[] texts = new String[keys.length];
    for (int i = 0; i < keys.length; i++) {
      texts[i] = text(keys[i]);
    }
    assertThat(texts).doesNotHaveDuplicates();
  }

  @Test
  void theSchemaAroundAKeyIsNoPartOfIt() throws Exception {
    String plain = String.format(Locale.ROOT, STRUCT, "");
    String withDefault = String.format(Locale.ROOT, STRUCT, "\"default\":0,");
    areOne(
        "{\"id\":7}",
        String.format(Locale.ROOT, ENVELOPE, plain, "{\"id\":7}"),
        String.format(Locale.ROOT, ENVELOPE, withDefault, "{\"id\":7}"),
        String.format(Locale.ROOT, ENVELOPE, "null", "{\"id\":7}"),
        "{\"payload\":{\"id\":7},\"schema\":" + plain + "}");
    areOne(
        "ann", "\"ann\"", String.format(Locale.ROOT, ENVELOPE, "{\"type\":\"string\"}", "\"ann\""));
    areOne("7", String.format(Locale.ROOT, ENVELOPE, "{\"type\":\"int32\"}", "7"));
    differ(
        String.format(Locale.ROOT, ENVELOPE, plain, "{\"id\":7}"),
        String.format(Locale.ROOT, ENVELOPE, plain, "{\"id\":8}"),
        "{\"schema\":\"public\",\"payload\":{\"id\":7}}",
        "{\"schema\":{\"type\":\"struct\"},\"payload\":{\"id\":7},\"more\":1}");
  }

  @Test
  void aKeyIsItsValueAndNotItsSpelling() throws Exception {
    areOne("1", "1.0", "1e0", " 1 ", "\"1\"", "10e-1");
    areOne("{\"a\":1,\"b\":\"x\"}", "{ \"b\" : \"\\u0078\", \"a\" : 1.0 }\n");
    areOne("{\"a\":{\"c\":[1,2.0]}}", "{\"a\":{\"c\":[1.0,2]}}");
    areOne("{\"a\":1}", "{\"a\":1,\"b\":null}", "{\"b\":null,\"a\":1e0}", "{\"a\":2,\"a\":1}");
    areOne("{\"a\":\"\\/\"}", "{\"a\":\"/\"}");
    areOne("true", "\"true\"");
  }

  @Test
  void otherKeysStayApart() throws Exception {
    differ("9007199254740993", "9007199254740992", "v1.0", "v1", "007", "7", "");
    differ("{\"a\":1}", "{\"a\":\"1\"}", "{\"a\":[1]}", "{\"b\":1}", "{\"a\":true}", "[1]", "1");
    differ("{\"a\":\"b\",\"c\":\"d\"}", "{\"a\":\"b\\\",\\\"c\\\":\\\"d\"}");
    differ("[null]", "[]", "[\"null\"]", "[[]]");
    differ("{\"a\":{\"b\":1}}", "{\"a.b\":1}");
    differ("{not json", "{not json}", "1 2", "1,2", "ann bob", "\"ann", "2026-01-01", "NaN", "+1");
  }

  @Test
  void whatIsNoKeyIsRefused() {
    for (String none :
        List.of(
            "null", "{}", "{\"id\":null}", String.format(Locale.ROOT, ENVELOPE, "null", "null"))) {
      assertThatThrownBy(() -> text(none))
          .as(none)
          .isInstanceOf(RowRejectedException.class)
          .hasMessageContaining("the record's key is null");
    }
    assertThatThrownBy(() -> text("[".repeat(100) + "]".repeat(100)))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("nested deeper than 64");
    assertThatThrownBy(() -> text("\"\\ud800\""))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("half a character");
    for (byte[] binary :
        List.of(
            new byte[] {0, 0, 0, 0, 0, 0, 0, 65}, new byte[] {-1, -2}, new byte[] {0, 0, 0, 65})) {
      assertThatThrownBy(() -> KeyReader.ofTexts().text(binary))
          .isInstanceOf(RowRejectedException.class)
          .hasMessageContaining("neither text nor JSON, nor Avro")
          .hasMessageContaining("kafka.rows.key: {record: bytes}");
    }
  }

  /** A serializer of JSON with schemas writes the id of one before the object. */
  @Test
  void anIdBeforeJsonIsNoPartOfTheKey() throws Exception {
    KeyReader keys = KeyReader.ofTexts();
    assertThat(keys.text(framed(7, "{\"id\":1}".getBytes(UTF_8))))
        .isEqualTo(keys.text(framed(8, "{\"id\":1.0}".getBytes(UTF_8))))
        .isEqualTo(text("{\"id\":1}"));
  }

  /** Where kafka.rows.key names a field, a deletion's key is the field, or holds it. */
  @Test
  void aKeyHoldsTheFieldThatARowIsKnownBy() throws Exception {
    KeyReader keys = KeyReader.ofTexts();
    for (String key :
        List.of(
            "17",
            "\"17\"",
            "{\"id\":17.0}",
            String.format(Locale.ROOT, ENVELOPE, "null", "{\"id\":\"17\"}"))) {
      assertThat(keys.fieldText(key.getBytes(UTF_8), "id")).as(key).isEqualTo("17");
    }
    assertThat(keys.fieldText("{\"in\":{\"id\":17}}".getBytes(UTF_8), "in.id")).isEqualTo("17");
    assertThat(keys.fieldText("{\"in.id\":17}".getBytes(UTF_8), "in.id")).isEqualTo("17");
    assertThat(keys.fieldText("1.10".getBytes(UTF_8), "id")).as("a text").isEqualTo("1.10");
    assertThatThrownBy(() -> keys.fieldText("{\"other\":17}".getBytes(UTF_8), "id"))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("the record's key has no field id, which kafka.rows.key names");
  }

  // -- Avro by a registry

  private KeyReader registry() {
    return KeyReader.of(
        new SchemaRegistry(
            RegistryAccess.open(server.url()), Duration.ofNanos(1), Duration.ofSeconds(10)));
  }

  private byte[] avro(int id, String json, Object value) throws IOException {
    Schema schema = new Schema.Parser().parse(json.replace('\'', '"'));
    server.put(id, "{\"schema\":\"" + schema.toString().replace("\"", "\\\"") + "\"}");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    Object datum = value;
    if (schema.getType() == Schema.Type.RECORD) {
      GenericData.Record record = new GenericData.Record(schema);
      List<?> values = (List<?>) value;
      for (int i = 0; i < values.size(); i++) {
        record.put(i, values.get(i));
      }
      datum = record;
    }
    new GenericDatumWriter<Object>(schema).write(datum, encoder);
    return framed(id, out.toByteArray());
  }

  private static byte[] framed(int id, byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  /** No registry has an id of 0, and whole numbers in eight bytes begin so. */
  @Test
  void aWholeNumberOfEightBytesAsksForNoSchema() {
    byte[] seven = ByteBuffer.allocate(8).putLong(7).array();
    assertThatThrownBy(() -> registry().text(seven))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("compare bytes by kafka.rows.key: {record: bytes}");
    assertThat(server.asked()).isEmpty();
  }

  private static String key(String fields) {
    return "{'type':'record','name':'Key','fields':[" + fields + "]}";
  }

  @Test
  void avroKeysOfTwoSchemasAreOneKeyIfTheirValuesAre() throws Exception {
    KeyReader keys = registry();
    String one = keys.text(avro(1, key("{'name':'id','type':'int'}"), List.of(7)));
    assertThat(one).isEqualTo(text("{\"id\":7}"));
    String id = "{'name':'id','type':'long','default':0}";
    assertThat(keys.text(avro(2, key(id), List.of(7L)))).isEqualTo(one);
    String optional = "{'name':'id','type':['null','int'],'default':null}";
    assertThat(keys.text(avro(3, key(optional), List.of(7)))).isEqualTo(one);
    String more = id + ",{'name':'land','type':['null','string'],'default':null}";
    assertThat(keys.text(avro(4, key(more), Arrays.asList(7L, null)))).isEqualTo(one);
    assertThat(keys.text(avro(5, key(more), List.of(7L, "de")))).isNotEqualTo(one);
    String swapped = "{'name':'land','type':'string'}," + id;
    assertThat(keys.text(avro(6, key(swapped), List.of("de", 7L))))
        .isEqualTo(keys.text(avro(5, key(more), List.of(7L, "de"))));
    assertThat(keys.text(avro(7, key(id), List.of(8L)))).isNotEqualTo(one);
  }

  @Test
  void avroKeysOfOtherTypesAreValues() throws Exception {
    KeyReader keys = registry();
    assertThat(keys.text(avro(1, "'string'", "ann"))).isEqualTo("ann");
    assertThat(keys.text(avro(2, "'long'", 7L))).isEqualTo("7");
    assertThat(keys.text(avro(3, "'int'", 7))).isEqualTo("7");
    assertThat(keys.text(avro(4, "'double'", 7.0))).isEqualTo("7");
    assertThat(keys.text(avro(5, "'float'", 0.1f)))
        .isEqualTo(keys.text(avro(6, "'double'", (double) 0.1f)));
    assertThat(keys.text(avro(11, "'long'", 1L << 60)))
        .isEqualTo(keys.text(avro(12, "'double'", 0x1p60)));
    assertThat(keys.text(avro(13, "'bytes'", ByteBuffer.wrap("\u00e9".getBytes(UTF_8)))))
        .isEqualTo(keys.text(avro(14, "'string'", "\u00e9")));
    assertThat(keys.text(avro(7, "'boolean'", true))).isEqualTo("true");
    assertThat(keys.text(avro(8, "{'type':'array','items':'int'}", List.of(1, 2))))
        .isEqualTo(text("[1,2]"));
    assertThat(keys.text("ann".getBytes(UTF_8))).as("a text beside Avro").isEqualTo("ann");
    String decimal = "{'type':'bytes','logicalType':'decimal','precision':9,'scale':%d}";
    assertThat(keys.text(avro(9, decimal.replace("%d", "2"), ByteBuffer.wrap(new byte[] {70}))))
        .isEqualTo("0.7");
    assertThat(keys.text(avro(10, decimal.replace("%d", "1"), ByteBuffer.wrap(new byte[] {7}))))
        .isEqualTo("0.7");
  }

  @Test
  void avroThatCannotBeReadIsRefused() throws Exception {
    KeyReader keys = registry();
    byte[] good = avro(1, key("{'name':'id','type':'long'}"), List.of(7L));
    for (byte[] wrong :
        List.of(Arrays.copyOf(good, good.length - 1), Arrays.copyOf(good, good.length + 1))) {
      assertThatThrownBy(() -> keys.text(wrong))
          .isInstanceOf(RowRejectedException.class)
          .hasMessageStartingWith("the record's key is not Avro of the schema that it names");
    }
    assertThatThrownBy(() -> keys.text(framed(8642, new byte[] {2})))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("the schema registry knows no schema of the key's id")
        .hasMessageContaining("{record: bytes}")
        .hasMessageNotContaining("8642");
  }
}
