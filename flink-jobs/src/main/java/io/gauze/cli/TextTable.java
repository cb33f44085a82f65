package io.gauze.cli;

import java.util.List;
import java.util.Locale;

/** A table of text: the first column to the left, the others to the right, a rule under the first line. */
final class TextTable {
  private TextTable() {}

  static String of(List<List<String>> lines) {
    int columns = lines.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < line.size(); i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < lines.size(); row++) {
      text.append(line(lines.get(row), widths));
      if (row == 0) {
        text.append(line(java.util.Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths));
      }
    }
    return text.toString();
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String form = (i == 0 ? "%-" : "   %") + Math.max(1, widths[i]) + "s";
      text.append(String.format(Locale.ROOT, form, cells.get(i)));
    }
    return text.toString().stripTrailing() + System.lineSeparator();
  }
}
