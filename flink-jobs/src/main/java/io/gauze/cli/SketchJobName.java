package io.gauze.cli;

import java.util.Collection;
import java.util.List;

/** The name of a sketch job, by which it is found again: it says whose streams it has. */
public final class SketchJobName {
  private static final String BEGIN = "gauze sketches of ";
  private static final String COMMA = ", "; // no name of a stream has one

  private SketchJobName() {}

  public static String of(List<String> streams) {
    return BEGIN + String.join(COMMA, streams);
  }

  /** The streams of a job, in order; none if it is another kind of job. */
  static List<String> streams(String jobName) {
    return jobName.startsWith(BEGIN)
        ? List.of(jobName.substring(BEGIN.length()).split(COMMA, -1))
        : List.of();
  }

  /** Names for a sentence. */
  static String described(Collection<String> streams) {
    return (streams.size() == 1 ? "stream " : "streams ") + String.join(COMMA, streams);
  }

  /** Whether two jobs would take the Kafka transactions away from each other. */
  static boolean clash(String jobName, String other) {
    return jobName.equals(other) || streams(jobName).stream().anyMatch(streams(other)::contains);
  }
}
