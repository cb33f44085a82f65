package io.gauze.pipeline.again;

import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the releases with which those of an epoch begin: of the epoch before, once it is published.
 * No row waits for it, since only the thread that fits does.
 *
 * <p>Of a mechanism that need not wait, the last release that this lane has made since it was
 * opened comes first. It leaves before the next one, and is published before it or not at all; a
 * crash loses both, or none of what a checkpoint holds. After a restore there is none, and what is
 * published decides.
 *
 * <p>A job that ends with its input publishes nothing between the end of the input and its own. Its
 * models begin with the newest one that was published when the job was started, so that a rule
 * decides, and not when checkpoints are complete. An unbounded job whose input is drained takes the
 * newest published ones.
 */
final class EpochCentres implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EpochCentres.class);

  private final SketchJobSettings settings;
  private final PublishedModels published;
  private final Set<String> restored;
  private final Map<Cell, Made> made = new HashMap<>();
  private volatile boolean ended;

  /** A release that this lane has made. */
  private static final class Made {
    private final long epoch;
    private final long[] numbers;

    Made(long epoch, long... numbers) {
      this.epoch = epoch;
      this.numbers = numbers;
    }
  }

  /**
   * Creates the centres of a stream.
   *
   * @param restored the ids of releases that were fitted when the restored state was made, some of
   *     which may be charged and not published yet
   */
  EpochCentres(SketchJobSettings settings, PublishedModels published, Set<String> restored) {
    this.settings = settings;
    this.published = published;
    this.restored = Set.copyOf(restored);
  }

  /** Says that the input has ended, from any thread. */
  void end() {
    ended = true;
  }

  /**
   * Waits until the releases of the epoch before are published.
   *
   * @throws IOException if the broker does not answer
   * @throws CancellationException if the thread is interrupted
   */
  void await(FitTask task, List<Cell> cells) throws IOException {
    List<Cell> tracked =
        cells.stream().filter(cell -> isTracked(cell) && !made.containsKey(cell)).toList();
    if (tracked.isEmpty()) {
      return;
    }
    tracked.stream()
        .filter(cell -> isHeld(cell, task.epoch() - 1))
        .forEach(cell -> says(task, cell));
    try {
      boolean last;
      do {
        last = ended; // what is read after it has ended is all that there will be
        published.read(task.epoch(), oldest(task.epoch(), tracked));
      } while (!last && tracked.stream().anyMatch(cell -> mayCome(task, cell)));
    } catch (InterruptException e) {
      throw interrupted(e);
    }
  }

  private static CancellationException interrupted(InterruptException cause) {
    CancellationException cancelled = new CancellationException("the job ends");
    cancelled.initCause(cause);
    return cancelled;
  }

  private long oldest(long epoch, List<Cell> tracked) {
    int most =
        tracked.stream()
            .flatMap(cell -> tracking(cell).stream())
            .mapToInt(TrackingMechanism::mostEpochsBefore)
            .max()
            .orElseThrow();
    return epoch - most;
  }

  private Optional<TrackingMechanism> tracking(Cell cell) {
    return settings.plan().sketch(cell.sketch()).mechanism() instanceof TrackingMechanism tracking
        ? Optional.of(tracking)
        : Optional.empty();
  }

  private boolean isTracked(Cell cell) {
    return tracking(cell).isPresent();
  }

  /** Takes a release that was made, with which the next one of its series may begin. */
  void made(Cell cell, long epoch, long... numbers) {
    if (tracking(cell).filter(mechanism -> !mechanism.waitsForPublished()).isPresent()) {
      made.put(cell, new Made(epoch, numbers));
    }
  }

  /** Whether the release of the epoch before is not published, and this job publishes it. */
  // One that was charged before this job was started is published by it if its state holds it. One
  // that was published before is in the topic; or it never will be, if the topic is another one.
  private boolean mayCome(FitTask task, Cell cell) {
    long before = task.epoch() - 1;
    return !published.epochs(cell).contains(before)
        && before >= task.firstEpoch()
        && (isKnown(cell, before) ? isHeld(cell, before) : !settings.bounded());
  }

  /** Whether a release was charged before this job was started, and is sent from its state. */
  private boolean isHeld(Cell cell, long epoch) {
    String id = settings.releaseId(cell, epoch).toString();
    return restored.contains(id) && settings.unsent().contains(id);
  }

  private void says(FitTask task, Cell cell) {
    LOG.info(
        "The {} begin once release {} is in topic {}, which the restored state held.",
        task,
        settings.releaseId(cell, task.epoch() - 1),
        settings.topics().releases());
  }

  /** Whether a release was charged before this job was started. */
  private boolean isKnown(Cell cell, long epoch) {
    return settings.isPublished(cell, epoch);
  }

  /** Returns the release with which that of an epoch begins. */
  Optional<PreviousRelease> before(Cell cell, long epoch) {
    Made last = made.get(cell);
    if (last != null && last.epoch < epoch) {
      return Optional.of(PreviousRelease.of(last.numbers, epoch - last.epoch));
    }
    return published.epochs(cell).stream()
        .filter(each -> each < epoch && (!settings.bounded() || isKnown(cell, each)))
        .max(Comparator.naturalOrder())
        .map(each -> PreviousRelease.of(published.numbers(cell, each), epoch - each));
  }

  @Override
  public void close() {
    published.close();
  }
}
