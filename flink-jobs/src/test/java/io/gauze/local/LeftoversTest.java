package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeftoversTest {
  @TempDir private Path parent;

  @Test
  void clearsWhatAKilledBrokerLeft() throws IOException {
    Path left = killed("gauze-broker-1");
    Path unknown = Files.createDirectory(parent.resolve("gauze-broker-without-a-lock"));
    try (TempFolder used = TempFolder.create(parent, "gauze-broker-", 0)) {
      Leftovers.clear(parent, "gauze-broker-");

      assertThat(left).doesNotExist();
      assertThat(unknown).exists();
      assertThat(used.path()).exists();
    }
  }

  @Test
  void keepsCheckpoints() throws IOException {
    Path empty = killed("gauze-flink-1");
    Path state = killed("gauze-flink-2");
    Path checkpoint = Files.createDirectories(state.resolve("checkpoints/of-a-job/chk-7"));
    Files.createFile(checkpoint.resolve("_metadata"));

    Leftovers.clearButCheckpoints(parent, "gauze-flink-");

    assertThat(empty).doesNotExist();
    assertThat(checkpoint).exists();
  }

  private Path killed(String name) throws IOException {
    Path folder = Files.createDirectories(parent.resolve(name));
    Files.createFile(folder.resolve(".lock"));
    Files.createFile(Files.createDirectory(folder.resolve("data")).resolve("rows"));
    return folder;
  }
}
