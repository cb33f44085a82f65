package io.gauze.pipeline;

import io.gauze.config.EpochSchedule;
import io.gauze.stream.Obstacle;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.util.List;

/** Which jobs must not begin without a savepoint or checkpoint. */
public final class RequiredState {
  private RequiredState() {}

  /**
   * Refuses to begin without the state that the next release needs: that of a cumulative series,
   * whose noise so far is in another job's state, or that of rows which the log has lost; or with
   * more past epochs than the config lets it release.
   *
   * @param restored whether the job goes on from a savepoint or checkpoint
   * @throws PrivacyConflictException if it does not, and the ledger held releases of the series:
   *     some, or all, after which there is nothing left to do; or if the log may lack rows
   * @throws IllegalArgumentException if it does not, and there are too many past epochs
   */
  public static void check(SketchJobSettings settings, boolean restored) {
    if (restored) {
      return;
    }
    if (settings.isCumulative() && !settings.published().isEmpty()) {
      throw lostOrComplete(settings);
    }
    for (Obstacle obstacle : settings.found().obstacles()) {
      throw switch (obstacle.kind()) {
        case LOST_ROWS -> PrivacyConflictException.lostRows(settings, obstacle.reason());
        case BACKLOG -> new IllegalArgumentException(obstacle.reason());
      };
    }
  }

  private static PrivacyConflictException lostOrComplete(SketchJobSettings settings) {
    EpochSchedule epochs = settings.schedule();
    List<String> all = settings.releaseIds(epochs.firstEpoch(), settings.lastRelease(epochs));
    return settings.published().containsAll(all)
        ? PrivacyConflictException.completeSeries(settings)
        : PrivacyConflictException.lostSeries(settings);
  }
}
