package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster jar with several configs, on a real cluster. */
final class FlinkRunSeveralIT {
  @TempDir private Path folder;

  private ProcessCluster cluster;

  @Test
  void streamsComeAndGoAtARestore() throws Exception {
    try (ProcessCluster started = ProcessCluster.start(folder.resolve("cluster"), 1, Map.of())) {
      cluster = started;
      Path wine = config("wine");
      Path beer = config("beer");
      ok(run(List.of(), wine));
      ProcessCluster.Outcome second = run(List.of(), beer, wine);
      assertThat(second.status()).as(second.toString()).isEqualTo(1);
      assertThat(second.err()).contains("a job named \"gauze sketches of wine\" runs already on");
      String alone = stop(wine).out().strip();

      ProcessCluster.Outcome both = ok(run(List.of("-s", alone), beer, wine));
      assertThat(both.err())
          .contains(
              "stream beer: is not in the savepoint; starts anew",
              "stream beer: Differentially private",
              "stream wine: Differentially private");
      assertThat(cluster.runningJob("gauze sketches of beer, wine")).isPresent();
      DemoIT.Outcome stopped = stop(wine);
      String together = stopped.out().strip();
      assertThat(stopped.err())
          .contains(
              "stream beer stops with it: one job",
              "flink run -d -s "
                  + together
                  + " gauze-cluster.jar run --config CONFIG-OF-beer --config "
                  + wine);

      ProcessCluster.Outcome refused = run(List.of("-s", together), wine);
      assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
      assertThat(refused.err())
          .contains("has state of streams beer, wine", "flink run --allowNonRestoredState");
      ProcessCluster.Outcome left =
          ok(run(List.of("-s", together, "--allowNonRestoredState"), wine));
      assertThat(left.err()).contains("stream beer: is left behind in the savepoint");
      stop(wine);
    }
  }

  private ProcessCluster.Outcome run(List<String> more, Path... configs) {
    List<String> arguments = new ArrayList<>(List.of("run", "-d"));
    arguments.addAll(more);
    arguments.addAll(List.of(ProcessCluster.JAR.toString(), "run"));
    for (Path config : configs) {
      arguments.addAll(List.of("--config", config.toString()));
    }
    return cluster.flink(arguments.toArray(new String[0]));
  }

  private static ProcessCluster.Outcome ok(ProcessCluster.Outcome outcome) {
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    return outcome;
  }

  private static DemoIT.Outcome stop(Path config) {
    DemoIT.Outcome outcome = DemoIT.run("stop", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome;
  }

  private Path config(String stream) throws IOException {
    return Files.writeString(
        folder.resolve(stream + ".yaml"),
        String.format(
            Locale.ROOT,
            """
        stream: %s
        columns:
          - {name: x, lower: 0, upper: 1}
          - {name: y, lower: 0, upper: 1}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT2S, grace: PT0.5S}
        sketches:
          - {name: moments, mechanism: noisy-moments}
        kafka:
          bootstrap: %s
          rows: {topic: %s-rows}
          create: {partitions: 2, replicas: 1}
        flink:
          properties:
            parallelism.default: 1
            execution.checkpointing.interval: 500 ms
            rest.address: 127.0.0.1
            rest.port: %s
        """,
            stream,
            cluster.bootstrap(),
            stream,
            cluster.rest().replaceAll(".*:", "")));
  }
}
