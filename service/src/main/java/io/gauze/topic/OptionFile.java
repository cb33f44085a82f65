package io.gauze.topic;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A small file that an option of the command line names, such as a key. */
public final class OptionFile {
  private OptionFile() {}

  /**
   * Returns the bytes of the file.
   *
   * @param option its name in error messages
   * @throws IOException if it cannot be read; the message says why
   */
  public static byte[] read(String option, Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException(
          option
              + " must be a file that can be read; "
              + reason(file, e)
              + ". Provided value: "
              + file,
          e);
    }
  }

  /** Why a file could not be read, and what to do. The messages of exceptions say less. */
  static String reason(Path file, Exception problem) {
    if (problem instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (problem instanceof AccessDeniedException) {
      return "the user " + user() + " has no right to it: change its owner or its mode";
    }
    return Files.isDirectory(file)
        ? "it is a folder"
        : "reading fails (" + problem.getClass().getSimpleName() + ")";
  }

  /** The name of the user; the number of one that the system has no name for, as in a container. */
  private static String user() {
    String name = System.getProperty("user.name");
    try {
      return name.equals("?")
          ? Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString()
          : name;
    } catch (IOException | UnsupportedOperationException e) {
      return name;
    }
  }
}
