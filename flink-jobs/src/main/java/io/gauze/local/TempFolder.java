package io.gauze.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;

/**
 * A folder of our own, deleted with all that is in it on {@link #close} and at the end of the JVM.
 */
final class TempFolder implements AutoCloseable {
  private static final long MEBIBYTE = 1L << 20;
  private static final int PASSES = 1000;

  private final Path path;

  private TempFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes the folder.
   *
   * @param parent an existing folder
   * @param prefix the start of the new folder's name
   * @param needed free space in MiB that {@code parent} must have, at least 0
   * @throws IOException if the folder cannot be made or if there is too little space
   */
  static TempFolder create(Path parent, String prefix, long needed) throws IOException {
    long free = Files.getFileStore(parent).getUsableSpace() / MEBIBYTE;
    if (free < needed) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has %d MiB of free space, at least %d MiB are needed. Free some, or choose another folder"
                  + " with -Djava.io.tmpdir=FOLDER in JAVA_TOOL_OPTIONS",
              parent,
              free,
              needed));
    }
    TempFolder folder = new TempFolder(Files.createTempDirectory(parent, prefix));
    CloseAtExit.register(folder);
    return folder;
  }

  /** The system's folder for temporary files. */
  static Path systemDefault() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  Path path() {
    return path;
  }

  /** Makes a folder inside this one and returns its path. */
  Path folder(String name) throws IOException {
    return Files.createDirectory(path.resolve(name));
  }

  /**
   * Deletes the folder. A file that vanishes meanwhile is no error; does nothing the second time.
   */
  @Override
  public void close() {
    CloseAtExit.forget(this);
    if (!Files.exists(path)) {
      return;
    }
    try {
      delete();
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete the temporary folder " + path, e);
    }
  }

  /** Threads that are ending may still write: what comes meanwhile is deleted by another pass. */
  private void delete() throws IOException {
    for (int pass = 1; Files.exists(path); pass++) {
      try {
        Files.walkFileTree(path, new Deleter());
      } catch (DirectoryNotEmptyException e) {
        if (pass == PASSES) {
          throw e;
        }
      }
    }
  }

  @Override
  public String toString() {
    return "temporary folder " + path;
  }

  private static final class Deleter extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
