package io.gauze.cli.flink;

import java.util.Collection;
import java.util.List;

/** The name of a sketch job. It lists the job's streams, so that a job can be found by a stream. */
public final class SketchJobName {
  private static final String BEGIN = "gauze sketches of ";
  private static final String COMMA = ", "; // no stream's name contains it

  private SketchJobName() {}

  public static String of(List<String> streams) {
    return BEGIN + String.join(COMMA, streams);
  }

  /** Returns the streams of a job, in order; none if it is another kind of job. */
  public static List<String> streams(String jobName) {
    return jobName.startsWith(BEGIN)
        ? List.of(jobName.substring(BEGIN.length()).split(COMMA, -1))
        : List.of();
  }

  /** Returns the names of streams for use in a sentence. */
  public static String described(Collection<String> streams) {
    return (streams.size() == 1 ? "stream " : "streams ") + String.join(COMMA, streams);
  }

  /**
   * Returns whether two jobs share a stream, and so would fence each other's Kafka transactions.
   */
  static boolean clash(String jobName, String other) {
    return jobName.equals(other) || streams(jobName).stream().anyMatch(streams(other)::contains);
  }
}
