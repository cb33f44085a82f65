package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class TemporaryFolderTest {
  @Test
  void isGoneWithAllFilesAlsoAfterAFailure() {
    AtomicReference<Path> used = new AtomicReference<>();
    assertThatIllegalStateException()
        .isThrownBy(
            () -> {
              try (TemporaryFolder folder = TemporaryFolder.create("gauze-test-")) {
                used.set(folder.path());
                Path inside = Files.createDirectory(folder.path().resolve("inside"));
                Files.writeString(inside.resolve("rows"), "1");
                throw new IllegalStateException("the run failed");
              }
            });
    assertThat(used.get()).doesNotExist();
  }
}
