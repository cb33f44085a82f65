package io.gauze.report;

import java.util.ArrayList;
import java.util.List;

/** A table of text with aligned columns; optionally with a header and right-aligned numbers. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final boolean numbers;

  /** Creates a table of left-aligned text. */
  public TextTable() {
    this(false);
  }

  private TextTable(boolean numbers) {
    this.numbers = numbers;
  }

  /** Returns a table whose first line is a header and whose columns but the first are numbers. */
  public static TextTable ofNumbers() {
    return new TextTable(true);
  }

  /** Adds a line. */
  public void row(String... cells) {
    row(List.of(cells));
  }

  /** Adds a line. */
  public void row(List<String> cells) {
    rows.add(List.copyOf(cells));
  }

  /** Returns the lines, each with its line end. */
  @Override
  public String toString() {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        if (i == widths.size()) {
          widths.add(0);
        }
        widths.set(i, Math.max(widths.get(i), row.get(i).length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append(line(rows.get(i), widths));
      if (numbers && i == 0) {
        text.append(line(widths.stream().map("-"::repeat).toList(), widths));
      }
    }
    return text.toString();
  }

  private String line(List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String pad = " ".repeat(widths.get(i) - cells.get(i).length());
      line.append(numbers && i > 0 ? pad + cells.get(i) : cells.get(i) + pad).append(GAP);
    }
    return line.toString().stripTrailing() + System.lineSeparator();
  }
}
