package io.gauze.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;

/** Checkpoints that a job leaves when it fails. */
final class LeftCheckpoints {
  private LeftCheckpoints() {}

  /** For a job that fails at its first fault, and leaves its checkpoints in a folder. */
  static Configuration of(Path folder) {
    Configuration job = new Configuration();
    job.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
    job.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
    job.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    return job;
  }

  /** The last complete checkpoint in a folder. */
  static Optional<Path> latest(Path folder) throws IOException {
    try (Stream<Path> files = Files.find(folder, 4, (file, is) -> file.endsWith("_metadata"))) {
      return files
          .map(Path::getParent)
          .max(Comparator.comparing(path -> path.toFile().lastModified()));
    }
  }

  /** For a job that begins at a checkpoint. */
  static Configuration restore(Path checkpoint) {
    Configuration job = new Configuration();
    job.set(StateRecoveryOptions.SAVEPOINT_PATH, checkpoint.toUri().toString());
    return job;
  }
}
