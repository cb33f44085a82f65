package io.gauze.config;

import io.gauze.source.file.CsvHeader;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a config for rows with given columns, with comments. What only public knowledge can
 * say is left open as {@code "?"}, which {@link StreamConfig} refuses by name.
 */
public final class ConfigTemplate {
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_ .-]*[A-Za-z0-9_.-]|[A-Za-z_]");
  private static final List<String> NOT_TEXT = List.of("true", "false", "null");
  private static final int LONGEST_STREAM = 100;

  private static final String HEAD =
      """
      # Replace every "?" by public knowledge: a law, a unit, a textbook, figures that others published.
      # Never take it from the rows, not even the least and the largest value: the promise would be void.

      stream: NAME

      # Delete the columns that no question needs, such as ids and times: each column costs accuracy.
      columns:
      """;

  private static final String NUMBERS =
      """
        # Numbers, such as {name: age, lower: 0, upper: 110, typical: 40, spread: 20}. Values beyond lower and upper
        # are clamped to them. typical is a guess of the mean, and spread one of the standard deviation, right
        # within a factor of 2: with both, noise cost 2 to 20 times less accuracy on reference data. They must be
        # public guesses: computed from the rows, the promise is void. A wrong guess costs accuracy and never
        # privacy. The two keys may be deleted; do so for codes such as 0 and 1, and for rare events.
        # Send the logarithm of a cost, a price or an income that fits are to explain: for made-up ones, fits then
        # lost 2 to 60 times less accuracy, and their intervals held.
        # If nobody knows a range, {name: age, range: estimate} lets Gauze choose it from noisy counts.
      """;

  private static final String TEXTS =
      """
        # Texts. List all values: categories: [flat, night, solar]; the first is the baseline. For yes or no:
        # {name: weekend, source: day, equals: weekend}. For ranks: {name: cut, map: {fair: 0, good: 1, ideal: 2}}
      """;

  private static final String RESPONSE =
      """

      # Rows far from the typical values are shortened, so that one row can change little. That draws slopes toward
      # 0, most if there are few rows or columns are skewed. If slopes for one response matter more than predictions,
      # name it: slopes are drawn less then, and predictions lose up to 3 times as much accuracy.
      """;

  private static final String TAIL =
      """

      # The budget of all epochs of this stream together. replace-one hides the values of a row, add-remove
      # also whether it is there. Keep delta far below one over the number of rows in all epochs: 1.0e-6 is for ten
      # thousand rows, 1.0e-9 for millions, 1.0e-12 for billions. It cannot be changed after the first release.
      privacy:
        epsilon: 1.0
        delta: 1.0e-6
        neighbours: replace-one

      # One release an hour, by the time at which Kafka appended a row. For one release of a whole file or topic:
      # {length: all}
      epochs: {length: PT1H}

      # Rows in an epoch: a guess, not a count. Sizes are planned by it.
      expectedRows: "?"

      # Least squares, ridge, lasso. For medians and quantiles add: {name: strata, mechanism: stratified-moments}
      sketches:
        - {name: moments, mechanism: noisy-moments}

      kafka:
        bootstrap: localhost:9092
        create: {partitions: 4, replicas: 1}   # makes missing topics
      """;

  private ConfigTemplate() {}

  /**
   * Returns the config.
   *
   * @param file the name of the file that has the rows; the stream is named after it
   */
  public static String of(String file, CsvHeader header) {
    boolean numbers = header.columns().stream().anyMatch(CsvHeader.Field::number);
    boolean texts = header.columns().stream().anyMatch(column -> !column.number());
    return HEAD.replace("NAME", stream(file))
        + (numbers ? NUMBERS : "")
        + (texts ? TEXTS : "")
        + header.columns().stream().map(ConfigTemplate::line).collect(Collectors.joining())
        + RESPONSE
        + response(header)
        + TAIL;
  }

  /** By custom the response is the last column; it can be one if it is a number. */
  private static String response(CsvHeader header) {
    CsvHeader.Field last = header.columns().get(header.columns().size() - 1);
    return last.number()
        ? "# The last column, by custom; name another one, or delete this line for all alike.\n"
            + "response: "
            + scalar(last.name())
            + "\n"
        : "# response: COLUMN\n";
  }

  private static String line(CsvHeader.Field column) {
    String open =
        column.number()
            ? "lower: \"?\", upper: \"?\", typical: \"?\", spread: \"?\""
            : "categories: \"?\"";
    return "  - {name: " + scalar(column.name()) + ", " + open + "}\n";
  }

  /** Returns a name of a stream that is made of a file's name. */
  private static String stream(String file) {
    String base = file.replaceFirst(".*[/\\\\]", "").replaceFirst("(\\.[A-Za-z]{1,5}){1,2}$", "");
    String name =
        base.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    return name.isEmpty()
        ? "rows"
        : name.substring(0, Math.min(name.length(), LONGEST_STREAM)).replaceAll("-$", "");
  }

  /** Returns whether a character is not seen, or changes how others are. */
  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.SURROGATE,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /** Returns a text as a YAML scalar that is read as the same text. */
  private static String scalar(String text) {
    if (PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text.toLowerCase(Locale.ROOT))) {
      return text;
    }
    return text.codePoints()
        .mapToObj(
            c ->
                c == '"' || c == '\\'
                    ? "\\" + Character.toString(c)
                    : isHidden(c)
                        ? String.format(Locale.ROOT, "\\U%08x", c)
                        : Character.toString(c))
        .collect(Collectors.joining("", "\"", "\""));
  }
}
