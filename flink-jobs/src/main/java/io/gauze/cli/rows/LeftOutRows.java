package io.gauze.cli.rows;

import io.gauze.cli.option.CommandMessage;
import io.gauze.message.Message;
import io.gauze.report.Messages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How many rows of a file are left out, by reason. The numbers are exact, so that only the holder
 * of the rows may see them. No reason contains a value of a row.
 */
public final class LeftOutRows {
  private static final int MOST_KINDS = 1000; // whose counts are kept
  private static final int MOST_SHOWN = 5;
  private static final String OTHER = "other reasons";

  private final Map<String, Reason> reasons = new HashMap<>();
  private long rows;

  /**
   * Rows that are left out for one reason.
   *
   * @param first the line of the first one
   */
  record Reason(String reason, long rows, long first) {
    private Reason plus(Reason other) {
      return new Reason(reason, rows + other.rows, Math.min(first, other.first));
    }
  }

  /**
   * Counts a row that is left out.
   *
   * @param line its line in the file
   */
  public void add(String reason, long line) {
    rows++;
    boolean room = reasons.size() < MOST_KINDS || reasons.containsKey(reason);
    String kind = room ? reason : OTHER;
    reasons.merge(kind, new Reason(kind, 1, line), Reason::plus);
  }

  /** The rows that are left out. */
  public long rows() {
    return rows;
  }

  /** Returns a share in percent, with at least two digits. */
  static String percent(long some, long all) {
    double percent = 100.0 * some / all;
    return some < all && percent >= 99.5
        ? "more than 99"
        : String.format(Locale.ROOT, percent < 10.0 ? "%.2g" : "%.0f", percent);
  }

  /**
   * Returns what to do about reasons that the way a file is written can have.
   *
   * @param sketched the rows that are not left out
   */
  List<String> advice(long sketched) {
    List<String> advice = new ArrayList<>();
    if (rows > sketched) {
      advice.add("Most rows are left out. Such a file is probably written in another way:");
    }
    for (Advice each : Advice.values()) {
      if (each.holds(this)) {
        advice.add(each.words);
      }
    }
    return advice;
  }

  private enum Advice {
    DECIMAL("decimal comma", "- Decimals follow a comma: give --decimal ,"),
    COMMA(
        "comma, for decimals or thousands",
        "- Numbers have commas: if decimals follow them, give --decimal , and if they separate"
            + " thousands, write the numbers without them."),
    POINT("a number has a point", "- Decimals that follow a point: leave out --decimal."),
    VALUES(
        "value.*, and the header",
        "- Lines with more values than the header: quote values that hold the separator, as decimal"
            + " commas between commas; name each column, row names too (R: write.csv)."),
    QUOTE(
        "a quote is not closed",
        "- Quotes that are not closed: double quotes that are part of a value. For cells with line"
            + " breaks see --multiline, and what it does to the promise."),
    PLAIN(
        "with separators of thousands|percent sign|currency sign|a unit behind",
        "- Numbers are digits alone: write them without separators of thousands, percent signs,"
            + " currencies and units."),
    MARK("a mark of a missing value", "- A missing value is an empty one, or NA.");

    private final Pattern reason;
    private final String words;

    Advice(String reason, String words) {
      this.reason = Pattern.compile(reason);
      this.words = words;
    }

    private boolean holds(LeftOutRows rows) {
      return rows.reasons.keySet().stream().anyMatch(each -> reason.matcher(each).find());
    }
  }

  /**
   * Returns a warning with the reasons; nothing if no row is left out.
   *
   * @param sketched the rows that are not left out
   */
  public List<String> warning(long sketched) {
    if (rows == 0) {
      return List.of();
    }
    long all = sketched + rows;
    Message message = CommandMessage.LEFTOUT.of(rows, all, percent(rows, all));
    List<String> lines = Messages.all("warning: ", List.of(message));
    lines.addAll(lines());
    lines.addAll(advice(sketched));
    return lines;
  }

  /** Returns the reasons, those of most rows first. */
  List<Reason> reasons() {
    return reasons.values().stream()
        .sorted(Comparator.comparingLong(Reason::rows).reversed().thenComparing(Reason::reason))
        .toList();
  }

  /** Returns a line for each of the most frequent reasons, and one for all others. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    long shown = 0;
    for (Reason reason : reasons().subList(0, Math.min(reasons.size(), MOST_SHOWN))) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %,d, the first in line %,d: %s",
              reason.rows(),
              reason.first(),
              reason.reason()));
      shown += reason.rows();
    }
    if (shown < rows) {
      lines.add(String.format(Locale.ROOT, "  %,d: %s", rows - shown, OTHER));
    }
    return lines;
  }
}
