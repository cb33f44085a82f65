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

/** Whose state a savepoint or checkpoint holds: its list of operators says so. */
public final class RestoredStreams {
  private RestoredStreams() {}

  /**
   * Checks that there is a savepoint or checkpoint to read.
   *
   * @throws IOException if not
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
   * The names of the streams, sorted; reads the list, not the state.
   *
   * @param savepoint as Flink is given it
   * @return empty if it cannot be read from here, or does not name its operators
   */
  public static Optional<Set<String>> of(String savepoint) {
    Set<String> streams = new TreeSet<>();
    try {
      for (OperatorState operator : read(savepoint).getOperatorStates()) {
        operator.getOperatorUid().flatMap(JobUids::stream).ifPresent(streams::add);
      }
    } catch (IOException e) {
      return Optional.empty(); // Flink, which may see more from where it is, has the last word
    }
    return streams.isEmpty() ? Optional.empty() : Optional.of(streams);
  }
}
