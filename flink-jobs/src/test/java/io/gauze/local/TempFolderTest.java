package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TempFolderTest {
  @Test
  void deletesAllThatIsInIt(@TempDir Path parent) throws IOException {
    TempFolder folder = TempFolder.create(parent, "some-", 0);
    Path inner = Files.createDirectory(folder.folder("a").resolve("b"));
    Files.writeString(inner.resolve("file"), "text");

    folder.close();
    folder.close();

    assertThat(folder.path()).doesNotExist();
    assertThat(parent).exists();
  }

  /** A pass fails only if a file came meanwhile, so that there are fewer of these than passes. */
  @Test
  void deletesWhatIsWrittenMeanwhile(@TempDir Path parent) throws Exception {
    TempFolder folder = TempFolder.create(parent, "some-", 0);
    Path inner = folder.folder("a");
    CountDownLatch begun = new CountDownLatch(1);
    FutureTask<Integer> writer =
        new FutureTask<>(
            () -> {
              int files = 0;
              for (; files < 500 && Files.exists(inner); files++) {
                write(inner.resolve("file" + files));
                begun.countDown();
              }
              return files;
            });
    new Thread(writer).start();
    begun.await();

    folder.close();

    assertThat(writer.get()).isPositive();
    assertThat(folder.path()).doesNotExist();
  }

  private static void write(Path file) throws IOException {
    try {
      Files.writeString(file, "text");
    } catch (NoSuchFileException e) {
      assertThat(file.getParent()).doesNotExist();
    }
  }

  @Test
  void doesNotFollowLinks(@TempDir Path parent) throws IOException {
    Path outside = Files.createDirectory(parent.resolve("outside"));
    Files.writeString(outside.resolve("file"), "text");
    TempFolder folder = TempFolder.create(parent, "some-", 0);
    Files.createSymbolicLink(folder.path().resolve("link"), outside);

    folder.close();

    assertThat(folder.path()).doesNotExist();
    assertThat(outside.resolve("file")).exists();
  }

  @Test
  void saysHowMuchSpaceIsMissing(@TempDir Path parent) throws IOException {
    assertThatThrownBy(() -> TempFolder.create(parent, "some-", 1L << 40))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(parent.toString())
        .hasMessageContaining("at least 1099511627776 MiB are needed")
        .hasMessageContaining("java.io.tmpdir");
    assertThat(parent).isEmptyDirectory();
  }
}
