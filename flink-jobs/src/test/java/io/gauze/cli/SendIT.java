package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.cli.rows.CsvProducer;
import io.gauze.cli.rows.TopicSender;
import io.gauze.config.StreamConfig;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import io.gauze.source.format.RecordFormat;
import io.gauze.summary.Progress;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verb send, to topics of a real broker. */
@ExtendWith(SharedCluster.class)
final class SendIT {
  private static final int ROWS = 50;
  private static final String AVRO =
      """
      {"type": "record", "name": "Row", "fields": [
        {"name": "id", "type": "long"}, {"name": "x", "type": "double"},
        {"name": "y", "type": ["null", "double"]}]}
      """;

  @TempDir private Path folder;

  private static List<String> lines() {
    return IntStream.rangeClosed(0, ROWS)
        .mapToObj(i -> i == 0 ? "x,id,y" : "0." + (100 + i) + "," + i + ",0.5")
        .toList();
  }

  private String csv() throws IOException {
    return Files.write(folder.resolve("rows.csv"), lines()).toString();
  }

  private static String topic() {
    return TestTopics.createRows("sent", 3);
  }

  private Path config(String topic, String rows, String kafka) throws IOException {
    Files.writeString(folder.resolve("row.avsc"), AVRO);
    boolean changelog = rows.contains("upsert: true") || rows.contains("debezium");
    return Files.writeString(
        folder.resolve("send.yaml"),
        String.format(
            Locale.ROOT,
            """
            stream: sent
            columns:
              - {name: x, lower: 0, upper: 1}
              - {name: y, lower: 0, upper: 1}
            privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one%s
            epochs: {length: all}
            sketches: [{name: moments, mechanism: noisy-moments}]
            kafka:
              bootstrap: %s
              rows: {topic: %s, %s}
              %s
            """,
            changelog ? ", unit: key}\nsnapshots: 1" : "}",
            SharedCluster.broker().bootstrapServers(),
            topic,
            rows,
            kafka));
  }

  private DemoIT.Outcome send(int status, Path config, String... further) throws IOException {
    List<String> all = new ArrayList<>(List.of("send", "--config", config.toString()));
    all.addAll(List.of(further));
    if (!all.contains("--csv") && !all.contains("--synthetic")) {
      all.addAll(List.of("--csv", csv()));
    }
    DemoIT.Outcome outcome = DemoIT.run(all.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  /** Each record, read as the config says: key, change and x of the image that is there. */
  private static Set<String> read(String topic, Path config, int count) throws Exception {
    StreamConfig stream = StreamConfig.read(config);
    RecordFormat format = stream.kafka().rows().format();
    RowFields fields = RowFields.of(stream.schema(), List.of());
    RecordDecoder decoder = format.decoder(fields);
    RowImage before = new RowImage(fields);
    RowImage after = new RowImage(fields);
    Set<String> found = new TreeSet<>();
    for (ConsumerRecord<byte[], byte[]> record : TestTopics.read(topic, count)) {
      String key = record.key() == null ? "" : new String(record.key(), UTF_8);
      if (record.value() == null) {
        found.add(key + " none");
        continue;
      }
      Change change = decoder.decode(record.value(), before, after);
      found.add(key + " " + change + " " + x(change == Change.DELETE ? before : after));
    }
    return found;
  }

  private static long x(RowImage image) throws RowRejectedException {
    double[] row = new double[3];
    image.scale(row);
    return Math.round(500 * (row[1] + 1)); // thousandths
  }

  private static Set<String> expected(boolean keys, String change) {
    Set<String> all = new TreeSet<>();
    for (int i = 1; i <= ROWS; i++) {
      all.add((keys ? i : "") + " " + change + (change.equals("none") ? "" : " " + (100 + i)));
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format: json",
        "format: csv, columns: [id, y, other, x], separator: '|'",
        "format: avro, schema: row.avsc",
        "format: debezium-json"
      })
  void sendsRowsInEachFormatWithKeys(String format) throws Exception {
    String topic = topic();
    Path config = config(topic, format + ", key: {field: id}", "");

    assertThat(send(0, config).out()).isEqualTo("50 rows sent to topic " + topic + "\n");

    assertThat(read(topic, config, ROWS)).isEqualTo(expected(true, "INSERT"));
  }

  @Test
  void rowsWithoutKeyHaveNone() throws Exception {
    String topic = topic();
    Path config = config(topic, "format: json", "");
    send(0, config, "--rate", "100000");
    assertThat(read(topic, config, ROWS)).isEqualTo(expected(false, "INSERT"));
  }

  @Test
  void sendsMadeUpRowsWithDifferentKeys() throws Exception {
    String topic = topic();
    Path config = config(topic, "format: json, key: {field: id}", "");
    DemoIT.Outcome outcome = send(0, config, "--synthetic", "30");
    assertThat(outcome.err()).contains("sending 30 made-up rows as json to topic " + topic);
    assertThat(read(topic, config, 30)).hasSize(30).allMatch(row -> row.contains(" INSERT "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"format: json", "format: debezium-json, key: {field: id}"})
  void madeUpRowsAreNotMixedWithOthers(String format) throws Exception {
    String topic = topic();
    Path config = config(topic, format, "");
    send(0, config, "--synthetic", "30");
    send(0, config, "--synthetic", "20"); // a rehearsal may have several parts
    assertThat(read(topic, config, 50)).hasSizeGreaterThan(1);
    TestTopics.send(topic, 1, "secret");
    DemoIT.Outcome refused = send(2, config, "--synthetic", "10");
    assertThat(refused.err())
        .contains("topic " + topic + " holds rows that send --synthetic did not make", "--force")
        .doesNotContain("secret", "sending");
    assertThat(TestTopics.read(topic, 51)).hasSize(51);
    send(0, config, "--synthetic", "10", "--force");
    assertThat(TestTopics.read(topic, 61)).hasSize(61);
  }

  /** Rows of a file are others. */
  @Test
  void rowsOfAFileAreNotMadeUp() throws Exception {
    Path config = config(topic(), "format: json", "");
    send(0, config);
    assertThat(send(2, config, "--synthetic", "10").err()).contains("did not make");
  }

  @Test
  void takesRowsBackFromAChangelog() throws Exception {
    String topic = topic();
    Path config = config(topic, "format: debezium-json, key: {field: id}, identity: full", "");
    JsonNode report =
        JsonMapper.builder()
            .build()
            .readTree(send(0, config, "--delete", "--format", "json").out());
    assertThat(report.toString())
        .isEqualTo(
            "{\"topic\":\""
                + topic
                + "\",\"format\":\"debezium-json\",\"deleted\":true,\"rows\":50,\"leftOut\":0,\"stopped\":false}");
    assertThat(read(topic, config, ROWS)).isEqualTo(expected(true, "DELETE"));
  }

  @Test
  void takesRowsBackByKey() throws Exception {
    String topic = topic();
    Path config = config(topic, "format: json, upsert: true, key: {field: id}", "");
    assertThat(send(0, config, "--delete").out())
        .isEqualTo("50 rows deleted in topic " + topic + "\n");
    assertThat(read(topic, config, ROWS)).isEqualTo(expected(true, "none"));
    Path csv = folder.resolve("another.csv");
    Files.write(csv, List.of("id,x,y", "1e3,0.101,0.5"));
    send(0, config, "--delete", "--csv", csv.toString());
    assertThat(read(topic, config, ROWS + 1)).as("as the job compares keys").contains("1000 none");
  }

  @Test
  void readsGzipAndMakesTheTopic() throws Exception {
    String topic = "made-" + topic();
    Path config = config(topic, "format: json", "create: {partitions: 2, replicas: 1}");
    Path zipped = folder.resolve("rows.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      out.write(String.join("\r\n", lines()).getBytes(UTF_8));
    }
    assertThat(send(0, config, "--csv", zipped.toString()).err())
        .contains("sending the rows of " + zipped + " as json to topic " + topic);
    assertThat(read(topic, config, ROWS)).isEqualTo(expected(false, "INSERT"));
  }

  @Test
  void leavesOutRowsThatCannotBeWritten() throws Exception {
    String topic = topic();
    Path config = config(topic, "format: avro, schema: row.avsc, key: {field: id}", "");
    Path csv = folder.resolve("bad.csv");
    Files.write(csv, List.of("id,x,y", "1,0.101,0.5", "2,Zaphod,0.5", ",0.103,0.5", "4,0.104,"));
    DemoIT.Outcome outcome = send(0, config, "--csv", csv.toString());
    assertThat(outcome.out()).isEqualTo("2 rows sent to topic " + topic + "\n");
    assertThat(outcome.err())
        .contains(
            "Rows left out: 2 of 4 (50 %).",
            "  1, the first in line 3: field x has a value that is no double of the schema")
        .doesNotContain("Zaphod");
    assertThat(TestTopics.read(topic, 2)).hasSize(2);
    Files.write(csv, List.of("id,x,y", "1,0.101,0.5", "2,Zaphod,0.5"));
    DemoIT.Outcome one = send(0, config, "--csv", csv.toString());
    assertThat(one.out()).isEqualTo("1 row sent to topic " + topic + "\n");
    assertThat(one.err()).contains("Rows left out: 1 of 2 (50 %).");
  }

  @Test
  void wrongUsageIsStatus2() throws Exception {
    Path config = config("none", "format: json", "");
    assertThat(send(2, config, "--delete").err())
        .contains(
            "--delete needs a changelog, since no record of an append-only topic can be taken");
    assertThat(send(2, config, "--rate", "0").err())
        .contains("--rate must be in [1, 1000000000]. Provided value: 0");
    assertThat(send(2, config, "--csv", "none.csv").err())
        .contains("--csv must be a file that can be read. Provided value: none.csv");
    assertThat(send(2, config, "--synthetic", "0").err())
        .contains("--synthetic must be in [1, 1000000000000]. Provided value: 0");
    assertThat(send(2, config, "--synthetic", "9", "--delete").err())
        .contains("--delete takes rows of a file back: give --csv instead of --synthetic");
    assertThat(send(2, config, "--force").err()).contains("--force is for --synthetic");
    assertThat(send(2, config, "--synthetic", "9", "--csv", "none.csv").err())
        .contains("--synthetic", "--csv", "mutually exclusive");
    assertThat(send(2, config).err()).contains("topic none does not exist", "kafka.create");
    assertThat(send(2, config("none", "key: record", "")).err())
        .contains("kafka.rows.key must be {field: NAME}");
    assertThat(send(2, config("none", "key: {field: who}", "")).err())
        .contains("has no column \"who\", which the config names");
    String registry = "format: avro-confluent, registry: {url: 'http://localhost:1'}";
    assertThat(send(2, config("none", registry, "")).err())
        .contains("send cannot write avro-confluent", "or format avro");
  }

  /** Without the stop the test would take more than a quarter of an hour. */
  @Test
  void aStopEndsBetweenTwoRowsAndCountsThem() throws Exception {
    String topic = topic();
    StreamConfig stream = StreamConfig.read(config(topic, "format: json", ""));
    List<String> many =
        IntStream.range(0, 10_000).mapToObj(i -> i == 0 ? "x,y" : "0.5,0.5").toList();
    Path csv = Files.write(folder.resolve("many.csv"), many);
    RowFields fields = RowFields.of(stream.schema(), List.of());
    CsvProducer run =
        new CsvProducer(
            new RecordFormat.Json().writer(fields, Change.INSERT),
            Optional.empty(),
            OptionalLong.of(10));
    KafkaAccess kafka = new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of());
    Progress progress = new Progress(new PrintWriter(new StringWriter()));
    try (CsvRows rows =
        CsvRows.open(csv.toString(), CsvOptions.DEFAULT, CsvRows.Reader.of(stream.schema()))) {
      CompletableFuture<CsvProducer.Sent> sending =
          CompletableFuture.supplyAsync(
              () -> {
                try (TopicSender sender = new TopicSender(kafka, topic)) {
                  return run.send(rows, sender, progress);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } finally {
                  run.end();
                }
              });
      TestTopics.read(topic, 3);
      run.close();
      CsvProducer.Sent sent = sending.get();
      assertThat(sent.stopped()).isTrue();
      assertThat(TestTopics.read(topic, (int) sent.rows())).hasSize((int) sent.rows());
    }
  }
}
