package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestJava;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The verb run against a broker, as a user runs it. */
@ExtendWith(SharedCluster.class)
final class RunCommandIT {
  @TempDir private Path folder;

  @Test
  void aSecondRunOverTheSameTopicsIsRefused() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":0.1,\"y\":0.2}");
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    DemoIT.Outcome first = DemoIT.run("run", "--config", config.toString());
    assertThat(first.status()).as(first.err()).isEqualTo(0);
    assertThat(first.err()).contains("Differentially private with epsilon 1.0");
    DemoIT.Outcome second = DemoIT.run("run", "--config", config.toString());
    assertThat(second.status()).isEqualTo(3);
    assertThat(second.err())
        .contains("GZ-NOTHINGLEFT: Nothing is left to release", "another stream name");
    Files.writeString(config, Files.readString(config).replace("name: moments", "name: again"));
    DemoIT.Outcome renamed = DemoIT.run("run", "--config", config.toString());
    assertThat(renamed.status()).isEqualTo(3);
    assertThat(renamed.err()).contains("GZ-CONFIG", "made under other columns");
    assertThat(renamed.err())
        .contains("these differ: sketches or models (none is called moments now).");
    Files.writeString(config, Files.readString(config).replace("epsilon: 1,", "epsilon: 0.5,"));
    assertThat(DemoIT.run("run", "--config", config.toString()).err())
        .contains("these differ: privacy.epsilon (1.0, now 0.5), sketches or models");
    assertThat(TestTopics.read(rows + "-releases", 1)).hasSize(1);
  }

  @Test
  void aBoundedRunWithinItsFirstEpochIsRefused() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    Files.writeString(config, Files.readString(config).replace("length: all", "length: PT24H"));
    assertThat(run(1, config).err())
        .contains("GZ-NOEPOCH: No epoch of stream " + rows + " is over yet");
  }

  /** All tasks have ended by then, and Flink has forgotten their metrics. */
  @Test
  void aBoundedRunSaysAtItsEndWhatCameOfItsRows() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":7,\"y\":-3}", "{\"x\":0.5}");
    TestTopics.send(rows, 1, "{\"x\":-1,\"y\":0}");
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    assertThat(run(0, config).err())
        .containsPattern(
            "Z rows 3, late 0, dead 1, clamped 3, clipped 2, dropped 0, last release \\d+ s ago,"
                + " lag 0\\R");
  }

  /** What a run charged and did not send is in its checkpoint; here there is none. */
  @Test
  void aRestoredRunMayStillHaveSomethingToSend() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}");
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    run(0, config);
    assertThat(run(3, config).err()).contains("GZ-NOTHINGLEFT");
    String path = folder.resolve("no-checkpoint").toUri().toString();
    String restored =
        Files.readString(config)
            .replace(
                "properties: {par",
                "properties: {execution.state-recovery.path: '" + path + "', par");
    Files.writeString(config, restored);
    assertThat(run(2, config).err())
        .contains("must be the folder of a savepoint or checkpoint", "no-checkpoint")
        .doesNotContain("GZ-NOTHINGLEFT");
  }

  @Test
  void aSecondStreamOverTheSameRowsIsRefused() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":0.1,\"y\":0.2}");
    Path first = config(rows, "create: {partitions: 2, replicas: 1}");
    Path second = folder.resolve("second.yaml");
    Files.writeString(second, Files.readString(first).replace("stream: ", "stream: second-"));
    run(0, first);
    String refusal = run(3, second).err();
    assertThat(refusal)
        .contains(
            "GZ-PROMISED: The privacy account of topic " + rows,
            "releases promised at most 1.",
            "read the releases that exist",
            "Spent: epsilon 1 (stream ",
            "asked: 1 (stream second-");
    assertThat(TestTopics.read(rows + "-releases", 1))
        .extracting(release -> new String(release.key(), UTF_8))
        .containsExactly(rows + "/all/all/moments");
  }

  @Test
  void aTotalBudgetThatCoversBothStreamsIsKept() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":0.1,\"y\":0.2}");
    Path first = config(rows, "create: {partitions: 2, replicas: 1}");
    String lasting =
        Files.readString(first)
            .replace("epsilon: 1,", "epsilon: 1, totalBudget: {epsilon: 1.6, delta: 1.0e-6},");
    Files.writeString(first, lasting);
    DemoIT.Outcome missing = DemoIT.run("ledger", "--config", first.toString());
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err())
        .contains("topic " + rows + "-ledger does not exist", "gauze run makes it");
    run(0, first);
    Path second = folder.resolve("second.yaml");
    Files.writeString(second, lasting.replace("stream: ", "stream: second-"));
    run(0, second);
    Path third = folder.resolve("third.yaml");
    Files.writeString(third, lasting.replace("stream: ", "stream: third-"));
    assertThat(run(3, third).err())
        .contains("stream second-" + rows, "releases promised at most 1.6.");

    DemoIT.Outcome table = DemoIT.run("ledger", "--config", third.toString());
    assertThat(table.status()).as(table.err()).isEqualTo(0);
    assertThat(table.out().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .containsExactly(
            "account|unit|neighbours|spent epsilon|limit|left|at delta",
            rows + "|row|replace-one|1.45468|1.6|0.59727|1.0E-6",
            "Each row's loss is at most the limit. Later epochs of these streams spend no more;"
                + " left is for other streams.",
            "",
            "stream|group|account|unit|epochs|spent|published|epsilon|at delta",
            rows + "|all|" + rows + "|row|1|1|1|1|1.0E-6",
            "second-" + rows + "|all|" + rows + "|row|1|1|1|1|1.0E-6");
    JsonNode json =
        JsonMapper.builder()
            .build()
            .readTree(DemoIT.run("ledger", "--config", third.toString(), "--format", "json").out());
    JsonNode account = json.at("/accounts/0");
    assertThat(json.at("/ledger").asText()).isEqualTo(rows + "-ledger");
    assertThat(json.at("/accounts")).hasSize(1);
    assertThat(account.path("account").asText()).isEqualTo(rows);
    assertThat(account.path("private").asBoolean()).isTrue();
    assertThat(account.at("/spent/epsilon").asDouble()).isCloseTo(1.45467108, within(1e-6));
    assertThat(account.at("/limit/epsilon").asDouble()).isEqualTo(1.6);
    assertThat(account.at("/left/delta").asDouble()).isEqualTo(1e-6);
    assertThat(account.at("/streams/1/stream").asText()).isEqualTo("second-" + rows);
    assertThat(account.at("/streams/1/releasesPublished").asInt()).isEqualTo(1);
  }

  @Test
  void anEmptyLedgerSaysSo() throws Exception {
    String rows = TestTopics.create("rows", 1);
    Path config = config(rows, "properties: {}");
    try (Admin admin = TestTopics.admin()) {
      NewTopic ledger = new NewTopic(rows + "-ledger", 1, (short) 1);
      TestTopics.make(admin, ledger.configs(Map.of("cleanup.policy", "compact")));
    }
    DemoIT.Outcome outcome = DemoIT.run("ledger", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(0);
    assertThat(outcome.out()).contains("nothing spent yet").containsPattern(rows + " .* 0 +1 +1 ");
  }

  /**
   * Three releases are charged once, are never added up, and nothing goes on without their state.
   */
  @Test
  void aCumulativeSeriesIsMadeOnce() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    String series =
        Files.readString(config)
            .replace(
                "epochs: {length: all}",
                "epochs: {length: P1D, from: 2026-01-01T00:00:00Z}\ncumulative: 3")
            .replace("replace-one}", "replace-one, totalBudget: {epsilon: 1, delta: 1.0e-6}}");
    Files.writeString(config, series.replace("cumulative: 3", "cumulative: 4000"));
    assertThat(run(2, config).err())
        .contains("all cumulative releases must be due when a bounded job starts");
    DemoIT.Outcome checked = DemoIT.run("check", "--config", config.toString());
    assertThat(checked.status()).as(checked.err()).isEqualTo(2);
    assertThat(checked.err()).contains("all cumulative releases must be due");
    Files.writeString(config, series);
    run(0, config);
    String refusal = run(3, config).err();
    assertThat(refusal).contains("has all 3 releases of these rows", "another stream name");
    assertThat(DemoIT.run("ledger", "--config", config.toString()).out())
        .containsPattern("row +replace-one +1 +1 +0 ")
        .containsPattern("row +3 +3 +3 +1 ");
    String id = rows + "/all/2026-01-0%dT00:00:00Z/moments";
    String range = String.format(Locale.ROOT, id + ".." + id, 1, 3);
    DemoIT.Outcome merged =
        DemoIT.run("fit", "--config", config.toString(), "--id", range, "--response", "y");
    assertThat(merged.status()).as(merged.toString()).isNotZero();
    assertThat(merged.err())
        .contains("cumulative releases hold the rows of all epochs before and cannot be merged");
  }

  /** Its releases wait for a checkpoint, which does not come. */
  @Thorough
  @Test
  void aBoundedRunThatASignalEndsIsNotDone() throws Exception {
    String rows = TestTopics.create("rows", 2, Map.of("message.timestamp.type", "LogAppendTime"));
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}");
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    Files.writeString(
        config, Files.readString(config).replace("interval: 300 ms", "interval: 1 d"));
    Path notes = folder.resolve(".gauze").resolve("running");
    Path said = folder.resolve("said");
    Process run =
        new ProcessBuilder(
                TestJava.gauze(
                    List.of("-Duser.home=" + folder), "run", "--config", config.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(said.toFile())
            .start();
    try {
      ProcessCluster.await("the run", () -> !run.isAlive() || Files.isDirectory(notes));
      run.destroy(); // SIGTERM
      assertThat(run.waitFor(60, SECONDS)).isTrue();
      assertThat(run.exitValue()).as(Files.readString(said)).isEqualTo(128 + 15);
    } finally {
      run.destroyForcibly();
    }
    assertThat(said).content().contains("gauze: not finished: ended by a signal before the end");
    assertThat(notes).isEmptyDirectory();
  }

  private static DemoIT.Outcome run(int status, Path config) {
    DemoIT.Outcome outcome = DemoIT.run("run", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  /** The job's parallelism is then that of the machine, and so must the slots be. */
  @Thorough
  @Test
  void aConfigWithoutParallelismRuns() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}");
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    Files.writeString(config, Files.readString(config).replace("parallelism.default: 2, ", ""));
    run(0, config);
    assertThat(TestTopics.read(rows + "-releases", 1)).hasSize(1);
  }

  @Test
  void aHostThatNobodyKnowsIsNamed() throws Exception {
    Path config = config("rows", "create: {partitions: 2, replicas: 1}");
    String broker = SharedCluster.broker().bootstrapServers();
    Files.writeString(config, Files.readString(config).replace(broker, "no-such-host.invalid:1"));
    DemoIT.Outcome outcome = DemoIT.run("ledger", "--config", config.toString());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("could not reach Kafka at no-such-host.invalid:1: ")
        .doesNotContain("GAUZE_DEBUG");
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

  /** At the start, not when the first epoch is sealed; a small sketch fits a small topic. */
  @Test
  void aTopicThatCannotTakeTheLargestReleaseIsAConfigError() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}");
    try (Admin admin = TestTopics.admin()) {
      NewTopic small = new NewTopic(rows + "-releases", 1, (short) 1);
      small.configs(Map.of("max.message.bytes", "100000", "retention.ms", "-1"));
      TestTopics.make(admin, small);
    }
    Path config = config(rows, "create: {partitions: 2, replicas: 1}");
    String moments = Files.readString(config);
    // at most 10 bytes for each of 3 columns of 4096 buckets
    Files.writeString(
        config,
        moments.replace("mechanism: noisy-moments", "mechanism: count-sketch, buckets: 4096"));
    String refusal = run(2, config).err();
    assertThat(refusal)
        .containsPattern(
            "topic "
                + rows
                + "-releases: max.message.bytes must be at least 19[0-9]{4}, the size of the"
                + " largest release. Provided value: 100000. Raise it, or make the sketch"
                + " smaller.");
    Files.writeString(config, moments);
    run(0, config);
    assertThat(TestTopics.read(rows + "-releases", 1)).hasSize(1);
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
            intercept: 0.5
            rowBound: 1.2
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
