package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.DemoIT;
import io.gauze.cli.option.ExitStatus;
import io.gauze.pipeline.JobUids;
import io.gauze.testing.TwoColumns;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SavepointCheckTest {
  @TempDir private Path folder;

  /** No broker is asked, and Flink is not there to log what it thinks of it. */
  @Test
  void aWrongFolderIsOneLine() throws Exception {
    Path config = config();
    Path damaged = Files.createDirectory(folder.resolve("damaged"));
    Files.writeString(damaged.resolve("_metadata"), "no metadata");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (Path wrong : List.of(folder.resolve("none"), empty, damaged)) {
      DemoIT.Outcome run =
          DemoIT.run("run", "--config", config.toString(), "--restore", wrong.toString());
      assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.USAGE);
      assertThat(run.err())
          .containsOnlyOnce("--restore (or flink.properties execution.state-recovery.path) must be")
          .endsWith("Provided value: " + wrong + System.lineSeparator())
          .doesNotContain("connecting", "\tat ");
    }
  }

  /** The topics of the config are made after this. */
  @Test
  void aSavepointOfOtherStreamsIsRefusedBeforeABrokerIsAsked() throws Exception {
    Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
    OperatorState fold =
        new OperatorState("fold", JobUids.FOLD.of("wine"), new OperatorID(), 1, 128);
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(savepoint.resolve("_metadata")))) {
      Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(1, List.of(fold), List.of()), out);
    }
    DemoIT.Outcome run =
        DemoIT.run("run", "--config", config().toString(), "--restore", savepoint.toString());
    assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.USAGE);
    assertThat(run.err())
        .contains("has state of stream wine, and there is no --config of wine")
        .doesNotContain("connecting", "going on from");
  }

  private Path config() throws IOException {
    return Files.writeString(
        folder.resolve("config.yaml"),
        new TwoColumns("rows", TwoColumns.EPSILON_1, "{length: PT1H}").text()
            + "kafka: {bootstrap: 'localhost:1'}\n");
  }

  /** Where the savepoint can be read by the cluster only, the cluster refuses it. */
  @Test
  void aRefusalOfTheClusterNamesBothRemedies() {
    String flink =
        "Failed to rollback to checkpoint/savepoint s3://a/b. Cannot map checkpoint/savepoint state"
            + " for operator 1f to the new program.";
    assertThat(SavepointCheck.explained(flink))
        .startsWith(flink)
        .contains(
            "give the configs of all its streams",
            "execution.state-recovery.ignore-unclaimed-state: true",
            "flink run --allowNonRestoredState");
    assertThat(SavepointCheck.explained("no slots")).isEqualTo("no slots");
  }
}
