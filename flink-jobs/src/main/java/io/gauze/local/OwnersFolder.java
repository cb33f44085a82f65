package io.gauze.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

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
    Optional<Path> local = local(folder);
    if (local.isPresent()) {
      create(local.get());
    }
  }

  /** Returns the folder of one of Flink's settings, if it is on this machine. */
  static Optional<Path> local(String folder) {
    URI uri;
    try {
      uri = new org.apache.flink.core.fs.Path(folder).toUri();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // Flink will refuse it, too, and say why
    }
    boolean local = uri.getScheme() == null || uri.getScheme().equals("file");
    return local && uri.getPath().startsWith("/")
        ? Optional.of(Path.of(uri.getPath()))
        : Optional.empty();
  }

  private static FileAttribute<?>[] ownersOnly(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }
}
