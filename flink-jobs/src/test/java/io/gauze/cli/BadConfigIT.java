package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.config.ConfigText;
import io.gauze.testing.Effort;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Configs and topics that do not do, given to the command: check finds what run would refuse. */
@ExtendWith(SharedCluster.class)
final class BadConfigIT {
  private static final Map<String, String> ROWS = Map.of("message.timestamp.type", "LogAppendTime");
  private static final Map<String, String> LEDGER = Map.of("cleanup.policy", "compact");

  @TempDir private Path folder;

  /** Each case of the parser's tests, at a broker that would make the topics. */
  @ParameterizedTest(name = "{3}")
  @MethodSource({
    "io.gauze.config.BadStreamConfigTest#stream",
    "io.gauze.config.BadStreamConfigTest#columns",
    "io.gauze.config.BadPrivacyConfigTest#privacy",
    "io.gauze.config.BadPrivacyConfigTest#units",
    "io.gauze.config.BadStreamConfigTest#epochs",
    "io.gauze.config.BadStreamConfigTest#sketches",
    "io.gauze.config.BadKafkaConfigTest#kafka",
    "io.gauze.config.BadKafkaConfigTest#rows",
    "io.gauze.config.BadKafkaConfigTest#formats",
    "io.gauze.config.BadKafkaConfigTest#registries",
    "io.gauze.config.BadKafkaConfigTest#flink"
  })
  void aBadLineIsStatus2(String piece, String replacement, int line, String message)
      throws Exception {
    Effort.skipIfLong(message.hashCode() % 4 != 0); // other tests read all of them
    Path config = folder.resolve("bad.yaml");
    String broker = SharedCluster.broker().bootstrapServers();
    Files.writeString(
        config, ConfigText.with(piece, replacement).replace("localhost:9092", broker));
    Set<String> before = topics();

    for (String verb : List.of("check", "run")) {
      DemoIT.Outcome outcome = DemoIT.run(verb, "--config", config.toString());
      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err().lines())
          .containsExactly("gauze: " + config + ":" + line + ": " + message);
    }
    assertThat(topics()).as("topics").isEqualTo(before);
  }

  /** What a stream needs, but for one thing. */
  private record Fault(Map<String, Map<String, String>> topics, String piece, String replacement) {
    static Fault ofTopic(String purpose, Map<String, String> settings) {
      Map<String, Map<String, String>> topics = good();
      topics.put(purpose, settings);
      return new Fault(topics, "epochs", "epochs");
    }

    static Fault without(String purpose) {
      Map<String, Map<String, String>> topics = good();
      topics.remove(purpose);
      return new Fault(topics, "epochs", "epochs");
    }

    static Fault ofText(String piece, String replacement) {
      return new Fault(good(), piece, replacement);
    }

    Fault and(String otherPiece, String otherReplacement) {
      return new Fault(topics, otherPiece, otherReplacement);
    }

    private static Map<String, Map<String, String>> good() {
      return new HashMap<>(
          Map.of(
              "rows",
              ROWS,
              "releases",
              Map.of(),
              "ledger",
              LEDGER,
              "deadLetters",
              Map.of(),
              "late",
              Map.of()));
    }
  }

  static Stream<Arguments> faults() {
    Map<String, String> two = Map.of("min.insync.replicas", "2");
    String acknowledged = "min.insync.replicas must be at most 1|Provided value: 2|Lower it";
    String bigger = "must be at least|Raise it";
    return Stream.of(
        arguments(
            "12: kafka.rows.topic: topic ",
            Fault.without("rows"),
            "-rows does not exist|create it, let kafka.create"),
        arguments(
            "13: kafka.releases.topic: topic ",
            Fault.without("releases"),
            "-releases does not exist|create it"),
        arguments(
            "14: kafka.ledger.topic: topic ",
            Fault.without("ledger"),
            "-ledger does not exist|create it"),
        arguments(
            "16: kafka.late.topic: topic ",
            Fault.without("late"),
            "-late does not exist|create it"),
        arguments(
            "12: kafka.rows.topic: topic ",
            Fault.ofTopic("rows", Map.of()),
            "message.timestamp.type must be LogAppendTime|Provided value: CreateTime|name another"
                + " topic"),
        arguments(
            "12: kafka.rows.topic: topic ",
            Fault.ofTopic(
                "rows",
                Map.of("message.timestamp.type", "LogAppendTime", "cleanup.policy", "compact")),
            "cleanup.policy must be delete|Provided value: compact|name another topic"),
        arguments(
            "12: kafka.rows.topic: topic ",
            Fault.ofTopic("rows", Map.of("message.timestamp.after.max.ms", "86400001"))
                .and("{length: PT1H", "{timestamps: producer, length: PT1H"),
            "message.timestamp.after.max.ms must be at most 86400000|Provided value: 86400001|Lower"
                + " it"),
        arguments(
            "13: kafka.releases.topic: topic ",
            Fault.ofTopic("releases", Map.of("max.message.bytes", "60000")),
            "max.message.bytes|Provided value: 60000|make the sketch smaller|" + bigger),
        arguments("13: kafka.releases.topic: topic ", Fault.ofTopic("releases", two), acknowledged),
        arguments(
            "14: kafka.ledger.topic: topic ",
            Fault.ofTopic("ledger", Map.of()),
            "cleanup.policy must be compact|never forget|Provided value: delete|name another"
                + " topic"),
        arguments(
            "14: kafka.ledger.topic: topic ",
            Fault.ofTopic("ledger", Map.of("cleanup.policy", "compact,delete")),
            "cleanup.policy must be compact|Provided value: compact,delete"),
        arguments(
            "14: kafka.ledger.topic: topic ",
            Fault.ofTopic("ledger", Map.of("cleanup.policy", "compact", "max.message.bytes", "9")),
            "max.message.bytes|Provided value: 9|" + bigger),
        arguments(
            "14: kafka.ledger.topic: topic ",
            Fault.ofTopic(
                "ledger", Map.of("cleanup.policy", "compact", "min.insync.replicas", "2")),
            acknowledged),
        arguments(
            "15: kafka.deadLetters.topic: topic ",
            Fault.ofTopic("deadLetters", Map.of("cleanup.policy", "compact")),
            "-deadLetters: cleanup.policy must be delete|Provided value: compact"),
        arguments(
            "15: kafka.deadLetters.topic: topic ",
            Fault.ofTopic("deadLetters", Map.of("max.message.bytes", "100000")),
            "-deadLetters: max.message.bytes|Provided value: 100000|" + bigger),
        arguments("16: kafka.late.topic: topic ", Fault.ofTopic("late", two), acknowledged),
        arguments(
            "16: kafka.late.topic: topic ",
            Fault.ofTopic("late", Map.of("cleanup.policy", "compact")),
            "-late: cleanup.policy must be delete|Provided value: compact"),
        arguments(
            "16: kafka.late.topic: could not create topic ",
            Fault.without("late").and("# create", "create: {partitions: 1, replicas: 3}"),
            "could not create topic|-late|replicas 3, partitions 1; change it"),
        arguments(
            "19: kafka.properties do not",
            Fault.ofText("# properties", "properties: {ssl.key.password: '${env:GAUZE_NO_SUCH}'}"),
            "environment variable GAUZE_NO_SUCH, which is not set|set it for every process"),
        arguments(
            "19: kafka.properties do not",
            Fault.ofText(
                "# properties", "properties: {ssl.key.password: '${file:/no/such/secret}'}"),
            "refers to the file /no/such/secret, which cannot be read|put it on every machine"),
        arguments(
            "19: kafka.properties do not",
            Fault.ofText("# properties", "properties: {security.protocol: SASL}"),
            "kafka.properties do not make a client|security.protocol|SASL"),
        arguments(
            "19: kafka.properties do not",
            Fault.ofText("# properties", "properties: {request.timeout.ms: soon}"),
            "kafka.properties do not make a client|request.timeout.ms|soon"),
        arguments(
            "19: kafka.properties do not",
            Fault.ofText(
                "# properties",
                "properties: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN}"),
            "kafka.properties do not make a client|JAAS"),
        ofClients("compression.type: snapy", "compression.type|snapy"),
        ofClients("delivery.timeout.ms: 20000", "delivery.timeout.ms|request.timeout.ms"),
        ofClients("max.in.flight.requests.per.connection: 6", "max.in.flight|at most 5"),
        ofClients("transaction.two.phase.commit.enable: true", "transaction.two.phase.commit"),
        ofClients("max.request.size: 100000", "100000|max.request.size: must be in [1048576,"),
        ofClients("buffer.memory: 1000", "1000|buffer.memory: must be in [1048576,"),
        ofClients("batch.size: 33554433", "33554433|batch.size: must be in [0, 33554432]"),
        ofClients("max.block.ms: 0", "max.block.ms: must be in [1000,"),
        ofClients("max.poll.records: 0", "max.poll.records|Value must be at least 1"),
        ofClients("session.timeout.ms: 1000", "Heartbeat must be set lower than the session"),
        arguments(
            "22: flink.properties.execution.checkpointing.timeout: ",
            Fault.ofText("300 ms}", "300 ms, execution.checkpointing.timeout: often}"),
            "often|execution.checkpointing.timeout"),
        arguments(
            "6: GZ-FARFROM: epochs.from is",
            Fault.ofText("{length: PT1H", "{from: 2020-01-01T00:00:00Z, length: PT1H"),
            "which leaves more than 1000 past epochs|2020-01-01T00:00:00Z|Choose a later time"));
  }

  /** What Kafka's admin client takes, and its consumer or producer does not. */
  private static Arguments ofClients(String property, String words) {
    return arguments(
        "19: kafka.properties do not",
        Fault.ofText("# properties", "properties: {" + property + "}"),
        "kafka.properties do not make a client|Correct the property|" + words);
  }

  /** The default build has every fourth. */
  static Stream<Arguments> someFaults() {
    List<Arguments> all = faults().toList();
    int step = Effort.of(4, 1);
    return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get);
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("someFaults")
  void aBadTopicIsStatus2ForCheckAndRun(String place, Fault fault, String words) throws Exception {
    Path config = config(fault);
    Set<String> before = topics();

    for (String verb : List.of("check", "run")) {
      DemoIT.Outcome outcome = DemoIT.run(verb, "--config", config.toString());
      assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
      assertThat(outcome.err()).contains(words.split("\\|")).doesNotContain("GAUZE_DEBUG");
      assertThat(outcome.err().lines().filter(line -> line.contains(config + ":")))
          .first()
          .asString()
          .startsWith("gauze: " + config + ":" + place);
    }
    assertThat(topics()).as("topics").isEqualTo(before);
    String name = config.getFileName().toString().replace(".yaml", "");
    for (String purpose : List.of("releases", "ledger", "deadLetters", "late")) {
      if (before.contains(name + "-" + purpose)) {
        assertThat(written(name + "-" + purpose)).as(purpose).isZero();
      }
    }
  }

  @Test
  void allFaultsOfTopicsAreToldAtOnce() throws Exception {
    Map<String, Map<String, String>> topics =
        Map.of("rows", Map.of(), "ledger", Map.of(), "releases", Map.of());
    Path config = config(new Fault(topics, "# solver", "answers: {topic: NAME-ledger2}"));
    for (String verb : List.of("check", "run")) {
      DemoIT.Outcome outcome = DemoIT.run(verb, "--config", config.toString());
      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err())
          .containsPattern(line(config, 12, "rows", "-rows: message.timestamp.type must be Log"))
          .containsPattern(line(config, 14, "ledger", "-ledger: cleanup.policy must be compact"))
          .containsPattern(line(config, 15, "deadLetters", "-deadLetters does not exist"))
          .containsPattern(line(config, 16, "late", "-late does not exist"));
    }
  }

  private static Pattern line(Path config, int line, String purpose, String problem) {
    String place = config + ":" + line + ": kafka." + purpose + ".topic: topic ";
    return Pattern.compile(
        "^(gauze: )?" + Pattern.quote(place) + "[^ ]*" + problem, Pattern.MULTILINE);
  }

  @Test
  void onlyCheckLooksAtTheSolversTopics() throws Exception {
    String small = TestTopics.create("answers", 1, Map.of("max.message.bytes", "10000"));
    Fault forgetful = Fault.ofTopic("releases", Map.of("retention.ms", "3600000"));
    Path config = config(forgetful.and("# solver", "answers: {topic: " + small + "}"));
    DemoIT.Outcome refused = DemoIT.run("check", "--config", config.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .contains(
            config + ":18: kafka.answers.topic: topic " + small + ": max.message.bytes must be")
        .contains("Provided value: 10000", "Raise it");
    assertThat(refused.out()).as("what the file means").containsPattern("topics +not checked");
    Files.writeString(config, Files.readString(config).replace(small, small + "-missing"));
    DemoIT.Outcome missing = DemoIT.run("check", "--config", config.toString());
    assertThat(missing.status()).as(missing.err()).isZero();
    assertThat(missing.out()).containsPattern("topics +those that the job needs exist");
    assertThat(missing.err())
        .containsOnlyOnce(
            "warning: GZ-NOREQUESTS: Topics that only gauze solver needs are missing: ")
        .contains("retention.ms is 3600000, so releases are lost");
  }

  @Test
  void whatWouldBeCreatedIsSaidAndNotCreated() throws Exception {
    Path config = config(new Fault(Map.of(), "# create", "create: {partitions: 2, replicas: 1}"));
    Set<String> before = topics();
    DemoIT.Outcome outcome = DemoIT.run("check", "--config", config.toString(), "--format", "json");
    assertThat(outcome.status()).as(outcome.err()).isZero();
    JsonNode json = JsonMapper.builder().build().readTree(outcome.out());
    assertThat(json.path("topicsChecked").asBoolean()).isTrue();
    assertThat(json.path("topicsToCreate").valueStream().map(JsonNode::asText))
        .allMatch(name -> !before.contains(name))
        .hasSize(7);
    assertThat(topics()).isEqualTo(before);
  }

  @Test
  void aBrokerThatIsNotThereIsNamed() throws Exception {
    Path config =
        config(
            Fault.ofText(
                "# properties",
                "properties: {default.api.timeout.ms: 300, request.timeout.ms: 200}"));
    String broker = SharedCluster.broker().bootstrapServers();
    Files.writeString(config, Files.readString(config).replace(broker, "localhost:1"));
    DemoIT.Outcome outcome = DemoIT.run("check", "--config", config.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).contains("noisy-moments").containsPattern("topics +not checked");
    assertThat(outcome.err())
        .contains(config + ":11: kafka.bootstrap: could not reach Kafka at localhost:1: no broker")
        .contains("With --offline only the file is checked");
    DemoIT.Outcome offline = DemoIT.run("check", "--offline", "--config", config.toString());
    assertThat(offline.status()).as(offline.err()).isZero();
    assertThat(offline.out()).contains("noisy-moments");
  }

  private static Set<String> topics() throws Exception {
    try (Admin admin = TestTopics.admin()) {
      return admin.listTopics().names().get();
    }
  }

  private static long written(String topic) throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = TestTopics.admin()) {
      ListOffsetsResultInfo end =
          admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .partitionResult(partition)
              .get();
      return end.offset();
    }
  }

  /** A config with topics of its own; a job that read the rows would make a dead letter. */
  private Path config(Fault fault) throws IOException {
    String name = TestTopics.create("bad", 1);
    for (Map.Entry<String, Map<String, String>> topic : fault.topics().entrySet()) {
      TestTopics.make(name + "-" + topic.getKey(), 1, topic.getValue());
    }
    if (fault.topics().containsKey("rows")
        && !fault.topics().get("rows").containsValue("compact")) {
      TestTopics.send(name + "-rows", 0, "{\"x\":\"no number\"}");
    }
    String text =
        """
        stream: NAME
        columns:
          - {name: x, lower: 0, upper: 1}
          - {name: y, lower: 0, upper: 1}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT1H}
        missing: reject
        sketches:
          - {name: moments, mechanism: noisy-moments}
        kafka:
          bootstrap: BROKER
          rows: {topic: NAME-rows}
          releases: {topic: NAME-releases}
          ledger: {topic: NAME-ledger}
          deadLetters: {topic: NAME-deadLetters}
          late: {topic: NAME-late}
          requests: {topic: NAME-requests}
          # solver
          # properties
          # create
        flink:
          properties: {parallelism.default: 1, execution.checkpointing.interval: 300 ms}
        """;
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        text.replace(fault.piece(), fault.replacement())
            .replace("NAME", name)
            .replace("BROKER", SharedCluster.broker().bootstrapServers()));
  }
}
