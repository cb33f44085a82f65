package io.gauze.publish;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.HeldReleases;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.stream.SketchJobSettings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the oldest epoch of which a release is not published yet: every epoch has one for each
 * group and sketch, with or without rows. Releases of later epochs are kept by their ids, so it
 * takes memory with what one sketch or model is behind the others. Written by one thread.
 */
final class UnreleasedEpochs {
  private final SketchJobSettings settings;
  private final int each;
  private final Map<Long, Set<ReleaseId>> published = new HashMap<>();
  private volatile long oldest;

  UnreleasedEpochs(SketchJobSettings settings) {
    this.settings = settings;
    this.oldest = settings.schedule().firstEpoch();
    this.each = settings.releaseIds(oldest, oldest).size();
    add(settings.published());
  }

  private void add(HeldReleases held) {
    if (settings.schedule().isAll()) {
      return;
    }
    long next = oldest;
    while (settings.areIn(held, next) || isWhole(next)) {
      published.remove(next);
      next++;
    }
    oldest = next;
    held.ofEpochs(this::isOpen).forEach(id -> add(ReleaseId.parse(id)));
  }

  private boolean isWhole(long epoch) {
    return published.getOrDefault(epoch, Set.of()).size() >= each;
  }

  private boolean isOpen(String epoch) {
    return settings.schedule().epochOf(epoch).orElse(Long.MIN_VALUE) >= oldest;
  }

  /** Adds what the ledger calls published, of which an earlier committer may have sent some. */
  void add(LedgerBook ledger) {
    add(
        ledger.held(
            settings.plan().stream(), entry -> entry.state() == LedgerEntry.State.PUBLISHED));
  }

  /** Adds a release that is published. */
  void add(ReleaseId id) {
    long next = oldest;
    OptionalLong epoch = settings.schedule().epochOf(id.epoch());
    if (epoch.isEmpty() || epoch.getAsLong() < next) {
      return;
    }
    published.computeIfAbsent(epoch.getAsLong(), any -> new HashSet<>()).add(id);
    while (isWhole(next)) {
      published.remove(next);
      next++;
    }
    oldest = next;
  }

  /**
   * Returns when the epoch begins, in milliseconds since 1970 UTC, from any thread; 0 if the stream
   * has only one epoch, or if all of its releases are published.
   */
  long oldestMillis() {
    EpochSchedule schedule = settings.schedule();
    boolean complete = oldest > settings.lastRelease(schedule);
    return schedule.isAll() || complete ? 0 : oldest * schedule.lengthMillis();
  }
}
