package io.gauze.pipeline;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** Whose state a savepoint or checkpoint holds: its list of operators says so. */
public final class RestoredStreams {
  private RestoredStreams() {}

  /**
   * The names of the streams, sorted; reads the list, not the state.
   *
   * @param savepoint as Flink is given it
   * @return empty if it cannot be read from here, or does not name its operators
   */
  public static Optional<Set<String>> of(String savepoint) {
    Set<String> streams = new TreeSet<>();
    ClassLoader loader = RestoredStreams.class.getClassLoader();
    try (DataInputStream in =
        new DataInputStream(
            AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(savepoint)
                .getMetadataHandle()
                .openInputStream())) {
      for (OperatorState operator :
          Checkpoints.loadCheckpointMetadata(in, loader, savepoint).getOperatorStates()) {
        operator.getOperatorUid().flatMap(JobUids::stream).ifPresent(streams::add);
      }
    } catch (IOException e) {
      return Optional.empty(); // Flink, which may see more from where it is, has the last word
    }
    return streams.isEmpty() ? Optional.empty() : Optional.of(streams);
  }
}
