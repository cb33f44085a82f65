package io.gauze.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * Which time of a record decides its epoch. Always one that the record alone carries: what other
 * rows say never moves it.
 *
 * @param kind whose time it is
 * @param field the field that holds the event time; empty for other kinds
 * @param allowedLatenessMillis how long after an epoch's end a row of it may be appended, for event
 *     time
 * @param maxClockSkewMillis how far an event time may be ahead of the append time
 */
public record RowTime(Kind kind, String field, long allowedLatenessMillis, long maxClockSkewMillis)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The broker's time of appending. */
  public static final RowTime APPEND = new RowTime(Kind.APPEND, "", 0, 0);

  /** The producer's timestamp, which the guarantee then takes as public. */
  public static final RowTime PRODUCER = new RowTime(Kind.PRODUCER, "", 0, 0);

  /** Whose time it is. */
  public enum Kind {
    /** The broker's. */
    APPEND,
    /** A field's. */
    EVENT,
    /** The record's timestamp, whoever set it. */
    PRODUCER
  }

  /** A rule whose numbers are in range. */
  public RowTime {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(field, "field");
    notNegative("allowedLateness", allowedLatenessMillis);
    notNegative("maxClockSkew", maxClockSkewMillis);
  }

  /** The time in {@code field}, of rows that are appended in time. */
  public static RowTime event(String field, Duration allowedLateness, Duration maxClockSkew) {
    return new RowTime(Kind.EVENT, field, allowedLateness.toMillis(), maxClockSkew.toMillis());
  }

  private static void notNegative(String name, long millis) {
    if (millis < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be >= 0. Provided value: %s", name, Duration.ofMillis(millis)));
    }
  }

  /** In words that never change, for the fingerprint of a series; empty for the append time. */
  String fingerprint() {
    return switch (kind) {
      case APPEND -> "";
      case PRODUCER -> " of producer time";
      case EVENT ->
          " of " + field + ", lateness " + allowedLatenessMillis + ", ahead " + maxClockSkewMillis;
    };
  }
}
