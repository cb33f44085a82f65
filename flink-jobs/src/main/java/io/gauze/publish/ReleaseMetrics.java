package io.gauze.publish;

import io.gauze.mechanism.ReleaseId;
import java.time.Instant;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What the operator may know of releases that were sent. */
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

  /** A release is out, since {@code now}. */
  void published(ReleaseCommittable release, long now) {
    published.inc();
    sealToPublishMillis = now - release.sealedMillis();
    String epoch = ReleaseId.parse(release.id()).epoch();
    lastReleaseEpochMillis = epoch.equals(ReleaseId.ALL) ? 0 : Instant.parse(epoch).toEpochMilli();
    lastReleaseMillis = now;
  }

  /** A release was out before. */
  void repeated() {
    repeated.inc();
  }
}
