package io.gauze.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The time of a record that decides its epoch. The record alone carries it; other rows never change
 * it.
 *
 * @param kind the source of the time
 * @param field the field that holds the event time; empty for other kinds
 * @param allowedLatenessMillis how long after an epoch's end its rows may be appended, for event
 *     time
 * @param maxClockSkewMillis how far an event time may be ahead of the append time
 * @param unit the unit of an event time that is a number
 */
public record RowTime(
    Kind kind, String field, long allowedLatenessMillis, long maxClockSkewMillis, EventUnit unit)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The time at which the broker appends the record. */
  public static final RowTime APPEND = new RowTime(Kind.APPEND, "", 0, 0, EventUnit.MILLIS);

  /** The producer's timestamp, which the guarantee takes as public. */
  public static final RowTime PRODUCER = new RowTime(Kind.PRODUCER, "", 0, 0, EventUnit.MILLIS);

  /** The source of the time. */
  public enum Kind {
    /** The broker, when it appends the record. */
    APPEND,
    /** A field of the row. */
    EVENT,
    /** The record's timestamp, whoever set it. */
    PRODUCER
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public RowTime {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(unit, "unit");
    notNegative("allowedLateness", allowedLatenessMillis);
    notNegative("maxClockSkew", maxClockSkewMillis);
  }

  /** Returns the event time in {@code field}, in milliseconds if it is a number. */
  public static RowTime event(String field, Duration allowedLateness, Duration maxClockSkew) {
    return new RowTime(
        Kind.EVENT, field, allowedLateness.toMillis(), maxClockSkew.toMillis(), EventUnit.MILLIS);
  }

  /** Returns a copy whose numbers are in another unit. */
  public RowTime in(EventUnit other) {
    return new RowTime(kind, field, allowedLatenessMillis, maxClockSkewMillis, other);
  }

  private static void notNegative(String name, long millis) {
    if (millis < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be >= 0. Provided value: %s", name, Duration.ofMillis(millis)));
    }
  }

  /**
   * Describes the time; empty for the append time. Part of a series' fingerprint: never change the
   * words.
   */
  String fingerprint() {
    return switch (kind) {
      case APPEND -> "";
      case PRODUCER -> " of producer time";
      case EVENT ->
          " of "
              + field
              + (unit == EventUnit.MILLIS ? "" : " in " + unit.label())
              + ", lateness "
              + allowedLatenessMillis
              + ", ahead "
              + maxClockSkewMillis;
    };
  }
}
