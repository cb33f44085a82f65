package io.gauze.pipeline;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.NavigableMap;

/**
 * First stages of earlier epochs, as they are published. Nothing that is not published is used,
 * whatever noise it has: after a loss of state, the same rows may get another noise, and only one
 * of both may ever be seen.
 */
interface PublishedStages extends AutoCloseable {
  /** Opens the stages of a stream where the job runs. */
  interface Factory extends Serializable {
    PublishedStages open(EpochSchedule schedule);
  }

  /**
   * Returns the first stages that are published of the epochs before an epoch, as many as the
   * mechanism takes beside that epoch's own; in their order. Waits for no release.
   *
   * @param cell any cell of the group and sketch
   * @throws IOException if the broker does not answer
   */
  List<long[]> before(Cell cell, long epoch, TwoStageMechanism mechanism) throws IOException;

  @Override
  void close();

  /** Follows the topic of releases from the time on at which the first epoch in question ended. */
  final class InTopic implements PublishedStages {
    private final EpochSchedule schedule;
    private final EarlierReleases releases;

    InTopic(SketchJobSettings settings, EpochSchedule schedule) {
      this.schedule = schedule;
      this.releases = new EarlierReleases(settings, schedule, InTopic::kept);
    }

    private static int kept(ReleaseId id, Mechanism mechanism) {
      return mechanism instanceof TwoStageMechanism two && two.modelEpochs() > 1
          ? two.spec().stateLength()
          : 0;
    }

    @Override
    public List<long[]> before(Cell cell, long epoch, TwoStageMechanism mechanism)
        throws IOException {
      long first = epoch - mechanism.modelEpochs() + 1;
      // An epoch is published after it ended, so nothing in question is before that time.
      releases.read(schedule.cutMillis(first));
      NavigableMap<Long, long[]> found = releases.of(cell);
      found.headMap(first).clear(); // epochs come in order
      return List.copyOf(found.headMap(epoch).values());
    }

    @Override
    public void close() {
      releases.close();
    }
  }
}
