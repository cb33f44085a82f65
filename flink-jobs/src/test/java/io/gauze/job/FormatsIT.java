package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.source.RegistryServer;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The formats of records that no other test sends through a real broker and Flink. Each row is
 * written as JSON, too, of which the sums are made here, in one process.
 */
@ExtendWith(SharedCluster.class)
final class FormatsIT {
  private static final int ROWS = 400;
  private static final int BAD = 7; // every so many records
  private static final Schema ONE =
      schema(
          "{'name':'a','type':'double'},{'name':'note','type':['null','string']},"
              + "{'name':'b','type':['null','double']},{'name':'y','type':'double'}");
  private static final Schema TWO =
      schema(
          "{'name':'y','type':'double'},{'name':'b','type':'double'},{'name':'a','type':'double'},"
              + "{'name':'note','type':'string'},{'name':'count','type':'long','default':3}");

  /** A row's fields. */
  private record Row(double a, double b, double y) {}

  /** Writes the row of a number. */
  private interface Writer {
    byte[] write(int number, Row row) throws IOException;
  }

  @Test
  void csv() throws Exception {
    assertSums(
        new RecordFormat.Csv(List.of("note", "y", "a", "b"), ';'),
        (number, row) ->
            String.format(Locale.ROOT, "\"x; \"\"y\"\"\";%s;%s;%s", row.y(), row.a(), row.b())
                .getBytes(UTF_8));
  }

  @Test
  void avro() throws Exception {
    assertSums(new RecordFormat.Avro(ONE.toString()), (number, row) -> encoded(ONE, row));
  }

  /** Writers change their schema while the job runs. */
  @Test
  void avroOfARegistry() throws Exception {
    try (RegistryServer registry = new RegistryServer()) {
      registry.put(1, registered(ONE));
      registry.put(70_000, registered(TWO));
      assertSums(
          new RecordFormat.ConfluentAvro(RegistryAccess.open(registry.url())),
          (number, row) -> {
            int id = number < ROWS / 2 ? 1 : 70_000;
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
            out.write(encoded(id == 1 ? ONE : TWO, row));
            return out.toByteArray();
          });
      assertThat(registry.asked()).contains("/schemas/ids/1", "/schemas/ids/70000");
    }
  }

  /** The schema of the keys changes twice; each key is one key, and deleted in the end. */
  @Test
  void debeziumInAvroOfARegistry() throws Exception {
    Schema event =
        schema(
            "{'name':'before','type':['null',{'type':'record','name':'V','fields':["
                + "{'name':'a','type':'double'},{'name':'b','type':'double'},"
                + "{'name':'y','type':'double'}]}]},{'name':'after','type':['null','V']},"
                + "{'name':'op','type':'string'}");
    List<Schema> keys =
        List.of(
            schema("{'name':'id','type':'int'}"),
            schema("{'name':'id','type':'long','default':0}"),
            schema("{'name':'id','type':['null','long'],'default':null}"));
    try (RegistryServer registry = new RegistryServer()) {
      registry.put(9, registered(event));
      for (int id = 0; id < keys.size(); id++) {
        registry.put(id + 1, registered(keys.get(id)));
      }
      RecordFormat format =
          new RecordFormat.DebeziumAvro(RegistryAccess.open(registry.url()), ReplicaIdentity.KEY);
      RowInput input = new RowInput(format, false, "", "", List.of(SketchJobSettings.NO_GROUP));
      StreamFixture stream =
          new StreamFixture(
              EpochSchedule.all(), Randomness.noiseFreeForTests(15), BudgetScope.keys(1), input);
      SplittableRandom random = new SplittableRandom(17);
      try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
        for (int round = 0; round < keys.size(); round++) {
          for (int key = 0; key < 200; key++) {
            byte[] value = framed(9, event(event, "cud".charAt(round), random));
            byte[] id = framed(round + 1, key(keys.get(round), key));
            producer.send(new ProducerRecord<>(stream.topics().rows(), 0, id, value)).get();
            if (round == 2) {
              producer.send(new ProducerRecord<>(stream.topics().rows(), 0, id, null)).get();
            }
          }
        }
      }
      StreamFixture.Output output = stream.newOutput();
      stream.run(stream.prepare(output, true).settings(), 2);
      assertThat(output.bodies())
          .hasSize(2)
          .allSatisfy((id, bodies) -> assertThat(bodies.iterator().next()).containsOnly(0L));
      assertThat(TopicReader.all(output.topics().deadLetters())).isEmpty();
    }
  }

  private static byte[] event(Schema schema, char op, SplittableRandom random) throws IOException {
    GenericRecord row = new GenericData.Record(schema.getField("after").schema().getTypes().get(1));
    for (String name : List.of("a", "b", "y")) {
      row.put(name, random.nextDouble(0, 1));
    }
    GenericRecord event = new GenericData.Record(schema);
    event.put(op == 'd' ? "before" : "after", row);
    event.put("op", String.valueOf(op));
    return written(schema, event);
  }

  private static byte[] key(Schema schema, int id) throws IOException {
    GenericRecord key = new GenericData.Record(schema);
    key.put(
        "id",
        schema.getField("id").schema().getType() == Schema.Type.INT ? id : (Object) (long) id);
    return written(schema, key);
  }

  private static byte[] framed(int id, byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  /** A bounded job of rows, some of which are cut off. */
  private static void assertSums(RecordFormat format, Writer writer) throws Exception {
    RowInput input = new RowInput(format, false, "", "", List.of(SketchJobSettings.NO_GROUP));
    StreamFixture stream =
        new StreamFixture(
            EpochSchedule.all(), Randomness.noiseFreeForTests(15), BudgetScope.ROWS, input);
    List<ConsumerRecord<byte[], byte[]>> asJson = send(stream, writer);
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings(), 2);

    Map<String, List<Long>> expected =
        StreamFixture.expected(stream.settings(), asJson, List.of(0L));
    assertThat(expected).hasSize(2);
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
    assertThat(TopicReader.all(output.topics().deadLetters())).hasSize((ROWS + BAD - 1) / BAD);
  }

  /** The same log as if it were of JSON. */
  private static List<ConsumerRecord<byte[], byte[]>> send(StreamFixture stream, Writer writer)
      throws Exception {
    SplittableRandom random = new SplittableRandom(16);
    List<ConsumerRecord<byte[], byte[]>> asJson = new ArrayList<>();
    long[] offsets = new long[StreamFixture.PARTITIONS];
    String topic = stream.topics().rows();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of("linger.ms", 0))) {
      for (int i = 0; i < ROWS; i++) {
        Row row =
            new Row(random.nextDouble(-1, 1), random.nextDouble(0, 10), random.nextDouble(-5, 5));
        int partition = random.nextInt(StreamFixture.PARTITIONS);
        boolean bad = i % BAD == 0;
        byte[] value = bad ? new byte[] {0} : writer.write(i, row);
        producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
        String json =
            String.format(Locale.ROOT, "{\"a\":%s,\"b\":%s,\"y\":%s}", row.a(), row.b(), row.y());
        asJson.add(
            new ConsumerRecord<>(
                topic,
                partition,
                offsets[partition]++,
                new byte[0],
                (bad ? "no row" : json).getBytes(UTF_8)));
      }
    }
    assertThat(TopicReader.all(topic)).hasSize(ROWS);
    return asJson;
  }

  private static byte[] encoded(Schema schema, Row row) throws IOException {
    GenericRecord record =
        new GenericRecordBuilder(schema)
            .set("a", row.a())
            .set("b", row.b())
            .set("y", row.y())
            .set("note", "x")
            .build();
    return written(schema, record);
  }

  private static byte[] written(Schema schema, GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    return out.toByteArray();
  }

  private static Schema schema(String fields) {
    return new Schema.Parser()
        .parse(("{'type':'record','name':'R','fields':[" + fields + "]}").replace('\'', '"'));
  }

  private static String registered(Schema schema) {
    return "{\"schema\":\"" + schema.toString().replace("\"", "\\\"") + "\"}";
  }
}
