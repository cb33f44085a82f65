package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A run in this process is stopped and goes on. */
@ExtendWith(SharedCluster.class)
final class StopCommandIT {
  @TempDir private Path folder;
  private final String home = System.getProperty("user.home");

  @BeforeEach
  void ownHome() {
    System.setProperty("user.home", folder.toString());
  }

  @AfterEach
  void usualHome() {
    System.setProperty("user.home", home);
  }

  @Test
  void aStoppedRunGoesOn() throws Exception {
    String rows = TestTopics.create("stop", 2, Map.of("message.timestamp.type", "LogAppendTime"));
    Path config = config(rows, rows + "-ledger");
    assertThat(DemoIT.run("stop", "--config", config.toString()).err())
        .contains("no gauze run of stream " + rows + " is on this machine", "rest.address");

    CompletableFuture<DemoIT.Outcome> first = run(config);
    awaitRun(); // which has made its topics by then
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}");
    TestTopics.read(rows + "-releases", 1);
    assertThat(DemoIT.run("stop", "--config", config.toString()).err())
        .contains("give --savepoints DIR");
    String savepoint = stop(config);
    assertThat(first.get().status()).as(first.get().err()).isZero();

    int before = TestTopics.read(rows + "-releases", 1).size();
    CompletableFuture<DemoIT.Outcome> second = run(config, "--restore", savepoint);
    TestTopics.read(rows + "-releases", before + 1);
    stop(config);
    assertThat(second.get().status()).as(second.get().err()).isZero();
    List<String> ids =
        TestTopics.read(rows + "-releases", before + 1).stream()
            .map(release -> new String(release.key(), UTF_8))
            .toList();
    assertThat(ids).doesNotHaveDuplicates();

    Path other = config(rows, rows + "-another-ledger");
    DemoIT.Outcome refused =
        DemoIT.run("run", "--config", other.toString(), "--restore", savepoint);
    assertThat(refused.status()).as(refused.err()).isEqualTo(3);
    assertThat(refused.err()).contains("the restored state of stream " + rows + " was made under");
  }

  private static CompletableFuture<DemoIT.Outcome> run(Path config, String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "run";
    arguments[1] = "--config";
    arguments[2] = config.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return CompletableFuture.supplyAsync(() -> DemoIT.run(arguments));
  }

  /** Until the run says where it is. */
  private void awaitRun() {
    ProcessCluster.await("the run", () -> !files(running()).isEmpty());
  }

  private Path running() {
    return folder.resolve(".gauze").resolve("running");
  }

  private String stop(Path config) {
    awaitRun();
    DemoIT.Outcome outcome =
        DemoIT.run(
            "stop", "--config", config.toString(), "--savepoints", folder.resolve("s").toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.err()).contains("--restore " + outcome.out().strip());
    ProcessCluster.await("the end of the run", () -> files(running()).isEmpty());
    return outcome.out().strip();
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".rest")).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private Path config(String rows, String ledger) throws Exception {
    return Files.writeString(
        folder.resolve(ledger + ".yaml"),
        String.format(
            Locale.ROOT,
            """
        stream: %s
        columns:
          - {name: x, lower: 0, upper: 1}
          - {name: y, lower: 0, upper: 1}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT1S, grace: PT0.5S}
        sketches:
          - {name: moments, mechanism: noisy-moments}
        kafka:
          bootstrap: %s
          rows: {topic: %s}
          releases: {topic: %s-releases}
          ledger: {topic: %s}
          create: {partitions: 2, replicas: 1}
        flink:
          properties: {parallelism.default: 2, execution.checkpointing.interval: 300 ms}
        """,
            rows,
            SharedCluster.broker().bootstrapServers(),
            rows,
            rows,
            ledger));
  }
}
