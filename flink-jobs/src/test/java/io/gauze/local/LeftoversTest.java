package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

  @Test
  void severalStartsMayClearAtOnce() throws Exception {
    ExecutorService starts = Executors.newFixedThreadPool(4);
    try {
      for (int i = 0; i < 50; i++) {
        Path left = killed("gauze-flink-" + i);
        List<Callable<Boolean>> all =
            Collections.nCopies(
                4,
                () -> {
                  Leftovers.clearButCheckpoints(parent, "gauze-flink-");
                  return true;
                });
        for (Future<Boolean> start : starts.invokeAll(all)) {
          assertThat(start.get()).isTrue();
        }
        assertThat(left).doesNotExist();
      }
    } finally {
      starts.shutdown();
    }
  }

  /** To open a pipe would wait for whoever reads it. */
  @Test
  @Timeout(60)
  @DisabledOnOs(OS.WINDOWS)
  void aLockThatIsNoFileIsNotOpened() throws Exception {
    Path pipe = Files.createDirectory(parent.resolve("gauze-flink-x")).resolve(".lock");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    Leftovers.clear(parent, "gauze-flink-");

    assertThat(pipe).exists();
  }

  private Path killed(String name) throws IOException {
    Path folder = Files.createDirectories(parent.resolve(name));
    Files.createFile(folder.resolve(".lock"));
    Files.createFile(Files.createDirectory(folder.resolve("data")).resolve("rows"));
    return folder;
  }
}
