package io.gauze.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The unit of an event time that is a number: since 1970 UTC. */
public enum EventUnit {
  /** Seconds. */
  SECONDS("1000"),
  /** Milliseconds. */
  MILLIS("1"),
  /** Microseconds. */
  MICROS("0.001"),
  /** Nanoseconds. */
  NANOS("0.000001");

  /** The names of all units in the config; immutable. */
  static final List<String> LABELS = Arrays.stream(values()).map(EventUnit::label).toList();

  private final BigDecimal length;

  EventUnit(String millis) {
    length = new BigDecimal(millis);
  }

  /** The name in the config. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the unit of a name in the config; empty if there is none. */
  static Optional<EventUnit> of(String label) {
    return Arrays.stream(values()).filter(unit -> unit.label().equals(label)).findFirst();
  }

  /**
   * Returns whole milliseconds, rounded down.
   *
   * @throws ArithmeticException if they are beyond 64 bits
   */
  public long millis(BigDecimal number) {
    return number.multiply(length).setScale(0, RoundingMode.FLOOR).longValueExact();
  }
}
