package io.gauze.release;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;

/**
 * Reads and writes releases in files. The ending decides the format:
 *
 * <ul>
 *   <li>{@code .avro}: {@link Release#toBytes}, as in topics; reads all versions
 *   <li>{@code .json}: the same fields as text
 *   <li>{@code .npz}: NumPy arrays
 * </ul>
 *
 * <p>All three contain the release to the last bit and end in the same SHA-256, which is checked on
 * reading.
 */
public final class ReleaseFile {
  /** The largest size of an array. */
  private static final long MOST_AVRO_BYTES = Integer.MAX_VALUE - 8L;

  /**
   * The largest file: 2^27 numbers of 20 digits, or the same numbers three times and a matrix of
   * twice as many.
   */
  private static final long MOST_BYTES = 1L << 33;

  private enum Format {
    AVRO(MOST_AVRO_BYTES) {
      @Override
      void write(Release release, OutputStream out) throws IOException {
        out.write(release.toBytes());
      }

      @Override
      Release read(Path file) throws IOException {
        ReadingRoom.checkBytes(Files.size(file));
        return Release.fromBytes(Files.readAllBytes(file));
      }
    },
    JSON(MOST_BYTES) {
      @Override
      void write(Release release, OutputStream out) throws IOException {
        ReleaseJson.write(ReleaseAvro.sealed(release), out);
      }

      @Override
      Release read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          return ReleaseAvro.unsealed(ReleaseJson.read(in));
        }
      }
    },
    NPZ(MOST_BYTES) {
      @Override
      void write(Release release, OutputStream out) throws IOException {
        ReleaseNpz.write(release, out);
      }

      @Override
      Release read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          return ReleaseNpz.read(in);
        }
      }
    };

    final long mostBytes;

    Format(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    abstract void write(Release release, OutputStream out) throws IOException;

    abstract Release read(Path file) throws IOException;

    static Format of(Path file) {
      String name = fileName(file).toLowerCase(Locale.ROOT);
      for (Format format : values()) {
        if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
          return format;
        }
      }
      throw new IllegalArgumentException(
          "name of a release file must end with .avro, .json or .npz. Provided value: " + file);
    }
  }

  private ReleaseFile() {}

  /**
   * Writes a release. The file appears completely or not at all, and replaces an older one.
   *
   * @throws IllegalArgumentException if the file has another ending
   * @throws IOException if the file cannot be written
   */
  public static void write(Release release, Path file) throws IOException {
    Format format = Format.of(file);
    Path whole = file.toAbsolutePath();
    Path part = whole.resolveSibling("." + UUID.randomUUID() + ".part");
    try {
      try (FileChannel channel =
              FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
          OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
        format.write(release, out);
        out.flush();
        channel.force(true);
      }
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new IOException("cannot write " + file + ": " + reason(e), e);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Writes a release to a stream, which is not closed.
   *
   * @param ending of the files of the format: avro, json or npz
   * @throws IllegalArgumentException if there is no such format
   * @throws IOException if the stream cannot be written to
   */
  public static void write(Release release, String ending, OutputStream out) throws IOException {
    Format.of(Path.of("release." + ending)).write(release, out);
  }

  /**
   * Reads a release.
   *
   * @throws IllegalArgumentException if the file has another ending, or is not a release, of an
   *     unknown version, truncated or damaged; the message begins with the file's name
   * @throws IOException if the file does not exist or cannot be read
   */
  public static Release read(Path file) throws IOException {
    Format format = Format.of(file);
    try {
      long size = Files.size(file);
      if (size > format.mostBytes) {
        throw new IllegalArgumentException(
            "file must have at most " + format.mostBytes + " bytes. Provided value: " + size);
      }
      if (!Files.isRegularFile(file)) {
        throw new IOException("it is no regular file");
      }
      return format.read(file);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(fileName(file) + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + reason(e), e);
    }
  }

  private static String fileName(Path file) {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }

  /** Returns the reason of an exception. Some messages contain only the name of a file. */
  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "it exists already";
    }
    return e.getMessage();
  }
}
