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
 * A folder of our own, deleted with all that is in it on {@link #close} and at the end of the JVM.
 * As long as it is in use a file in it is locked, so that what a killed process left is known by a
 * file that is not.
 */
final class TempFolder implements AutoCloseable {
  private static final long MEBIBYTE = 1L << 20;
  private static final int PASSES = 1000;
  private static final String LOCK = ".lock";

  /** To open a file and close it again would release the lock that this process has on it. */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private TempFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
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
    Path path = Files.createTempDirectory(parent, prefix); // for its owner only
    OURS.add(path);
    TempFolder folder = new TempFolder(path, lock(path));
    CloseAtExit.register(folder);
    return folder;
  }

  /** Locked before it has its name, so that nobody sees it unlocked. */
  private static FileChannel lock(Path path) throws IOException {
    Path part = path.resolve(LOCK + ".part");
    FileChannel channel = FileChannel.open(part, CREATE_NEW, WRITE);
    channel.lock();
    Files.move(part, path.resolve(LOCK));
    return channel;
  }

  /**
   * The folders that {@link #create} made with this parent and prefix, in processes that were
   * killed: nobody uses or deletes them.
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

  /** A file that is not there, or not ours to write, says nothing; another kind might block. */
  private static boolean isUnlocked(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, WRITE);
        FileLock taken = channel.tryLock()) {
      return taken != null;
    } catch (OverlappingFileLockException e) {
      return false; // another thread of this process looks at it, and clears it
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
    try (lock) {
      delete(path);
      OURS.remove(path);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete the temporary folder " + path, e);
    }
  }

  /** Threads that are ending may still write: what comes meanwhile is deleted by another pass. */
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
