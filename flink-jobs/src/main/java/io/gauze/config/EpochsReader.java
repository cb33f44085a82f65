package io.gauze.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads the {@code epochs} section of a config. */
final class EpochsReader {
  private static final Duration DEFAULT_SEAL_DELAY = Duration.ofSeconds(10);
  private static final int DEFAULT_BACKFILL = 1000;
  private static final int MOST_BACKFILL = 1_000_000;
  private static final Duration DEFAULT_ALLOWED_LATENESS = Duration.ofMinutes(5);
  private static final Duration DEFAULT_MAX_CLOCK_SKEW = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration YEAR = Duration.ofDays(365);
  private static final String MAP = "keys and values";
  private static final String FIELD = "the field that holds the event time";
  private static final String TIME = "the name of a field, or {field: NAME, unit: seconds}";
  private static final String A_YEAR = "an ISO duration in [PT0S, P365D]";

  static final ConfigSection KEYS =
      ConfigSection.of(
          "epochs",
          ConfigKey.of(
                  "length",
                  "duration or `all`",
                  "[PT1S, P3650D], whole milliseconds",
                  "How long an epoch is. With `all` there is one epoch, for a topic that is read to its"
                      + " end, and none of the other keys.")
              .required(),
          ConfigKey.of(
                  "from",
                  "time in UTC",
                  "such as `2026-01-01T00:00:00Z`",
                  "A time that the first epoch holds.")
              .or("the first start; required for tables and with `cumulative`"),
          ConfigKey.of(
                  "backfill",
                  ConfigKey.WHOLE,
                  ConfigKey.range(1, MOST_BACKFILL),
                  "How many past epochs, times groups, a start may have to release.")
              .or(DEFAULT_BACKFILL),
          ConfigKey.of(
                  "sealDelay",
                  ConfigKey.DURATION,
                  "[PT0S, P1D]",
                  "How long after its end an epoch is sealed. It must exceed the skew of the brokers'"
                      + " clocks.")
              .or(DEFAULT_SEAL_DELAY),
          ConfigKey.of(
                  "time",
                  "text or map",
                  "a field, or a map",
                  "The field that holds the event time of a row.")
              .or("none: the time of the record counts"),
          ConfigKey.of(
                  "allowedLateness",
                  ConfigKey.DURATION,
                  "[PT0S, P365D]",
                  "With `time`: how long after the end of its epoch a row may be appended.")
              .or(DEFAULT_ALLOWED_LATENESS),
          ConfigKey.of(
                  "maxClockSkew",
                  ConfigKey.DURATION,
                  "[PT0S, P365D]",
                  "With `time`: how far the time of a row may be ahead of its append time.")
              .or(DEFAULT_MAX_CLOCK_SKEW),
          ConfigKey.of(
                  "timestamps",
                  ConfigKey.WORD,
                  "`append`, `producer`",
                  "Whose timestamps count: the broker's, or the producers', which are then public."
                      + " `producer` needs unit `row` and `replace-one`.")
              .or("`append`"));

  static final ConfigSection TIME_KEYS =
      ConfigSection.of(
          "epochs.time",
          ConfigKey.of("field", ConfigKey.TEXT, "", "The field that holds the event time.")
              .required(),
          ConfigKey.of(
                  "unit",
                  ConfigKey.WORD,
                  "`" + String.join("`, `", EventUnit.LABELS) + "`",
                  "The unit of a time that is a number.")
              .or("`millis`"));

  private EpochsReader() {}

  /** Returns how many past epochs, times groups, a start may have to release; at least 1. */
  static int backfill(YamlMap top) throws ConfigException {
    Optional<YamlValue> value = top.require("epochs", MAP).map(MAP).get("backfill");
    return value.isEmpty() ? DEFAULT_BACKFILL : (int) value.get().whole(1, MOST_BACKFILL);
  }

  /** Returns the schedule; its first epoch is undefined if the config does not name it. */
  static EpochSchedule read(YamlMap top) throws ConfigException {
    YamlMap map = top.require("epochs", MAP).map(MAP);
    map.only(KEYS);
    String allowed = "all or an ISO duration of whole milliseconds in [PT1S, P3650D], such as PT1H";
    YamlValue length = map.require("length", allowed);
    if (length.text(allowed).equals("all")) {
      return all(map);
    }
    Duration duration = length.duration(Duration.ofSeconds(1), DAY.multipliedBy(3650), allowed);
    Optional<YamlValue> from = map.get("from");
    Instant first =
        from.isEmpty()
            ? Instant.EPOCH
            : from.get().instant("a time in UTC such as 2026-01-01T00:00:00Z");
    Optional<RowTime> eventTime = eventTime(map, duration);
    Duration sealDelay =
        duration(map, "sealDelay", DEFAULT_SEAL_DELAY, DAY, "an ISO duration in [PT0S, P1D]");
    boolean producer = producerTime(map, eventTime);
    return EpochSchedule.of(duration, first, from.isPresent(), sealDelay)
        .by(producer ? RowTime.PRODUCER : eventTime.orElse(RowTime.APPEND));
  }

  private static Optional<RowTime> eventTime(YamlMap map, Duration length) throws ConfigException {
    Optional<YamlValue> field = map.get("time");
    if (field.isEmpty()) {
      for (String key : new String[] {"allowedLateness", "maxClockSkew"}) {
        if (map.has(key)) {
          throw map.require(key, "").error("means nothing without epochs.time; remove the key");
        }
      }
      return Optional.empty();
    }
    EventUnit unit = EventUnit.MILLIS;
    YamlValue place = field.get();
    if (place.isMap()) {
      YamlMap time = place.map(TIME).only(TIME_KEYS);
      place = time.require("field", FIELD);
      unit = unit(time.get("unit"));
    }
    String name = place.text(FIELD);
    Duration allowedLateness =
        duration(map, "allowedLateness", DEFAULT_ALLOWED_LATENESS, YEAR, A_YEAR);
    Duration maxClockSkew = duration(map, "maxClockSkew", DEFAULT_MAX_CLOCK_SKEW, YEAR, A_YEAR);
    if (allowedLateness.plus(maxClockSkew).dividedBy(length) >= EpochSchedule.MOST_OPEN) {
      throw map.self()
          .error(
              "has epochs so short that more than "
                  + EpochSchedule.MOST_OPEN
                  + " are open at once; lower allowedLateness or maxClockSkew, or raise length");
    }
    return Optional.of(RowTime.event(name, allowedLateness, maxClockSkew).in(unit));
  }

  private static EventUnit unit(Optional<YamlValue> value) throws ConfigException {
    if (value.isEmpty()) {
      return EventUnit.MILLIS;
    }
    String allowed = "one of " + String.join(", ", EventUnit.LABELS);
    Optional<EventUnit> unit = EventUnit.of(value.get().text(allowed));
    if (unit.isEmpty()) {
      throw value.get().mustBe(allowed);
    }
    return unit.get();
  }

  private static Duration duration(
      YamlMap map, String key, Duration byDefault, Duration most, String allowed)
      throws ConfigException {
    Optional<YamlValue> value = map.get(key);
    return value.isEmpty() ? byDefault : value.get().duration(Duration.ZERO, most, allowed);
  }

  private static boolean producerTime(YamlMap map, Optional<RowTime> eventTime)
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

  private static EpochSchedule all(YamlMap map) throws ConfigException {
    for (String key : KEYS.names()) {
      if (!key.equals("length") && map.has(key)) {
        throw map.require(key, "").error("means nothing with epochs.length all; remove the key");
      }
    }
    return EpochSchedule.all();
  }
}
