package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.DeadLetterSchema;
import io.gauze.kafka.LetterTopic;
import io.gauze.kafka.RowRecord;
import io.gauze.summary.LetterReport;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the topics of dead letters and of late rows hold, as a user sees it. */
@ExtendWith(SharedCluster.class)
final class DeadLettersIT {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private Path folder;

  private Path config(String topic) throws IOException {
    return Files.writeString(
        folder.resolve(topic + ".yaml"),
        RowsFile.config(
            topic, "- {name: moments, mechanism: noisy-moments}", RowsFile.bounded(topic, 3)));
  }

  private static DemoIT.Outcome letters(int status, Path config, String... options) {
    String[] words = new String[3 + options.length];
    List.of("dead-letters", "--config", config.toString()).toArray(words);
    System.arraycopy(options, 0, words, 3, options.length);
    DemoIT.Outcome outcome = DemoIT.run(words);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  /** Where a text breaks off is no reason of its own. */
  @Test
  void lettersOfAJobAreCountedByReason() throws Exception {
    String rows = TestTopics.createRows("letters", 2);
    TestTopics.send(rows, 0, "{\"x1\":", "{\"x1\":0.5,\"x2\":", "{\"x1\":0.5}");
    TestTopics.send(rows, 1, RowsFile.json(1, 7));
    Path config = config(rows);
    DemoIT.Outcome run = DemoIT.run("run", "--config", config.toString());
    assertThat(run.status()).as(run.err()).isZero();

    DemoIT.Outcome table = letters(0, config);
    assertThat(table.out().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .hasSize(4)
        .startsWith("records|reason")
        .anyMatch(
            line -> line.startsWith("2|not JSON (RFC 8259, UTF-8), at byte N: it ends too early; "))
        .anyMatch(line -> line.startsWith("1|column x2: field x2 is missing; "))
        .endsWith("3 records in all");
    assertThat(table.out()).doesNotContain("0.5");

    JsonNode json = JSON.readTree(letters(0, config, "--show", "9", "--format", "json").out());
    assertThat(json.path("topic").asText()).isEqualTo(rows + "-dead");
    assertThat(json.path("records").asInt()).isEqualTo(3);
    assertThat(json.at("/reasons/0/records").asInt()).isEqualTo(2);
    assertThat(json.path("newest").findValuesAsText("value"))
        .containsExactlyInAnyOrder("{\"x1\":", "{\"x1\":0.5,\"x2\":", "{\"x1\":0.5}");
    assertThat(json.path("newest").findValuesAsText("offset"))
        .containsExactlyInAnyOrder("0", "1", "2");
    assertThat(letters(0, config, "--late").out()).contains(rows + "-late holds no record");
  }

  /** Whoever sends rows has no say in the operator's terminal. */
  @Test
  void theNewestLateRowsAreShownAsTheyAre() throws Exception {
    String name = "late-" + System.nanoTime();
    String topic = TestTopics.make(name + "-late", 1, Map.of());
    byte[] commands = "{\"x1\":\"\u001b[2J\"}".getBytes(UTF_8);
    byte[] binary = {(byte) 0xc3, 0x28};
    byte[] large = "y".repeat(DeadLetterSchema.MAX_BYTES + 9).getBytes(UTF_8);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      long time = 2000;
      for (byte[] value : List.of("oldest".getBytes(UTF_8), commands, binary, large)) {
        producer.send(letter(topic, "too late", value, time++)).get();
      }
      producer.send(new ProducerRecord<>(topic, 0, 500L, null, "foreign".getBytes(UTF_8))).get();
    }
    Path config = config(name);
    String shown = letters(0, config, "--late", "--show", "3").out();
    assertThat(shown)
        .contains("4        too late", "1        no reason in the record's headers")
        .contains("the first 65536 of 65545 bytes", "{\"x1\":\"\\u001b[2J\"}", "base64 wyg=")
        .doesNotContain("\u001b", "oldest", "foreign");
    JsonNode json =
        JSON.readTree(letters(0, config, "--late", "--show", "1000", "--format", "json").out());
    assertThat(json.path("newest")).hasSize(5);
    assertThat(json.at("/newest/0/length").asInt()).isEqualTo(DeadLetterSchema.MAX_BYTES + 9);
    assertThat(json.at("/newest/0/key").isNull()).isTrue();
    assertThat(json.at("/newest/1/valueBase64").asText()).isEqualTo("wyg=");
    assertThat(json.at("/newest/4/partition").asInt()).isEqualTo(-1);
    assertThat(letters(0, config, "--late").out()).doesNotContain("value");
  }

  private static ProducerRecord<byte[], byte[]> letter(
      String topic, String reason, byte[] value, long time) {
    RowRecord row = new RowRecord(0, 0, time, true, Optional.empty(), Optional.of(value));
    ProducerRecord<byte[], byte[]> record =
        new DeadLetterSchema(topic).serialize(new DeadLetter(reason, row), null, time);
    return new ProducerRecord<>(topic, 0, time, null, record.value(), record.headers());
  }

  @Test
  void whatCannotBeReadIsSaid() throws Exception {
    Path config = config("no-such-letters");
    assertThat(letters(2, config).err())
        .contains(
            config + ":18: kafka.deadLetters.topic: topic no-such-letters-dead does not exist",
            "so no row went there");
    assertThat(letters(2, config, "--late").err()).contains("kafka.late.topic: topic no-such-");
    for (String wrong : List.of("-1", "1001")) {
      assertThat(letters(2, config, "--show", wrong).err())
          .contains("--show must be in [0, 1000]. Provided value: " + wrong);
    }
  }

  @Test
  void noTextCommandsTheTerminal() throws Exception {
    LetterReport report = new LetterReport("letters", 1);
    String text = "a\u009b31m\u202e\udb40\udc01\u001b[0m\u007f\u00e9";
    report.add(
        new LetterTopic.Letter(
            new ConsumerRecord<>("letters", 0, 0, new byte[0], text.getBytes(UTF_8))));
    assertThat(report.table()).contains("1 record in all");
    for (String shown : List.of(report.json(), report.table())) {
      assertThat(shown.codePoints().filter(each -> each != '\n' && each != '\r'))
          .extracting(Character::getType)
          .doesNotContain((int) Character.CONTROL, (int) Character.FORMAT);
      assertThat(shown).contains("\u00e9");
    }
    assertThat(JSON.readTree(report.json()).at("/newest/0/value").asText()).isEqualTo(text);
  }

  /** A topic that anybody can write to may hold any number of texts. */
  @Test
  void memoryDoesNotGrowWithTheTopic() throws Exception {
    LetterReport report = new LetterReport("letters", 2);
    for (int i = 0; i < 5000; i++) {
      ConsumerRecord<byte[], byte[]> record =
          new ConsumerRecord<>("letters", 0, i, null, new byte[0]);
      record.headers().add("reason", ("reason " + i).getBytes(UTF_8));
      report.add(new LetterTopic.Letter(record));
    }
    JsonNode json = JSON.readTree(report.json());
    assertThat(json.path("records").asInt()).isEqualTo(5000);
    assertThat(json.path("reasons")).hasSize(1001);
    assertThat(json.at("/reasons/0/reason").asText()).isEqualTo("other reasons");
    assertThat(json.at("/reasons/0/records").asInt()).isEqualTo(4000);
    assertThat(json.path("newest")).hasSize(2);
  }
}
