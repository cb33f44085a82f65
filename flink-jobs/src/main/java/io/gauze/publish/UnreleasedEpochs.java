package io.gauze.publish;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.HeldReleases;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.SketchPlan;
import io.gauze.stream.SketchJobSettings;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Finds the oldest epoch of which a release is not published yet: every epoch has one for each
 * group and sketch, with or without rows. While one sketch or model is behind the others, each
 * later epoch takes a bit for each of its releases. Written by one thread.
 */
final class UnreleasedEpochs {
  private final SketchJobSettings settings;
  private final Map<String, Integer> groups;
  private final Map<String, Integer> sketches;
  private final Map<Long, Open> open = new HashMap<>();
  private volatile long oldest;

  /** The releases of an epoch that are published, by their places, and how many are not. */
  private static final class Open {
    private final BitSet published = new BitSet();
    private int left;

    Open(int releases) {
      left = releases;
    }

    void add(int place) {
      left -= published.get(place) ? 0 : 1;
      published.set(place);
    }
  }

  UnreleasedEpochs(SketchJobSettings settings) {
    this.settings = settings;
    this.oldest = settings.schedule().firstEpoch();
    this.groups = places(settings.input().groups());
    this.sketches = places(settings.plan().sketches().stream().map(SketchPlan::name).toList());
    add(settings.published());
  }

  private static Map<String, Integer> places(List<String> names) {
    Map<String, Integer> places = new HashMap<>();
    names.forEach(name -> places.put(name, places.size()));
    return places;
  }

  private void add(HeldReleases held) {
    if (settings.schedule().isAll()) {
      return;
    }
    long next = oldest;
    while (settings.areIn(held, next) || isWhole(next)) {
      open.remove(next);
      next++;
    }
    oldest = next;
    held.ofEpochs(this::isOpen).forEach(id -> add(ReleaseId.parse(id)));
  }

  private boolean isWhole(long epoch) {
    Open found = open.get(epoch);
    return found != null && found.left == 0;
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
    Integer group = groups.get(id.group());
    Integer sketch = sketches.get(id.sketch());
    if (epoch.isEmpty() || epoch.getAsLong() < next || group == null || sketch == null) {
      return;
    }
    open.computeIfAbsent(epoch.getAsLong(), any -> new Open(groups.size() * sketches.size()))
        .add(group * sketches.size() + sketch);
    while (isWhole(next)) {
      open.remove(next);
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
