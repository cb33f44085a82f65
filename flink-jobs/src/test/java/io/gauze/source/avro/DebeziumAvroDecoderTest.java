package io.gauze.source.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.DecodedRow;
import io.gauze.source.RegistryServer;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.format.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Change events as Debezium writes them with Confluent's converter. */
final class DebeziumAvroDecoderTest {
  private static final Schema EVENT =
      new Schema.Parser()
          .parse(
              ("{'type':'record','name':'Envelope','namespace':'db.public.t','fields':["
                      + "{'name':'before','type':['null',{'type':'record','name':'Value','fields':["
                      + "{'name':'id','type':'int'},{'name':'a','type':['null','double']},"
                      + "{'name':'k','type':['null','string']}]}],'default':null},"
                      + "{'name':'after','type':['null','Value'],'default':null},"
                      + "{'name':'source','type':{'type':'record','name':'Source','fields':["
                      + "{'name':'lsn','type':['null','long']},{'name':'db','type':'string'}]}},"
                      + "{'name':'op','type':'string'},"
                      + "{'name':'ts_ms','type':['null','long']}]}")
                  .replace('\'', '"'));

  private RegistryServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RegistryServer();
    server.put(3, "{\"schema\":\"" + EVENT.toString().replace("\"", "\\\"") + "\"}");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private DecodedRow rows(ReplicaIdentity identity) {
    return new DecodedRow(
        new RecordFormat.DebeziumAvro(RegistryAccess.open(server.url()), identity));
  }

  private static Optional<GenericRecord> row(Double a, String k) {
    Schema type = EVENT.getField("after").schema().getTypes().get(1);
    GenericRecord row = new GenericData.Record(type);
    row.put("id", 7);
    row.put("a", a);
    row.put("k", k);
    return Optional.of(row);
  }

  private static byte[] event(
      String op, Optional<GenericRecord> before, Optional<GenericRecord> after) throws IOException {
    GenericRecord source = new GenericData.Record(EVENT.getField("source").schema());
    source.put("lsn", 8642L);
    source.put("db", "Zaphod");
    GenericRecord event = new GenericData.Record(EVENT);
    event.put("before", before.orElse(null));
    event.put("after", after.orElse(null));
    event.put("source", source);
    event.put("op", op);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ByteBuffer.allocate(5).put((byte) 0).putInt(3).array());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(EVENT).write(event, encoder);
    return out.toByteArray();
  }

  @Test
  void eventsAreChanges() throws Exception {
    DecodedRow rows = rows(ReplicaIdentity.FULL);
    Optional<GenericRecord> none = Optional.empty();
    assertThat(rows.inserted(event("c", none, row(0.5, "y")))).containsExactly(0.5, 1, 0);
    assertThat(rows.decode(event("r", none, row(0.25, "x")))).isEqualTo(Change.READ);
    assertThat(DecodedRow.row(rows.after)).containsExactly(0.25, 0, 0);
    assertThat(rows.decode(event("u", row(0.25, "x"), row(0.75, "7")))).isEqualTo(Change.UPDATE);
    assertThat(DecodedRow.row(rows.before)).containsExactly(0.25, 0, 0);
    assertThat(DecodedRow.row(rows.after)).containsExactly(0.75, 0, 1);
    assertThat(rows.decode(event("d", row(0.75, "7"), none))).isEqualTo(Change.DELETE);
    assertThat(rows.before.key(DecodedRow.ID)).isEqualTo("7");
    assertThat(rows.after.isPresent()).isFalse();
    assertThat(rows.decode(event("m", none, none))).isEqualTo(Change.NONE);
  }

  @Test
  void aKeyAloneIsNoRow() throws Exception {
    for (DecodedRow rows :
        new DecodedRow[] {rows(ReplicaIdentity.FULL), rows(ReplicaIdentity.KEY)}) {
      assertThat(rows.decode(event("d", row(null, null), Optional.empty())))
          .isEqualTo(Change.DELETE);
      assertThatThrownBy(() -> DecodedRow.row(rows.before))
          .isInstanceOf(RowRejectedException.class)
          .hasMessageContaining("only the key of the row before a change is known");
    }
  }

  @Test
  void whatIsNoEventIsRefused() throws Exception {
    DecodedRow rows = rows(ReplicaIdentity.KEY);
    Optional<GenericRecord> none = Optional.empty();
    rows.rejected(event("", none, row(0.8642, "x")), "no op; send Debezium's change events whole");
    rows.rejected(event("x", none, row(0.8642, "x")), "unknown op");
    rows.rejected(event("t", none, none), "the table was truncated");
    rows.rejected(event("c", none, none), "an insertion without the row after it");
    byte[] good = event("c", none, row(0.5, "y"));
    rows.rejected(Arrays.copyOf(good, good.length - 1), "not Avro of the schema, at byte ");
    rows.rejected(Arrays.copyOf(good, good.length + 1), "bytes after the row");
    rows.rejected(
        event("c", none, row(0.5, "__debezium_unavailable_value")), "was not told to Debezium");
  }
}
