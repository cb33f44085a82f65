package io.gauze.pipeline;

import java.util.Locale;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/**
 * Refuses settings under which a checkpoint would contain raw rows or sums without noise, or a
 * release might not be sent exactly once. The settings are checked when the job is built, and again
 * where it runs, since a cluster may override the client's settings.
 */
public final class ProtocolGuard {
  private static final String HASH_MAP = "hashmap";

  private ProtocolGuard() {}

  /**
   * Checks the settings of the client.
   *
   * @throws IllegalArgumentException naming the setting, its allowed value and its value
   */
  public static void checkConfig(ReadableConfig config) {
    RuntimeExecutionMode mode = config.get(ExecutionOptions.RUNTIME_MODE);
    require(
        mode == RuntimeExecutionMode.STREAMING,
        ExecutionOptions.RUNTIME_MODE.key(),
        "STREAMING",
        mode);
    require(
        config
            .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
            .filter(t -> t.toMillis() > 0)
            .isPresent(),
        CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
        "a positive duration, since a release is sent when a checkpoint is complete",
        "none");
    CheckpointingMode consistency = config.get(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE);
    require(
        consistency == CheckpointingMode.EXACTLY_ONCE,
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE.key(),
        "EXACTLY_ONCE",
        consistency);
    boolean atEnds = config.get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH);
    require(
        atEnds,
        CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key(),
        "true, since the last releases of rows that end are sent by a checkpoint after that",
        atEnds);
    boolean unaligned = config.get(CheckpointingOptions.ENABLE_UNALIGNED);
    require(
        !unaligned,
        CheckpointingOptions.ENABLE_UNALIGNED.key(),
        "false, since in-flight partial sums have no noise yet",
        unaligned);
    String backend = config.get(StateBackendOptions.STATE_BACKEND);
    require(
        HASH_MAP.equalsIgnoreCase(backend),
        StateBackendOptions.STATE_BACKEND.key(),
        HASH_MAP + ", since others keep old versions side by side",
        backend);
    boolean changelog = config.get(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG);
    require(
        !changelog,
        StateChangelogOptions.ENABLE_STATE_CHANGE_LOG.key(),
        "false, since it keeps old versions side by side",
        changelog);
    boolean chained = config.get(PipelineOptions.OPERATOR_CHAINING);
    require(
        chained,
        PipelineOptions.OPERATOR_CHAINING.key(),
        "true, since rows that go from one task to another may be written to temporary files",
        chained);
  }

  private static void require(boolean holds, String key, String allowed, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be %s. Provided value: %s", key, allowed, value));
    }
  }

  /**
   * Checks the settings that are effective in a running task.
   *
   * @throws IllegalStateException if unaligned checkpoints are enabled
   */
  public static void checkJob(StreamTask<?, ?> task) {
    Environment environment = task.getEnvironment();
    Configuration job = environment.getJobConfiguration();
    boolean unaligned = job.get(CheckpointingOptions.ENABLE_UNALIGNED);
    if (unaligned) {
      throw new IllegalStateException(
          CheckpointingOptions.ENABLE_UNALIGNED.key()
              + " must be false for this job. Provided value: true");
    }
  }

  /**
   * Checks that a checkpoint that begins is aligned.
   *
   * @throws IllegalStateException if it is unaligned, or may become so after a timeout
   */
  public static void checkAligned(CheckpointOptions options) {
    if (options.isUnalignedCheckpoint() || options.isTimeoutable()) {
      throw new IllegalStateException(
          "an unaligned checkpoint was asked for, which would hold partial sums without noise; set "
              + CheckpointingOptions.ENABLE_UNALIGNED.key()
              + " to false");
    }
  }

  /**
   * Checks that the state backend keeps no old versions of the accumulators.
   *
   * @throws IllegalStateException if it is not {@code hashmap}
   */
  public static void checkBackend(KeyedStateBackend<?> backend) {
    String type = backend.getBackendTypeIdentifier();
    if (!HASH_MAP.equalsIgnoreCase(type)) {
      throw new IllegalStateException(
          StateBackendOptions.STATE_BACKEND.key()
              + " must be "
              + HASH_MAP
              + " for this job. Provided value: "
              + type);
    }
  }
}
