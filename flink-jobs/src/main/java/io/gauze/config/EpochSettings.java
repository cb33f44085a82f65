package io.gauze.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How the stream is cut into epochs.
 *
 * @param length at least 1 s, in whole milliseconds; empty: one epoch for bounded input
 * @param from the first epoch holds this time; empty: the job's first start
 * @param backfill how many past epochs a start may have to release, at least 1
 * @param grace how long after an epoch's end it is sealed, in [0 s, 1 day]
 */
public record EpochSettings(
    Optional<Duration> length, Optional<Instant> from, int backfill, Duration grace) {
  /** One epoch for everything. */
  public static final EpochSettings ALL =
      new EpochSettings(Optional.empty(), Optional.empty(), 1000, Duration.ZERO);

  static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
  static final int DEFAULT_BACKFILL = 1000;

  private static final Duration DAY = Duration.ofDays(1);

  /** Whether there is one epoch for everything. */
  public boolean isAll() {
    return length.isEmpty();
  }

  static EpochSettings read(YamlMap top) throws ConfigException {
    YamlMap map = top.require("epochs", "keys and values").map("keys and values");
    for (String key : new String[] {"time", "lateness", "ahead"}) {
      if (map.has(key)) {
        throw map.require(key, "")
            .error("is not supported yet: epochs are spans of the append time; remove the key");
      }
    }
    map.only("length", "from", "backfill", "grace");
    String allowed = "all or an ISO duration of whole milliseconds in [PT1S, P3650D]";
    YamlValue length = map.require("length", allowed);
    if (length.text(allowed).equals("all")) {
      return all(map);
    }
    Duration duration = length.duration(Duration.ofSeconds(1), DAY.multipliedBy(3650), allowed);
    Optional<YamlValue> from = map.get("from");
    Optional<YamlValue> backfill = map.get("backfill");
    Optional<YamlValue> grace = map.get("grace");
    return new EpochSettings(
        Optional.of(duration),
        from.isEmpty()
            ? Optional.empty()
            : Optional.of(from.get().instant("a time in UTC such as 2026-01-01T00:00:00Z")),
        backfill.isEmpty() ? DEFAULT_BACKFILL : (int) backfill.get().whole(1, 1_000_000),
        grace.isEmpty()
            ? DEFAULT_GRACE
            : grace.get().duration(Duration.ZERO, DAY, "an ISO duration in [PT0S, P1D]"));
  }

  private static EpochSettings all(YamlMap map) throws ConfigException {
    for (String key : new String[] {"from", "backfill", "grace"}) {
      if (map.has(key)) {
        throw map.require(key, "").error("means nothing with epochs.length all; remove the key");
      }
    }
    return ALL;
  }
}
