package io.gauze.answer;

import io.gauze.mechanism.ReleaseId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Comparator;

/**
 * One release, or the releases of one sketch from a first to a last epoch, both included.
 *
 * @param first of the same stream, group and sketch as the last, and not later
 * @param last equal to the first for one release
 */
public record ReleaseRange(ReleaseId first, ReleaseId last) {
  /** Sorts epochs by time. Names that are no times come first, in alphabetical order. */
  public static final Comparator<String> BY_EPOCH =
      Comparator.comparing(ReleaseRange::time).thenComparing(Comparator.naturalOrder());

  /**
   * The shortest time in ISO 8601, with a zero for each digit. Shorter texts are not parsed, since
   * an exception costs more than the rest of a request.
   */
  private static final String USUAL_TIME = "0000-00-00T00:00:00Z";

  private static final String DOTS = "..";

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if the two are not of one series, or in the wrong order
   */
  public ReleaseRange {
    String given = ". Provided value: " + first + DOTS + last;
    if (!first.group().equals(last.group())) {
      throw new IllegalArgumentException(
          "must stay inside one group, and the first is of "
              + first.group()
              + ", the last of "
              + last.group()
              + "; ask for each group by itself"
              + given);
    }
    if (!first.equals(last) && !inOrder(first, last)) {
      throw new IllegalArgumentException(
          "must be a range of one stream, group and sketch, the earlier epoch first" + given);
    }
  }

  private static boolean inOrder(ReleaseId first, ReleaseId last) {
    return series(first).equals(series(last)) && BY_EPOCH.compare(first.epoch(), last.epoch()) <= 0;
  }

  /**
   * Parses an id, or the first and the last one with two dots between them.
   *
   * @param what the name of the text in error messages
   * @throws IllegalArgumentException if the text is neither
   */
  public static ReleaseRange parse(String what, String text) {
    int dots = dots(text);
    ReleaseId first = id(what, dots < 0 ? text : text.substring(0, dots));
    ReleaseId last = dots < 0 ? first : id(what, text.substring(dots + DOTS.length()));
    try {
      return new ReleaseRange(first, last);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + " " + e.getMessage(), e);
    }
  }

  private static ReleaseId id(String what, String text) {
    try {
      return ReleaseId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
    }
  }

  /** Returns whether a text has the form of a first and a last id, not of one. */
  public static boolean isRange(String text) {
    return dots(text) >= 0;
  }

  // A group's name may contain dots; those of a range are between the third slash and the fourth.
  private static int dots(String text) {
    int before = -1;
    for (int slash = 0; slash < 3; slash++) {
      before = text.indexOf('/', before + 1);
      if (before < 0) {
        return text.indexOf(DOTS); // no id: the caller reports what is wrong with it
      }
    }
    int end = text.indexOf('/', before + 1);
    int dots = text.lastIndexOf(DOTS, end < 0 ? text.length() : end);
    return dots > before ? dots : -1;
  }

  /** Returns whether the range is a single release. */
  public boolean isOne() {
    return first.equals(last);
  }

  /** Returns whether the range contains a release. */
  public boolean contains(ReleaseId id) {
    return series(id).equals(series(first))
        && BY_EPOCH.compare(first.epoch(), id.epoch()) <= 0
        && BY_EPOCH.compare(id.epoch(), last.epoch()) <= 0;
  }

  /** The name of a release's series: stream, group and sketch. */
  public static String series(ReleaseId id) {
    return String.join("/", id.stream(), id.group(), id.sketch());
  }

  /** Returns whether an epoch of a release can have this name: a time, or {@code all}. */
  public static boolean isEpoch(String name) {
    return name.equals(ReleaseId.ALL) || !time(name).equals(Instant.MIN);
  }

  private static Instant time(String epoch) {
    if (epoch.length() < USUAL_TIME.length()) {
      return Instant.MIN;
    }
    try {
      return isUsual(epoch) ? usual(epoch) : Instant.parse(epoch);
    } catch (DateTimeParseException e) {
      return Instant.MIN; // such as all
    }
  }

  private static boolean isUsual(String epoch) {
    if (epoch.length() != USUAL_TIME.length()) {
      return false;
    }
    for (int i = 0; i < epoch.length(); i++) {
      char wanted = USUAL_TIME.charAt(i);
      char found = epoch.charAt(i);
      if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
        return false;
      }
    }
    // Instant also takes the 24th hour and the leap second.
    return number(epoch, 11, 13) < 24 && number(epoch, 17, 19) < 60;
  }

  /** Parses a time in a tenth of the time that {@link Instant#parse} takes. */
  private static Instant usual(String epoch) {
    try {
      return LocalDateTime.of(
              number(epoch, 0, 4),
              number(epoch, 5, 7),
              number(epoch, 8, 10),
              number(epoch, 11, 13),
              number(epoch, 14, 16),
              number(epoch, 17, 19))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return Instant.MIN; // such as a 30th of February
    }
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  @Override
  public String toString() {
    return isOne() ? first.toString() : first + DOTS + last;
  }
}
