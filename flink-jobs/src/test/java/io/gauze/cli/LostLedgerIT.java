package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A ledger topic that is deleted, as a user meets it: with a sketch and a model in each epoch. */
@ExtendWith(SharedCluster.class)
final class LostLedgerIT {
  @TempDir private Path folder;

  private final String rows = TestTopics.createRows("lost", 1);

  @Test
  void nothingIsReleasedASecondTime() throws Exception {
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":0.1,\"y\":0.2}");
    Path config = config();
    run(0, "run", config);
    List<String> before = table(config);
    try (Admin admin = TestTopics.admin()) {
      admin.deleteTopics(List.of(rows + "-ledger")).all().get();
      long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
      while (admin.listTopics().names().get().contains(rows + "-ledger")) {
        assertThat(System.nanoTime() - deadline).isNegative();
      }
    }
    for (String verb : List.of("check", "run")) {
      assertThat(run(3, verb, config).err())
          .contains(
              "GZ-LEDGER: The ledger (topic ",
              "It lacks 2 of them, such as " + rows + "/all/all/",
              "Enter them with gauze ledger --rebuild");
    }
    assertThat(run(2, "ledger", config).err()).contains("does not exist");
    DemoIT.Outcome rebuilt =
        DemoIT.run("ledger", "--config", config.toString(), "--rebuild", "--format", "table");
    assertThat(rebuilt.status()).as(rebuilt.err()).isEqualTo(0);
    assertThat(rebuilt.err())
        .contains("entered from topic " + rows + "-releases: 2 releases of stream " + rows);
    assertThat(rebuilt.out().lines()).containsExactlyElementsOf(before);
    assertThat(run(3, "run", config).err()).contains("GZ-NOTHINGLEFT");
    assertThat(TestTopics.read(rows + "-releases", 2)).hasSize(2);
  }

  private static DemoIT.Outcome run(int status, String verb, Path config) {
    DemoIT.Outcome outcome = DemoIT.run(verb, "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  private static List<String> table(Path config) {
    return run(0, "ledger", config).out().lines().toList();
  }

  private Path config() throws Exception {
    Path config = folder.resolve("lost.yaml");
    Files.writeString(
        config,
        String.format(
            Locale.ROOT,
            """
            stream: %1$s
            columns:
              - {name: x, lower: 0, upper: 1}
              - {name: y, lower: 0, upper: 1}
            response: y
            privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
            epochs: {length: all}
            expectedRows: 1000
            sketches:
              - {name: moments, mechanism: noisy-moments}
            models:
              - {name: y, mechanism: huber, response: y}
            kafka:
              bootstrap: %2$s
              rows: {topic: %1$s, bounded: true}
              releases: {topic: %1$s-releases}
              ledger: {topic: %1$s-ledger}
              create: {partitions: 1, replicas: 1}
            flink:
              properties: {parallelism.default: 1, execution.checkpointing.interval: 300 ms}
            """,
            rows,
            SharedCluster.broker().bootstrapServers()));
    return config;
  }
}
