package io.gauze.local;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A temporary folder that is deleted with its contents on {@link #close} and at the end of the JVM.
 * A file in it is locked as long as it is in use, so an unlocked file marks the folder of a killed
 * process.
 */
final class TempFolder implements AutoCloseable {
  private static final long MEBIBYTE = 1L << 20;
  private static final int PASSES = 1000;
  private static final String LOCK = ".lock";

  /**
   * The folders of this process. Their lock files must not be probed: opening and closing a file
   * releases the lock that the process holds on it.
   */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private TempFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Creates the folder.
   *
   * @param parent an existing folder
   * @param prefix the start of the new folder's name
   * @param needed free space in MiB that {@code parent} must have, at least 0
   * @throws IOException if the folder cannot be created or if there is too little space
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
    Path path = Files.createTempDirectory(parent, prefix); // for its owner only
    OURS.add(path);
    TempFolder folder = new TempFolder(path, lock(path));
    CloseAtExit.register(folder);
    return folder;
  }

  /**
   * Creates the lock file. It is locked before it has its name, so no other process sees it
   * unlocked.
   */
  private static FileChannel lock(Path path) throws IOException {
    Path part = path.resolve(LOCK + ".part");
    FileChannel channel = FileChannel.open(part, CREATE_NEW, WRITE);
    channel.lock();
    Files.move(part, path.resolve(LOCK));
    return channel;
  }

  /**
   * Returns the folders that {@link #create} made with this parent and prefix in killed processes,
   * and that no process uses.
   */
  static List<Path> left(Path parent, String prefix) throws IOException {
    List<Path> left = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
      for (Path folder : folders) {
        if (!OURS.contains(folder) && isUnlocked(folder.resolve(LOCK))) {
          left.add(folder);
        }
      }
    }
    return left;
  }

  /**
   * Returns whether a lock file exists and is not locked. A file that is missing or not writable
   * does not count; other kinds of files are not opened, since that might block.
   */
  private static boolean isUnlocked(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, WRITE);
        FileLock taken = channel.tryLock()) {
      return taken != null;
    } catch (OverlappingFileLockException e) {
      return false; // another thread of this process probes it, and deletes the folder
    } catch (IOException e) {
      return false;
    }
  }

  /** The system's folder for temporary files. */
  static Path systemDefault() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  Path path() {
    return path;
  }

  /** Creates a folder inside this one and returns its path. */
  Path folder(String name) throws IOException {
    return Files.createDirectory(path.resolve(name));
  }

  /**
   * Deletes the folder. A file that vanishes meanwhile is no error. Does nothing if called again.
   */
  @Override
  public void close() {
    CloseAtExit.forget(this);
    if (!Files.exists(path)) {
      return;
    }
    try (lock) {
      delete(path);
      OURS.remove(path);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete the temporary folder " + path, e);
    }
  }

  /**
   * Deletes a folder. Threads that are ending may still write to it; further passes delete such
   * files.
   */
  static void delete(Path path) throws IOException {
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
