package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What check says of epochs and the interval of checkpoints. */
final class ShortEpochsTest {
  private static final String MOMENTS = "- {name: moments, mechanism: noisy-moments}";

  @TempDir private Path folder;

  private String checked(String length, String further) throws IOException {
    String text =
        RowsFile.config("short", MOMENTS, "response: y\n" + further)
            .replace("length: all", "length: " + length);
    Path config = Files.writeString(folder.resolve("short.yaml"), text);
    DemoIT.Outcome outcome = DemoIT.run("check", "--offline", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome.err();
  }

  @Test
  void epochsShorterThanTheIntervalAreNamed() throws IOException {
    assertThat(checked("PT5S", ""))
        .contains(
            "short.yaml:",
            "GZ-SHORTEPOCHS: Epochs of PT5S are shorter than the checkpoint interval of PT10S")
        .doesNotContain("further behind");
    assertThat(checked("PT5S", "models:\n  - {name: follow, mechanism: huber-track, response: y}"))
        .contains("wait for their last release fall ever further behind: follow.");
  }

  @Test
  void longerOnesAreNot() throws IOException {
    String quick = "flink: {properties: {execution.checkpointing.interval: 1 s}}";
    assertThat(checked("PT10S", "")).doesNotContain("checkpoint interval");
    assertThat(checked("PT5S", quick)).doesNotContain("checkpoint interval");
    assertThat(checked("all", "")).doesNotContain("checkpoint interval");
  }
}
