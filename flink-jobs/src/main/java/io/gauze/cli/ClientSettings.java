package io.gauze.cli;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Flink's settings for a job: the config's, and those of Flink's client if it has called. */
final class ClientSettings {
  private ClientSettings() {}

  /**
   * The config's settings. On a cluster, Flink's client has a say, too: of parallelism and of what
   * is restored, its word is the last.
   *
   * @param flink the config's settings
   * @param restore the savepoint that the user names here
   */
  static Configuration of(Map<String, String> flink, Optional<String> restore) {
    Configuration all = new Configuration();
    if (FlinkClientContext.isGuest()) {
      StreamExecutionEnvironment theirs = StreamExecutionEnvironment.getExecutionEnvironment();
      all.addAll(Configuration.fromMap(theirs.getConfiguration().toMap()));
    }
    Optional<Integer> parallelism = all.getOptional(CoreOptions.DEFAULT_PARALLELISM);
    Optional<String> savepoint = all.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
    all.addAll(Configuration.fromMap(flink));
    parallelism.ifPresent(given -> all.set(CoreOptions.DEFAULT_PARALLELISM, given));
    savepoint.ifPresent(given -> all.set(StateRecoveryOptions.SAVEPOINT_PATH, given));
    restore.ifPresent(given -> all.set(StateRecoveryOptions.SAVEPOINT_PATH, given));
    return all;
  }
}
