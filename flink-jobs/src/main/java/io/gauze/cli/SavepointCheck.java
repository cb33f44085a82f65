package io.gauze.cli;

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

/** What a savepoint holds against what a job has: a stream may come, and leave only if told to. */
final class SavepointCheck {
  /** How Flink begins to say that the savepoint has state that the job does not take. */
  private static final String UNCLAIMED = "Cannot map checkpoint/savepoint state";

  private static final String REMEDIES =
      "give the configs of all its streams; or, to leave a stream behind with its open epochs, set"
          + " flink.properties "
          + StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE.key()
          + ": true (on a cluster: flink run --allowNonRestoredState)";

  private SavepointCheck() {}

  /**
   * Checks that there is something to restore, before Flink finds out. For a job in this process:
   * what a cluster sees may not be seen from here.
   *
   * @throws ConfigException if there is no savepoint or checkpoint
   */
  static void require(ReadableConfig flink) throws ConfigException {
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
   * Checks it before the job starts, as far as the savepoint can be read from here, and says which
   * streams are not in it.
   *
   * @return the job's streams that it holds; all of them if it cannot be read from here
   * @throws ConfigException if it has state of other streams, and they are not to be left behind
   */
  static Set<String> check(String savepoint, ReadableConfig flink, JobStreams job, PrintWriter err)
      throws ConfigException {
    Optional<Set<String>> there = RestoredStreams.of(savepoint);
    if (there.isEmpty()) {
      return Set.copyOf(job.names());
    }
    Set<String> left = new TreeSet<>(there.get());
    job.names().forEach(left::remove);
    if (!left.isEmpty() && !flink.get(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE)) {
      throw new ConfigException(
          "the savepoint "
              + savepoint
              + " has state of "
              + SketchJobName.described(there.get())
              + ", and there is no --config of "
              + String.join(", ", left)
              + ": "
              + REMEDIES);
    }
    left.forEach(name -> err.println("stream " + name + ": is left behind in the savepoint"));
    job.names().stream()
        .filter(name -> !there.get().contains(name))
        .forEach(name -> err.println("stream " + name + ": is not in the savepoint; starts anew"));
    return there.get();
  }

  /** The reason that the cluster gives for a refusal, and what to do about it. */
  static String explained(String reason) {
    return reason.contains(UNCLAIMED)
        ? reason
            + " It is of a stream that has no config here, or of one of these streams when its config had another privacy.unit:"
            + " that one is restored with that config only. So "
            + REMEDIES
        : reason;
  }
}
