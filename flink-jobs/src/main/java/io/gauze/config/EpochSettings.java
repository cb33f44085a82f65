package io.gauze.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How the stream is cut into epochs.
 *
 * @param length at least 1 s, in whole milliseconds; empty: one epoch for bounded input
 * @param from the first epoch holds this time; empty: the stream's first start, or where the ledger
 *     says that it goes on
 * @param backfill how many past epochs and groups together a start may have to release, at least 1
 * @param grace how long after an epoch's end it is sealed, in [0 s, 1 day]
 * @param eventTime the field whose time counts; empty: the record's timestamp
 * @param producerTime whether the timestamp may be the producer's, which makes it public
 */
public record EpochSettings(
    Optional<Duration> length,
    Optional<Instant> from,
    int backfill,
    Duration grace,
    Optional<EventTime> eventTime,
    boolean producerTime) {
  /**
   * A time in the row itself.
   *
   * @param field holds milliseconds since 1970 UTC, or an ISO 8601 time
   * @param lateness how long after its epoch's end a row may be appended, in [0 s, 365 days]
   * @param ahead how far it may be ahead of the append time, in [0 s, 365 days]
   */
  public record EventTime(String field, Duration lateness, Duration ahead) {}

  /** How many epochs rows may keep open at once: each takes memory for all of its sketches. */
  public static final long MOST_OPEN = 10_000;

  static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
  static final int DEFAULT_BACKFILL = 1000;

  private static final Duration DEFAULT_LATENESS = Duration.ofMinutes(5);
  private static final Duration DEFAULT_AHEAD = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration YEAR = Duration.ofDays(365);
  private static final String A_YEAR = "an ISO duration in [PT0S, P365D]";

  /** One epoch for everything. */
  public static final EpochSettings ALL =
      new EpochSettings(
          Optional.empty(),
          Optional.empty(),
          DEFAULT_BACKFILL,
          Duration.ZERO,
          Optional.empty(),
          false);

  /** Whether there is one epoch for everything. */
  public boolean isAll() {
    return length.isEmpty();
  }

  /** Whether the rows topic must set the time of its records. */
  public boolean needsAppendTime() {
    return !isAll() && !producerTime;
  }

  static EpochSettings read(YamlMap top) throws ConfigException {
    YamlMap map = top.require("epochs", "keys and values").map("keys and values");
    map.only("length", "from", "backfill", "grace", "time", "lateness", "ahead", "timestamps");
    String allowed = "all or an ISO duration of whole milliseconds in [PT1S, P3650D]";
    YamlValue length = map.require("length", allowed);
    if (length.text(allowed).equals("all")) {
      return all(map);
    }
    Duration duration = length.duration(Duration.ofSeconds(1), DAY.multipliedBy(3650), allowed);
    Optional<YamlValue> from = map.get("from");
    Optional<YamlValue> backfill = map.get("backfill");
    Optional<EventTime> eventTime = eventTime(map, duration);
    return new EpochSettings(
        Optional.of(duration),
        from.isEmpty()
            ? Optional.empty()
            : Optional.of(from.get().instant("a time in UTC such as 2026-01-01T00:00:00Z")),
        backfill.isEmpty() ? DEFAULT_BACKFILL : (int) backfill.get().whole(1, 1_000_000),
        duration(map, "grace", DEFAULT_GRACE, DAY, "an ISO duration in [PT0S, P1D]"),
        eventTime,
        producerTime(map, eventTime));
  }

  private static Optional<EventTime> eventTime(YamlMap map, Duration length)
      throws ConfigException {
    Optional<YamlValue> field = map.get("time");
    if (field.isEmpty()) {
      for (String key : new String[] {"lateness", "ahead"}) {
        if (map.has(key)) {
          throw map.require(key, "").error("means nothing without epochs.time; remove the key");
        }
      }
      return Optional.empty();
    }
    EventTime time =
        new EventTime(
            field.get().text("the field that holds the event time"),
            duration(map, "lateness", DEFAULT_LATENESS, YEAR, A_YEAR),
            duration(map, "ahead", DEFAULT_AHEAD, YEAR, A_YEAR));
    if (time.lateness().plus(time.ahead()).dividedBy(length) >= MOST_OPEN) {
      throw map.self()
          .error(
              "has epochs so short that more than "
                  + MOST_OPEN
                  + " are open at once; lower lateness or ahead, or raise length");
    }
    return Optional.of(time);
  }

  private static Duration duration(
      YamlMap map, String key, Duration byDefault, Duration most, String allowed)
      throws ConfigException {
    Optional<YamlValue> value = map.get(key);
    return value.isEmpty() ? byDefault : value.get().duration(Duration.ZERO, most, allowed);
  }

  private static boolean producerTime(YamlMap map, Optional<EventTime> eventTime)
      throws ConfigException {
    Optional<YamlValue> value = map.get("timestamps");
    if (value.isEmpty()) {
      return false;
    }
    String allowed = "append or producer";
    String text = value.get().text(allowed);
    if (!text.equals("append") && !text.equals("producer")) {
      throw value.get().mustBe(allowed);
    }
    boolean producer = text.equals("producer");
    if (producer && eventTime.isPresent()) {
      throw value
          .get()
          .mustBe("append with epochs.time, since a row's lateness is that of the append time");
    }
    return producer;
  }

  private static EpochSettings all(YamlMap map) throws ConfigException {
    for (String key :
        new String[] {"from", "backfill", "grace", "time", "lateness", "ahead", "timestamps"}) {
      if (map.has(key)) {
        throw map.require(key, "").error("means nothing with epochs.length all; remove the key");
      }
    }
    return ALL;
  }
}
