package io.gauze.cli.flink;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Flink's settings of a job: those of the config, and those of Flink's client if it has called this
 * program.
 */
public final class ClientSettings {
  private ClientSettings() {}

  /**
   * Returns the settings of a job. Flink's client adds its own settings, and its parallelism and
   * savepoint replace those of the config.
   *
   * @param flink the config's settings
   * @param restore the savepoint of the option {@code --restore}, which replaces all others
   */
  public static Configuration of(Map<String, String> flink, Optional<String> restore) {
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
