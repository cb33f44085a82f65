package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Reads a date as Jackson writes it unless it is told otherwise: a list of year, month and day, and
 * perhaps hour, minute, second and nanosecond. It counts as a time in UTC.
 */
final class DateArray {
  private static final int LEAST = 3;
  private static final int MOST = 7;

  private DateArray() {}

  /**
   * Reads a list to its end.
   *
   * @param parser at the beginning of the list
   * @return the time; empty if it is no date
   */
  static Optional<Instant> read(JsonParser parser) throws IOException {
    int[] parts = new int[MOST];
    int count = 0;
    boolean whole = true;
    for (JsonToken at = parser.nextToken(); at != JsonToken.END_ARRAY; at = parser.nextToken()) {
      whole &= at == JsonToken.VALUE_NUMBER_INT && count < MOST && parser.getTextLength() <= 9;
      if (whole) {
        parts[count++] = parser.getIntValue();
      }
      parser.skipChildren();
    }
    if (!whole || count < LEAST) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          LocalDateTime.of(
                  parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[MOST - 1])
              .toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
