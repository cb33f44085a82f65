package io.gauze.cli.flink;

import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.job.RestoredStreams;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;

/**
 * Compares the streams of a savepoint with those of a job: a stream may be new, and may be left
 * behind only if the user allows it.
 */
public final class SavepointCheck {
  /** The start of Flink's message if a savepoint has state that the job does not restore. */
  private static final String UNCLAIMED = "Cannot map checkpoint/savepoint state";

  private static final String REMEDIES =
      "give the configs of all its streams; or, to leave a stream behind with its open epochs, set"
          + " flink.properties "
          + StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE.key()
          + ": true (on a cluster: flink run --allowNonRestoredState)";

  private SavepointCheck() {}

  /**
   * Checks that the savepoint exists, before Flink does. Only for a job in this process: a cluster
   * may see files that this machine does not.
   *
   * @throws ConfigException if there is no savepoint or checkpoint
   */
  public static void require(ReadableConfig flink) throws ConfigException {
    Optional<String> savepoint = flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
    try {
      if (savepoint.isPresent()) {
        RestoredStreams.require(savepoint.get());
      }
    } catch (IOException e) {
      throw new ConfigException(
          "--restore (or flink.properties "
              + StateRecoveryOptions.SAVEPOINT_PATH.key()
              + ") must be the folder of a savepoint or checkpoint, in which there is a file _metadata that can be"
              + " read; gauze stop prints that of a savepoint. Provided value: "
              + savepoint.get(),
          e);
    }
  }

  /**
   * Refuses a savepoint of other streams, as far as it can be read from here. It is checked before
   * the topics of the config are made.
   *
   * @throws ConfigException if it has state of other streams, and the user does not allow leaving
   *     them behind
   */
  public static void requireSameStreams(ReadableConfig flink, JobStreams job)
      throws ConfigException {
    Optional<String> savepoint = flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
    Optional<Set<String>> there = savepoint.flatMap(RestoredStreams::of);
    if (there.isPresent()) {
      left(savepoint.get(), there.get(), flink, job);
    }
  }

  /**
   * Checks the savepoint before the job starts, as far as it can be read from here, and reports
   * which streams are not in it.
   *
   * @return the streams in the savepoint; the job's streams if it cannot be read from here
   * @throws ConfigException as {@link #requireSameStreams}
   */
  public static Set<String> check(
      String savepoint, ReadableConfig flink, JobStreams job, PrintWriter err)
      throws ConfigException {
    Optional<Set<String>> there = RestoredStreams.of(savepoint);
    if (there.isEmpty()) {
      return Set.copyOf(job.names());
    }
    left(savepoint, there.get(), flink, job)
        .forEach(name -> err.println("stream " + name + ": is left behind in the savepoint"));
    job.names().stream()
        .filter(name -> !there.get().contains(name))
        .forEach(name -> err.println("stream " + name + ": is not in the savepoint; starts anew"));
    return there.get();
  }

  /** Returns the streams that are left behind in the savepoint, sorted. */
  private static Set<String> left(
      String savepoint, Set<String> there, ReadableConfig flink, JobStreams job)
      throws ConfigException {
    Set<String> left = new TreeSet<>(there);
    job.names().forEach(left::remove);
    if (!left.isEmpty() && !flink.get(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE)) {
      throw new ConfigException(
          "the savepoint "
              + savepoint
              + " has state of "
              + SketchJobName.described(there)
              + ", and there is no --config of "
              + String.join(", ", left)
              + ": "
              + REMEDIES);
    }
    return left;
  }

  /** Prints which state a job goes on from, if it is restored. */
  public static void sayRestored(ReadableConfig flink, PrintWriter err) {
    flink
        .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
        .ifPresent(path -> err.println("going on from savepoint or checkpoint " + path));
  }

  /** Returns the cluster's reason for a refusal, and what to do about it. */
  static String explained(String reason) {
    return reason.contains(UNCLAIMED)
        ? reason
            + " It is of a stream that has no config here, or of one of these streams when its config had another privacy.unit:"
            + " that one is restored with that config only. So "
            + REMEDIES
        : reason;
  }
}
