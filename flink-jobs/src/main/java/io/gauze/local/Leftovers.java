package io.gauze.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what killed processes have left in the folder for temporary files. The data of a broker
 * are useless after its end. But the checkpoints of a cluster may be the only state of a job whose
 * broker runs elsewhere.
 */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  private Leftovers() {}

  /** Deletes all leftovers; one that cannot be deleted is logged. */
  static void clear(Path parent, String prefix) throws IOException {
    for (Path left : TempFolder.left(parent, prefix)) {
      delete(left);
    }
  }

  /** Deletes the leftovers without a checkpoint, and logs how to use or delete the others. */
  static void clearButCheckpoints(Path parent, String prefix) throws IOException {
    for (Path left : TempFolder.left(parent, prefix)) {
      Optional<Path> newest = newestCheckpoint(left);
      if (newest.isEmpty()) {
        delete(left);
      } else {
        LOG.warn(
            "{} has checkpoints of a process that was killed. If its job must go on: ./gauze run"
                + " --config FILE --restore {}. Then, or else, delete it, since two checkpoints"
                + " give away exact sums: rm -r {}",
            left,
            newest.get(),
            left);
      }
    }
  }

  private static void delete(Path left) {
    try {
      TempFolder.delete(left);
      LOG.info("deleted {}, which a process that was killed had left", left);
    } catch (IOException e) {
      LOG.warn("{}, which a process that was killed has left, cannot be deleted: {}", left, e);
    }
  }

  /**
   * Returns the newest checkpoint in a folder; empty if another process deletes the folder
   * meanwhile.
   */
  private static Optional<Path> newestCheckpoint(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.filter(file -> file.endsWith("_metadata"))
          .max(Comparator.comparing(file -> file.toFile().lastModified()))
          .map(Path::getParent);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return Optional.empty();
      }
      throw e.getCause();
    }
  }
}
