package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.ProcessCluster;
import io.gauze.testing.Thorough;
import io.gauze.testing.TwoColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster jar with several configs, on a real cluster. */
@Thorough
final class FlinkRunSeveralIT {
  @TempDir private Path folder;

  private ProcessCluster cluster;

  @Test
  void streamsComeAndGoAtARestore() throws Exception {
    try (ProcessCluster started = ProcessCluster.start(folder.resolve("cluster"), 1, Map.of())) {
      cluster = started;
      Path wine = config("wine");
      Path beer = config("beer");
      ok(cluster.submit(List.of(), wine));
      ProcessCluster.Outcome second = cluster.submit(List.of(), beer, wine);
      assertThat(second.status()).as(second.toString()).isEqualTo(1);
      assertThat(second.err())
          .contains("GZ-SAMEJOB: A job named gauze sketches of wine runs already on this cluster.");
      String alone = stop(wine).out().strip();

      ProcessCluster.Outcome both = ok(cluster.submit(List.of("-s", alone), beer, wine));
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

      ProcessCluster.Outcome refused = cluster.submit(List.of("-s", together), wine);
      assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
      assertThat(refused.err())
          .contains("has state of streams beer, wine", "flink run --allowNonRestoredState");
      ProcessCluster.Outcome left =
          ok(cluster.submit(List.of("-s", together, "--allowNonRestoredState"), wine));
      assertThat(left.err()).contains("stream beer: is left behind in the savepoint");
      stop(wine);
    }
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
    TwoColumns config =
        new TwoColumns(stream, TwoColumns.EPSILON_1, "{length: PT2S, sealDelay: PT0.5S}");
    return Files.writeString(
        folder.resolve(stream + ".yaml"), config.on(cluster, "rows: {topic: " + stream + "-rows}"));
  }
}
