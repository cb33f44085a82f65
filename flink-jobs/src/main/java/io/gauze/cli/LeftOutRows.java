package io.gauze.cli;

import io.gauze.report.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How many rows of a file are left out, by reason. The numbers are exact, so that only the holder
 * of the rows may see them. No reason contains a value of a row.
 */
final class LeftOutRows {
  private static final int MOST_KINDS = 1000; // whose counts are kept
  private static final int MOST_SHOWN = 5;
  private static final String OTHER = "other reasons";

  private final Map<String, Long> reasons = new HashMap<>();
  private long rows;

  /** Counts a row that is left out. */
  void add(String reason) {
    rows++;
    boolean room = reasons.size() < MOST_KINDS || reasons.containsKey(reason);
    reasons.merge(room ? reason : OTHER, 1L, Long::sum);
  }

  /** The rows that are left out. */
  long rows() {
    return rows;
  }

  /** Returns how many rows of how many were left out, such as: 1,309 of 5,000 rows (26 %) were. */
  String share(long sketched) {
    double percent = 100.0 * rows / (sketched + rows);
    return String.format(
        Locale.ROOT,
        "%,d of %s (%s %%) %s",
        rows,
        Figures.rows(sketched + rows),
        String.format(Locale.ROOT, percent < 10.0 ? "%.2g" : "%.0f", percent),
        rows == 1 ? "was" : "were");
  }

  /** Returns a line for each of the most frequent reasons, and one for all others. */
  List<String> lines() {
    List<Map.Entry<String, Long>> all = new ArrayList<>(reasons.entrySet());
    all.sort(
        Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey()));
    List<String> lines = new ArrayList<>();
    long shown = 0;
    for (Map.Entry<String, Long> reason : all.subList(0, Math.min(all.size(), MOST_SHOWN))) {
      lines.add(line(reason.getValue(), reason.getKey()));
      shown += reason.getValue();
    }
    if (shown < rows) {
      lines.add(line(rows - shown, OTHER));
    }
    return lines;
  }

  private static String line(long rows, String reason) {
    return String.format(Locale.ROOT, "  %,d: %s", rows, reason);
  }
}
