package io.gauze.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The disk to which a job of this process writes its checkpoints. Flink's message of a checkpoint
 * that failed does not name its cause, and a full disk is the usual one.
 */
final class CheckpointDisk {
  /** A checkpoint of a small job, with its metadata. */
  private static final long LEAST_BYTES = 1 << 20;

  private final Path folder;
  private final Space space;

  /** Returns the usable bytes of the disk of a folder. */
  @FunctionalInterface
  interface Space {
    long left(Path folder) throws IOException;
  }

  /** Creates the disk of a folder, which need not exist yet. */
  CheckpointDisk(Path folder) {
    this(folder, each -> Files.getFileStore(each).getUsableSpace());
  }

  CheckpointDisk(Path folder, Space space) {
    this.folder = folder;
    this.space = space;
  }

  /**
   * Returns sentences for the owner if there is too little space for a checkpoint.
   *
   * @param lastBytes the size of the last checkpoint that was complete; 0 if there is none
   */
  Optional<String> full(long lastBytes) {
    try {
      long left = space.left(folder);
      return left < LEAST_BYTES + lastBytes
          ? Optional.of(
              "The disk of the checkpoints is full: "
                  + (left >> 10)
                  + " kB are left for "
                  + folder
                  + ". Free some of it, or set execution.checkpointing.dir to another disk")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of("The folder of the checkpoints, " + folder + ", cannot be read: " + e);
    }
  }
}
