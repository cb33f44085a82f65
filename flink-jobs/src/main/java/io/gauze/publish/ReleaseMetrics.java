package io.gauze.publish;

import io.gauze.mechanism.ReleaseId;
import java.time.Instant;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The metrics of the releases that were sent. */
final class ReleaseMetrics {
  private final Counter published;
  private final Counter repeated;
  private volatile long sealToPublishMillis;
  private volatile long lastReleaseMillis;
  private volatile long lastReleaseEpochMillis;

  ReleaseMetrics(MetricGroup metrics) {
    this.published = metrics.counter("publishedReleases");
    this.repeated = metrics.counter("repeatedReleases");
    metrics.gauge("sealToPublishMillis", () -> sealToPublishMillis);
    metrics.gauge("lastReleaseMillis", () -> lastReleaseMillis);
    metrics.gauge("lastReleaseEpochMillis", () -> lastReleaseEpochMillis);
  }

  /** Counts a release that is published since {@code now}, in wall-clock milliseconds. */
  void published(ReleaseCommittable release, long now) {
    published.inc();
    sealToPublishMillis = now - release.sealedMillis();
    String epoch = ReleaseId.parse(release.id()).epoch();
    lastReleaseEpochMillis = epoch.equals(ReleaseId.ALL) ? 0 : Instant.parse(epoch).toEpochMilli();
    lastReleaseMillis = now;
  }

  /** Counts a release that was already published. */
  void repeated() {
    repeated.inc();
  }
}
