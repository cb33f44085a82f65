package io.gauze.cli.release;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Releases in files: their names, and the errors if they cannot be read. */
public final class ReleaseFiles {
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

  public static final List<String> ENDINGS = List.of(".avro", ".json", ".npz");

  private ReleaseFiles() {}

  /**
   * Returns the name of a release's file, without its ending: the parts of the id joined by
   * hyphens. Bytes that not every file system allows are written as a percent sign and two digits.
   */
  public static String name(ReleaseId id) {
    StringBuilder name = new StringBuilder();
    String joined = String.join("-", id.stream(), id.group(), id.epoch(), id.sketch());
    for (byte each : joined.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xff);
      boolean plain = PLAIN.indexOf(character) >= 0;
      name.append(
          plain ? Character.toString(character) : String.format(Locale.ROOT, "%%%02x", each));
    }
    return name.toString();
  }

  /**
   * Creates a folder if it does not exist.
   *
   * @param option the option that names it
   * @throws IOException if the folder cannot be written to
   */
  public static void prepareFolder(String option, Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
      if (!Files.isWritable(folder)) {
        throw new AccessDeniedException(folder.toString());
      }
    } catch (IOException e) {
      throw new IOException(
          option
              + ": the folder "
              + folder
              + " cannot be written to; name another one ("
              + e.getClass().getSimpleName()
              + ")",
          e);
    }
  }

  /** Returns whether the file's ending is one of a release. */
  public static boolean known(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return ENDINGS.stream().anyMatch(name::endsWith);
  }

  /**
   * Reads a release from a file.
   *
   * @param option the option that names it
   * @throws ParameterException if it is no file that can be read, or of another ending
   * @throws IOException if it is damaged; the message names the file
   */
  public static Release read(CommandSpec spec, String option, Path file) throws IOException {
    require(
        spec, known(file), option + " must be a file that ends with .avro, .json or .npz", file);
    require(
        spec,
        Files.isReadable(file) && !Files.isDirectory(file),
        option + " must be a file that can be read",
        file);
    try {
      return ReleaseFile.read(file);
    } catch (IllegalArgumentException e) {
      String named = file.getFileName() + ": ";
      String reason = e.getMessage();
      throw new IOException(
          file
              + " is no release that can be read: "
              + (reason.startsWith(named) ? reason.substring(named.length()) : reason),
          e);
    }
  }

  private static void require(CommandSpec spec, boolean holds, String message, Path file) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message + ". Provided value: " + file);
    }
  }
}
