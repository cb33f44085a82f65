package io.gauze.local;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.SerializedThrowable;

/** Describes a job's failure in one line, without the exceptions that Flink wraps around it. */
public final class Causes {
  private static final String BETWEEN = ": ";
  private static final String CAUSED_BY = "Caused by: ";

  /** The packages of exceptions whose messages are about settings, files, addresses and topics. */
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

  /** The exceptions of these packages whose messages may quote parsed text, which may be a row. */
  private static final List<String> QUOTING =
      List.of("NumberFormatException", "IndexOutOfBoundsException");

  private Causes() {}

  /**
   * Returns the message of the last cause, in the form of {@link #chain}. The exceptions around it
   * only say that the job failed.
   */
  public static String last(Throwable failure) {
    List<Throwable> all = all(failure);
    return said(all.get(all.size() - 1));
  }

  /**
   * Returns the informative messages of all causes, in one line. A message that might quote parsed
   * text, which might be a row, is replaced by the name of the exception.
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
   * Returns the result of {@link #last} for a stack trace as Java prints it. Of a message of
   * several lines, only the first is returned.
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

  /** Returns the class name of an exception, also if its class is not known here. */
  private static String nameOf(Throwable failure) {
    return failure instanceof SerializedThrowable packed
        ? packed.getOriginalErrorClassName()
        : failure.getClass().getName();
  }
}
