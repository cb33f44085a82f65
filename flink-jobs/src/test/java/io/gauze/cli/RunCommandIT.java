package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The verb run against a broker, as a user runs it. */
@ExtendWith(SharedCluster.class)
final class RunCommandIT {
  @TempDir private Path folder;

  @Test
  void aSecondRunOverTheSameTopicsIsRefused() throws Exception {
    String rows = TestTopics.create("rows", 2, Map.of("message.timestamp.type", "LogAppendTime"));
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":0.1,\"y\":0.2}");
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    DemoIT.Outcome first = DemoIT.run("run", "--config", config.toString());
    assertThat(first.status()).as(first.err()).isEqualTo(0);
    assertThat(first.err()).contains("Differentially private with epsilon 1.0");
    DemoIT.Outcome second = DemoIT.run("run", "--config", config.toString());
    assertThat(second.status()).isEqualTo(3);
    assertThat(second.err()).contains("nothing is left to release", "another stream name");
    Files.writeString(config, Files.readString(config).replace("name: moments", "name: again"));
    DemoIT.Outcome renamed = DemoIT.run("run", "--config", config.toString());
    assertThat(renamed.status()).isEqualTo(3);
    assertThat(renamed.err()).contains("made under other columns", "spend the budget twice");
    assertThat(TestTopics.read(rows + "-releases", 1)).hasSize(1);
  }

  @Test
  void aMissingTopicIsAConfigError() throws Exception {
    DemoIT.Outcome outcome =
        DemoIT.run("run", "--config", config("no-such-rows", "properties: {}").toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("topic no-such-rows does not exist", "kafka.create");
  }

  @Test
  void aTopicWithProducersTimesIsAConfigError() throws Exception {
    String rows = TestTopics.create("rows", 2);
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    Files.writeString(config, Files.readString(config).replace("length: all", "length: PT1H"));
    DemoIT.Outcome outcome = DemoIT.run("run", "--config", config.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("message.timestamp.type must be LogAppendTime", "CreateTime");
  }

  private Path config(String rows, String kafka) throws Exception {
    Path config = folder.resolve(rows + ".yaml");
    Files.writeString(
        config,
        String.format(
            Locale.ROOT,
            """
        stream: %s
        columns:
          - {name: x, lower: 0, upper: 1}
          - {name: y, lower: 0, upper: 1}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: all}
        sketches:
          - {name: moments, mechanism: noisy-moments}
        kafka:
          bootstrap: %s
          rows: {topic: %s, bounded: true}
          releases: {topic: %s-releases}
          ledger: {topic: %s-ledger}
          %s
        flink:
          properties: {parallelism.default: 2, execution.checkpointing.interval: 300 ms}
        """,
            rows.replaceAll("[^a-z0-9-]", "-"),
            SharedCluster.broker().bootstrapServers(),
            rows,
            rows,
            rows,
            kafka));
    return config;
  }
}
