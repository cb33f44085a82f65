package io.gauze.pipeline.again;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;

/**
 * First stages of releases that were charged before the job was started, as they are published.
 * What this job publishes itself is never among them, so nothing depends on when that happens.
 */
public interface PublishedStages extends AutoCloseable {
  /** Opens the stages of a stream where the job runs. */
  interface Factory extends Serializable {
    PublishedStages open(EpochSchedule schedule);
  }

  /**
   * Returns the first stage of a release; empty if it was not charged before the job was started,
   * or was lost with the state of an earlier job.
   *
   * @param cell any cell of the group and sketch
   * @param oldest an epoch that none that is asked for later is before; the first call decides
   * @throws IOException if the broker does not answer
   */
  Optional<long[]> stage(Cell cell, long epoch, long oldest) throws IOException;

  @Override
  void close();

  /** Reads the topic of releases once, from the time on at which the oldest epoch began. */
  final class InTopic implements PublishedStages {
    private final SketchJobSettings settings;
    private final EpochSchedule schedule;
    private final PreviousReleases releases;
    private boolean read;

    InTopic(SketchJobSettings settings, EpochSchedule schedule) {
      this.settings = settings;
      this.schedule = schedule;
      this.releases =
          new PreviousReleases(
              settings, schedule, (id, mechanism) -> kept(settings, id, mechanism));
    }

    private static int kept(SketchJobSettings settings, ReleaseId id, Mechanism mechanism) {
      boolean before = settings.published().contains(id.toString());
      return before && mechanism instanceof TwoStageMechanism two && two.modelEpochs() > 1
          ? two.spec().stateLength()
          : 0;
    }

    @Override
    public Optional<long[]> stage(Cell cell, long epoch, long oldest) throws IOException {
      if (!settings.isPublished(cell, epoch)) {
        return Optional.empty();
      }
      if (!read) {
        // An epoch is published after it was sealed, by a clock that may be behind the one that
        // sealed it: by less than sealDelay, so not before the epoch began.
        releases.read(Math.max(0, oldest * schedule.lengthMillis()));
        read = true;
      }
      return Optional.ofNullable(releases.of(cell).get(epoch));
    }

    @Override
    public void close() {
      releases.close();
    }
  }
}
