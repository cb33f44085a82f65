package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.OwnersFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class OwnersFolderTest {
  @TempDir private Path parent;

  @Test
  void isForItsOwnerOnly() throws Exception {
    OwnersFolder.createIfLocal("file://" + parent + "/a b/c");
    OwnersFolder.createIfLocal("file:" + parent + "/as%20written");
    OwnersFolder.createIfLocal(parent.resolve("d").toString());
    OwnersFolder.createIfLocal("s3://bucket/e");
    OwnersFolder.createIfLocal("file:relative"); // which Flink refuses

    assertThat(parent.resolve("a b/c")).isDirectory();
    assertThat(parent.resolve("as%20written")).as("as Flink reads it").isDirectory();
    assertThat(parent.resolve("d")).isDirectory();
    assertThat(Path.of("relative")).doesNotExist();
    assertThat(OwnersFiles.openToOthers(parent)).isEmpty();
  }

  @Test
  void leavesAFolderThatIsThere() throws Exception {
    Path open = Files.createDirectory(parent.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x---"));

    OwnersFolder.create(open);

    assertThat(OwnersFiles.isOpen(open)).isTrue();
  }

  @Test
  void temporaryFoldersAreForTheirOwnerOnly() throws Exception {
    try (TempFolder folder = TempFolder.create(parent, "some-", 0)) {
      assertThat(OwnersFiles.isOpen(folder.path())).isFalse();
    }
  }
}
