package io.gauze.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders for state, which holds sums and rows: nobody but their owner may look into them. */
public final class OwnersFolder {
  private OwnersFolder() {}

  /**
   * Makes the folder, with its parents, for its owner only. One that is there stays as it is.
   *
   * @throws IOException if it cannot be made
   */
  public static void create(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, ownersOnly(folder));
    }
  }

  /**
   * As {@link #create(Path)}, if the folder is one of this machine.
   *
   * @param folder as Flink's settings name it: a path, or a URI with the scheme of its file system
   */
  static void createIfLocal(String folder) throws IOException {
    URI uri;
    try {
      uri = new org.apache.flink.core.fs.Path(folder).toUri();
    } catch (IllegalArgumentException e) {
      return; // Flink will not take it either, and says why
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
