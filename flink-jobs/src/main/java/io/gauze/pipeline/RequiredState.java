package io.gauze.pipeline;

import io.gauze.config.EpochSchedule;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartBlocker;
import java.util.List;

/** Refuses to start jobs that must not begin without a savepoint or checkpoint. */
public final class RequiredState {
  private RequiredState() {}

  /**
   * Refuses to begin without the state that the next release needs: the state of a cumulative
   * series, which holds the series' noise so far, or the sums of rows that the log has lost. Also
   * refuses to begin with more past epochs than the config allows to release.
   *
   * @param restored whether the job goes on from a savepoint or checkpoint, which makes it pass
   * @throws PrivacyConflictException if the ledger holds releases of the cumulative series, some of
   *     them or all, after which nothing is left to do; or if the log may lack rows
   * @throws IllegalArgumentException if there are too many past epochs
   */
  public static void check(SketchJobSettings settings, boolean restored) {
    if (restored) {
      return;
    }
    if (settings.isCumulative() && !settings.published().isEmpty()) {
      throw lostOrComplete(settings);
    }
    for (StartBlocker blocker : settings.found().blockers()) {
      throw switch (blocker.kind()) {
        case LOST_ROWS -> PrivacyConflictException.lostRows(blocker.reason());
        case BACKLOG -> new IllegalArgumentException(blocker.reason());
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
