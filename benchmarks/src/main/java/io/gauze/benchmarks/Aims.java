package io.gauze.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Figures that a prototype in another language reached on the same kind of data, from 3 to 9 runs:
 * what a table has beside its own figures.
 */
final class Aims {
  /** In a cell that has no figure. */
  static final String NONE = "-";

  private final Map<List<String>, Double> figures = new LinkedHashMap<>();

  private Aims() {}

  /**
   * Reads the figures of a table: in each line of its file a key of several fields, and a figure.
   *
   * @throws IOException if the file is missing, or a line has no figure or another line's key
   */
  static Aims of(String table) throws IOException {
    String name = "aims-" + table + ".csv";
    Aims aims = new Aims();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Aims.class.getResourceAsStream(name), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int last = line.lastIndexOf(',');
        List<String> key = List.of(line.substring(0, last).split(",", -1));
        if (aims.figures.put(key, Double.valueOf(line.substring(last + 1))) != null) {
          throw new IOException(name + " has two figures of " + key);
        }
      }
    }
    return aims;
  }

  /** The first fields of all keys, each once, in the order of the file. */
  List<List<String>> first(int fields) {
    return figures.keySet().stream().map(key -> key.subList(0, fields)).distinct().toList();
  }

  /** Returns the aim and the measured figure over it as two cells; dashes if there is no aim. */
  String beside(double measured, String... key) {
    Double aim = figures.get(List.of(key));
    return aim == null
        ? NONE + " | " + NONE
        : String.format(Locale.ROOT, "%s | %.2f", plain(aim), measured / aim);
  }

  /**
   * Returns a measured figure, or none if it is infinite, the aim and their ratio as three cells.
   */
  String cells(double measured, String... key) {
    return Double.isFinite(measured)
        ? String.format(Locale.ROOT, "%.3g | %s", measured, beside(measured, key))
        : String.join(" | ", NONE, plain(key).isEmpty() ? NONE : plain(key), NONE);
  }

  /** Returns the aim, or an empty text if there is none. */
  String plain(String... key) {
    Double aim = figures.get(List.of(key));
    return aim == null ? "" : plain(aim);
  }

  private static String plain(double aim) {
    return BigDecimal.valueOf(aim).stripTrailingZeros().toPlainString();
  }
}
