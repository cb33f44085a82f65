package io.gauze.local;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.SerializedThrowable;

/** What a job's failure says in one line, without the wrapping that Flink puts around it. */
public final class Causes {
  private static final String BETWEEN = ": ";
  private static final String CAUSED_BY = "Caused by: ";

  /** Of these, messages speak of settings, files, addresses and topics. */
  private static final List<String> TOLD =
      List.of(
          "io.gauze.",
          "org.apache.flink.",
          "org.apache.kafka.",
          "java.io.",
          "java.lang.",
          "java.net.",
          "java.nio.file.",
          "java.security.",
          "java.util.concurrent.",
          "javax.net.",
          "javax.security.");

  /** But for these, which say what was parsed. */
  private static final List<String> QUOTING =
      List.of("NumberFormatException", "IndexOutOfBoundsException");

  private Causes() {}

  /**
   * The message of the last cause, as in {@link #chain}: what is above it says only that the job
   * failed.
   */
  public static String last(Throwable failure) {
    List<Throwable> all = all(failure);
    return said(all.get(all.size() - 1));
  }

  /**
   * The messages of all causes that say something, in one line. Where a message might quote what
   * was parsed, which might be a row, there is only the name of the exception.
   */
  public static String chain(Throwable failure) {
    List<String> parts = new ArrayList<>();
    List<Throwable> all = all(failure);
    for (int i = 0; i < all.size(); i++) {
      boolean inner = i < all.size() - 1;
      if (inner && isWrapping(all.get(i), all.get(i + 1))) {
        continue;
      }
      String said = said(all.get(i));
      if (parts.isEmpty() || !parts.get(parts.size() - 1).contains(said)) {
        parts.add(said);
      }
    }
    return String.join(BETWEEN, parts).replaceAll("\\s+", " ").strip();
  }

  /**
   * The same as {@link #last}, of a stack trace as Java prints it. Of a message of several lines
   * there is the first.
   */
  public static String lastOf(String stackTrace) {
    List<String> causes =
        stackTrace.lines().filter(line -> line.startsWith(CAUSED_BY)).map(String::strip).toList();
    String first = stackTrace.lines().findFirst().orElse("");
    String last =
        causes.isEmpty() ? first : causes.get(causes.size() - 1).substring(CAUSED_BY.length());
    int colon = last.indexOf(BETWEEN);
    String name = colon < 0 ? last : last.substring(0, colon);
    String message = colon < 0 ? "" : last.substring(colon + BETWEEN.length());
    return said(name, message, name.endsWith("Error"));
  }

  private static List<Throwable> all(Throwable failure) {
    ClassLoader loader = Causes.class.getClassLoader();
    List<Throwable> all = new ArrayList<>();
    for (Throwable next = failure; next != null; next = all.get(all.size() - 1).getCause()) {
      all.add(next instanceof SerializedThrowable packed ? packed.deserializeError(loader) : next);
    }
    return all;
  }

  private static boolean isWrapping(Throwable outer, Throwable inner) {
    String name = nameOf(outer);
    String message = outer.getMessage();
    return message == null
        || message.isBlank()
        || name.startsWith("org.apache.flink.runtime.")
        || name.startsWith("org.apache.flink.streaming.")
        || message.endsWith(inner.toString());
  }

  private static String said(Throwable failure) {
    String message = failure.getMessage();
    return said(nameOf(failure), message == null ? "" : message, failure instanceof Error);
  }

  private static String said(String name, String message, boolean error) {
    String shortName = name.substring(name.lastIndexOf('.') + 1);
    boolean quotes =
        QUOTING.stream().anyMatch(shortName::endsWith) || TOLD.stream().noneMatch(name::startsWith);
    if (quotes || message.isBlank()) {
      return shortName;
    }
    return error ? shortName + BETWEEN + message : message;
  }

  /** Also of an exception whose class is not known here. */
  private static String nameOf(Throwable failure) {
    return failure instanceof SerializedThrowable packed
        ? packed.getOriginalErrorClassName()
        : failure.getClass().getName();
  }
}
