package io.gauze.pipeline.read;

import io.gauze.config.EventUnit;
import io.gauze.config.RowTime;
import io.gauze.row.RowRejectedException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads event times: numbers in the unit of the config, or ISO 8601 texts. */
final class EventTimes {
  /** At most 40 digits and an exponent of two, so that the conversion takes no time. */
  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,20}(?:\\.\\d{0,20})?(?:[eE][+-]?\\d{1,2})?");

  /** A time with an offset in hours, or in hours and minutes with a colon or without. */
  private static final Pattern OFFSET =
      Pattern.compile("(.*T.*[\\d.]) ?([+-]\\d\\d)(?::?(\\d\\d))?");

  /** No time has more characters. */
  private static final int LONGEST = 64;

  /** An append time from which on a unit can be told by the size of a number: in 1973. */
  private static final long TELLING = 100_000_000_000L;

  private final RowTime time;

  EventTimes(RowTime time) {
    this.time = time;
  }

  /**
   * Returns a time in milliseconds since 1970 UTC.
   *
   * @param text the number or text
   * @param appendTime when the broker appended the row
   * @throws RowRejectedException if it is no time, or seems to be in another unit
   */
  long millis(String text, long appendTime) throws RowRejectedException {
    if (text.length() > LONGEST) {
      throw bad("is no time");
    }
    try {
      if (!NUMBER.matcher(text).matches()) {
        return ofText(text);
      }
      BigDecimal number = new BigDecimal(text);
      checkUnit(number, appendTime);
      return time.unit().millis(number);
    } catch (DateTimeException | ArithmeticException e) {
      throw bad("is no time");
    }
  }

  /**
   * Returns a time in a text. A blank may stand between date and time, as Python writes it, and
   * before the offset, as Ruby does.
   */
  private static long ofText(String text) {
    int blank = 10; // after the date
    String iso =
        text.length() > blank && text.charAt(blank) == ' '
            ? text.substring(0, blank) + "T" + text.substring(blank + 1)
            : text;
    if (iso.endsWith("Z")) {
      return Instant.parse(iso).toEpochMilli();
    }
    Matcher offset = OFFSET.matcher(iso);
    String full =
        offset.matches()
            ? offset.group(1)
                + offset.group(2)
                + ":"
                + (offset.group(3) == null ? "00" : offset.group(3))
            : iso;
    return OffsetDateTime.parse(full).toInstant().toEpochMilli();
  }

  /** Refuses a number that is far from the append time in its unit, and near it in another. */
  private void checkUnit(BigDecimal number, long appendTime) throws RowRejectedException {
    if (appendTime < TELLING || isNear(time.unit(), number, appendTime)) {
      return;
    }
    for (EventUnit unit : EventUnit.values()) {
      if (isNear(unit, number, appendTime)) {
        throw new RowRejectedException(
            "field "
                + time.field()
                + " is in "
                + unit.label()
                + " by its size, not in "
                + time.unit().label()
                + "; set epochs.time: {field: "
                + time.field()
                + ", unit: "
                + unit.label()
                + "}");
      }
    }
  }

  /** Returns whether a time is between half and twice the append time, both since 1970. */
  private static boolean isNear(EventUnit unit, BigDecimal number, long appendTime) {
    try {
      long millis = unit.millis(number);
      return millis / 2 <= appendTime && millis >= appendTime / 2;
    } catch (ArithmeticException e) {
      return false; // beyond 64 bits
    }
  }

  /** Returns the reason for a field that holds no time. */
  RowRejectedException bad(String what) {
    return new RowRejectedException(
        "field "
            + time.field()
            + " "
            + what
            + "; send "
            + time.unit().label()
            + " since 1970 UTC, or an ISO 8601 time such as 2026-01-01T00:00:00Z");
  }
}
