package io.gauze.publish;

import io.gauze.ledger.LedgerBook;
import io.gauze.mechanism.ReleaseId;
import io.gauze.stream.SketchJobSettings;
import java.time.Instant;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The metrics of the releases that were sent. */
final class ReleaseMetrics {
  private final Counter published;
  private final Counter repeated;
  private final UnreleasedEpochs unreleased;
  private volatile long sealToPublishMillis;
  private volatile long lastReleaseMillis;
  private volatile long lastReleaseEpochMillis;

  ReleaseMetrics(SketchJobSettings settings, MetricGroup metrics) {
    this.unreleased = new UnreleasedEpochs(settings);
    this.published = metrics.counter("publishedReleases");
    this.repeated = metrics.counter("repeatedReleases");
    metrics.gauge("sealToPublishMillis", () -> sealToPublishMillis);
    metrics.gauge("lastReleaseMillis", () -> lastReleaseMillis);
    metrics.gauge("lastReleaseEpochMillis", () -> lastReleaseEpochMillis);
    metrics.gauge("oldestUnreleasedEpochMillis", unreleased::oldestMillis);
  }

  /** Counts a release that is published since {@code now}, in wall-clock milliseconds. */
  void published(ReleaseCommittable release, long now) {
    published.inc();
    sealToPublishMillis = now - release.sealedMillis();
    ReleaseId id = ReleaseId.parse(release.id());
    unreleased.add(id);
    String epoch = id.epoch();
    lastReleaseEpochMillis = epoch.equals(ReleaseId.ALL) ? 0 : Instant.parse(epoch).toEpochMilli();
    lastReleaseMillis = now;
  }

  /** Says what the ledger calls published, also by a committer before this one. */
  void known(LedgerBook ledger) {
    unreleased.add(ledger);
  }

  /** Counts a release that was already published. */
  void repeated() {
    repeated.inc();
  }
}
