package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestJava;
import io.gauze.testing.TestTopics;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The verbs ask and solver where something is missing, and the solver as a process. */
@ExtendWith(SharedCluster.class)
final class AskIT {
  @TempDir private Path folder;

  private Path config(String releases, String requests, String answers, String more)
      throws IOException {
    String kafka =
        String.format(
            Locale.ROOT,
            """
            kafka:
              bootstrap: %s
              releases: {topic: %s}
              requests: {topic: %s}
              answers: {topic: %s}
              %s
            flink:
              properties: {parallelism.default: 1, execution.checkpointing.interval: 500 ms}
            """,
            SharedCluster.broker().bootstrapServers(),
            releases,
            requests,
            answers,
            more);
    String moments = "- {name: moments, mechanism: noisy-moments}";
    return Files.writeString(
        folder.resolve(requests + ".yaml"), RowsFile.config("asked", moments, kafka));
  }

  private static DemoIT.Outcome run(int status, String... words) {
    DemoIT.Outcome outcome = DemoIT.run(words);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    String some = TestTopics.create("some", 1);
    String other = TestTopics.create("other", 1);
    Path nothing = config(some, "no-requests", "no-answers", "properties: {}");
    assertThat(run(2, "ask", "--config", nothing.toString(), "--response", "y").err())
        .contains("topic no-requests does not exist", "gauze solver");
    assertThat(run(2, "solver", "--config", nothing.toString()).err())
        .contains("topic no-requests does not exist", "kafka.create");
    Path empty = config("no-releases", some, other, "properties: {}");
    assertThat(run(2, "solver", "--config", empty.toString()).err())
        .contains("topic no-releases does not exist", "gauze run makes it");
    String file = empty.toString();
    assertThat(run(1, "ask", "--config", file, "--response", "y", "--timeout", "PT1S").err())
        .contains("no solver answered within PT1S", "gauze solver --config " + file);
  }

  @Test
  void refusesBadArgumentsBeforeItAsks() throws Exception {
    String file = config("none", "none-requests", "none-answers", "properties: {}").toString();
    assertThat(run(2, "ask", "--config", file).err()).contains("--response");
    assertThat(run(2, "ask", "--config", file, "--response", "y", "--timeout", "PT1H").err())
        .contains("--timeout must be in [PT1S, PT10M]. Provided value: PT1H");
    assertThat(run(2, "ask", "--config", file, "--response", "y", "--id", "x").err())
        .contains("--id: release id must be stream/group/epoch/sketch");
    assertThat(
            run(2, "ask", "--config", file, "--response", "y", "--id", "a/all/1/s,b/all/2/s..c")
                .err())
        .contains("--id: release id must be stream/group/epoch/sketch");
    assertThat(
            run(2, "ask", "--config", file, "--response", "y", "--id", "a/all/1/s,\"b/all/1/s")
                .err())
        .contains("--id");
    assertThat(run(2, "ask", "--config", file, "--response", "y", "--loss", "quantile").err())
        .contains("--loss quantile needs --quantile");
    assertThat(AskCommand.deadline(Duration.ofSeconds(30))).hasSeconds(25);
    assertThat(AskCommand.deadline(Duration.ofSeconds(4))).hasSeconds(2);
  }

  @Test
  void theSolverMakesItsTopicsAndRunsUntilASignal() throws Exception {
    String releases = TestTopics.create("releases", 1);
    Path config =
        config(
            releases,
            releases + "-requests",
            releases + "-answers",
            "create: {partitions: 2, replicas: 1}");
    Process solver =
        new ProcessBuilder(TestJava.gauze(List.of(), "solver", "--config", config.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader err = solver.errorReader(UTF_8)) {
      String line = err.readLine();
      while (!line.startsWith("running until Ctrl-C")) {
        line = err.readLine();
      }
      assertThat(line).contains("topic " + releases + "-requests", releases + "-answers");
      TestTopics.send(releases + "-requests", 0, "{");
      assertThat(TestTopics.texts(TestTopics.read(releases + "-answers", 1)).get(0))
          .startsWith(
              "{\"id\":\"" + releases + "-requests-0-0\",\"error\":{\"code\":\"bad-request\"");
      String file = config.toString();
      assertThat(run(1, "ask", "--config", file, "--response", "y", "--timeout", "PT6S").err())
          .contains("no release of stream", "came within the --timeout of PT6S; ")
          .contains("a longer --timeout waits longer")
          .doesNotContain("Try: ./gauze ask", "deadline");
      solver.destroy(); // SIGTERM
      assertThat(solver.waitFor(60, SECONDS)).isTrue();
      assertThat(solver.exitValue()).isZero();
    } finally {
      solver.destroyForcibly();
    }
  }
}
