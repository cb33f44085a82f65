package io.gauze.job;

import io.gauze.pipeline.JobUids;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** Finds the streams whose state a savepoint or checkpoint holds, by its list of operators. */
public final class RestoredStreams {
  private RestoredStreams() {}

  /**
   * Checks that there is a savepoint or checkpoint to read.
   *
   * @throws IOException if there is none
   */
  public static void require(String savepoint) throws IOException {
    read(savepoint);
  }

  private static CheckpointMetadata read(String savepoint) throws IOException {
    ClassLoader loader = RestoredStreams.class.getClassLoader();
    try (DataInputStream in =
        new DataInputStream(
            AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(savepoint)
                .getMetadataHandle()
                .openInputStream())) {
      return Checkpoints.loadCheckpointMetadata(in, loader, savepoint);
    }
  }

  /**
   * Returns the names of the streams, sorted. Reads the list of operators, not their state.
   *
   * @param savepoint the path, as Flink gets it
   * @return empty if it cannot be read from here, or does not name its operators
   */
  public static Optional<Set<String>> of(String savepoint) {
    Set<String> streams = new TreeSet<>();
    try {
      for (OperatorState operator : read(savepoint).getOperatorStates()) {
        operator.getOperatorUid().flatMap(JobUids::stream).ifPresent(streams::add);
      }
    } catch (IOException e) {
      return Optional.empty(); // Flink may read it from where it runs, and decides
    }
    return streams.isEmpty() ? Optional.empty() : Optional.of(streams);
  }
}
