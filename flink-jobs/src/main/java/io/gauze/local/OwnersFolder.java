package io.gauze.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Creates folders for state, which only their owner may read, since state holds sums and rows. */
public final class OwnersFolder {
  private OwnersFolder() {}

  /**
   * Creates the folder, with its parents, for its owner only. An existing folder is not changed.
   *
   * @throws IOException if it cannot be created
   */
  public static void create(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, ownersOnly(folder));
    }
  }

  /**
   * Creates the folder as {@link #create(Path)} does, if it is on this machine.
   *
   * @param folder the folder in the form of Flink's settings: a path, or a URI with the scheme of
   *     its file system
   */
  static void createIfLocal(String folder) throws IOException {
    URI uri;
    try {
      uri = new org.apache.flink.core.fs.Path(folder).toUri();
    } catch (IllegalArgumentException e) {
      return; // Flink will refuse it, too, and say why
    }
    boolean local = uri.getScheme() == null || uri.getScheme().equals("file");
    if (local && uri.getPath().startsWith("/")) {
      create(Path.of(uri.getPath()));
    }
  }

  private static FileAttribute<?>[] ownersOnly(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }
}
