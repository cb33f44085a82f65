package io.gauze.answer;

import io.gauze.mechanism.ReleaseId;
import java.time.Instant;
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
   * The shortest time in ISO 8601. Shorter texts are not parsed, since an exception costs more than
   * the rest of a request.
   */
  private static final int SHORTEST_TIME = "2026-01-01T00:00:00Z".length();

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
    if (epoch.length() < SHORTEST_TIME) {
      return Instant.MIN;
    }
    try {
      return Instant.parse(epoch);
    } catch (DateTimeParseException e) {
      return Instant.MIN; // such as all
    }
  }

  @Override
  public String toString() {
    return isOne() ? first.toString() : first + DOTS + last;
  }
}
