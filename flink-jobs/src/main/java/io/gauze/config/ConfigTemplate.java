package io.gauze.config;

import io.gauze.accounting.Budget;
import io.gauze.source.file.CsvHeader;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
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
      # Never take it from the rows, not even the least and the largest value: that would break the promise.

      stream: NAME

      # Delete the columns that no question needs, such as ids and times: each column costs accuracy.
      columns:
      """;

  private static final String NUMBERS =
      """
        # Numbers, such as {name: age, lower: 0, upper: 110}.
        # lower, upper: values beyond are moved to the nearer end. If nobody knows a range, {name: age, range: estimate}
        #   lets Gauze choose it from noisy counts.
        # Guesses of the mean and of the standard deviation may be added: typical: 40, spread: 20. They are public,
        #   too: do not compute them from the rows. Most fits of two-stage-moments hardly change with them.
        # If fits are to explain a cost, a price or an income, send its logarithm: fits of made-up costs then lost 2
        #   to 60 times less accuracy, and their intervals were right.
      """;

  private static final String TEXTS =
      """
        # Texts. List all values: categories: [flat, night, solar]; the first is the baseline. other: NAME adds one more
        # category, for all values that are not listed. For yes or no: {name: weekend, source: day, equals: weekend}. For ranks: {name: cut, map: {fair: 0, good: 1, ideal: 2}}
      """;

  private static final String RESPONSE =
      """

      # The column that most fits will explain. Other fits of the same release are possible, and less accurate.
      """;

  private static final String TAIL =
      """

      # The privacy budget of all releases of this stream together. It cannot be changed after the first release.
      # epsilon: smaller means more noise. delta: at most a hundredth of one over the number of rows in all epochs:
      # 1.0e-6 for ten thousand rows, 1.0e-9 for ten million, 1.0e-12 for ten billion.
      # neighbours: replace-one hides the values of a row, add-remove also whether the row is there.
      privacy:
        epsilon: 1.0
        delta: DELTA
        neighbours: replace-one

      # One release an hour, by the time at which Kafka appended a row. For one release of a whole file or topic:
      # {length: all}
      epochs: {length: PT1H}

      # The number of rows in an epoch: a public guess, not a count. Noise and sizes are planned for it.
      expectedRows: ROWS

      # What is released: two-stage-moments is for least squares, ridge and lasso. Rows are read again: the topic
      # must keep them for longer than an epoch. For medians and quantiles add:
      #   - {name: strata, mechanism: stratified-moments}
      sketches:
        - {name: moments, mechanism: two-stage-moments}

      kafka:
        bootstrap: localhost:9092
        create: {partitions: 4, replicas: 1}   # makes missing topics
      """;

  private ConfigTemplate() {}

  /**
   * Returns the config.
   *
   * @param file the name of the file that has the rows; the stream is named after it
   * @param expectedRows a public guess of the rows in an epoch, at least 1; left open if empty
   */
  public static String of(String file, CsvHeader header, OptionalLong expectedRows) {
    String rows = expectedRows.isPresent() ? Long.toString(expectedRows.getAsLong()) : "\"?\"";
    boolean numbers = header.columns().stream().anyMatch(CsvHeader.Field::number);
    boolean texts = header.columns().stream().anyMatch(column -> !column.number());
    return HEAD.replace("NAME", stream(file))
        + (numbers ? NUMBERS : "")
        + (texts ? TEXTS : "")
        + header.columns().stream().map(ConfigTemplate::line).collect(Collectors.joining())
        + RESPONSE
        + response(header)
        + TAIL.replace("DELTA", "1.0e-" + Budget.digitsOfDelta(expectedRows.orElse(1)))
            .replace("ROWS", rows);
  }

  /** By custom the response is the last column; it can be one if it is a number. */
  private static String response(CsvHeader header) {
    CsvHeader.Field last = header.columns().get(header.columns().size() - 1);
    return last.number()
        ? "# This is the last column; name another one, or delete the line.\n"
            + "response: "
            + scalar(last.name())
            + "\n"
        : "# response: COLUMN\n";
  }

  private static String line(CsvHeader.Field column) {
    String open = column.number() ? "lower: \"?\", upper: \"?\"" : "categories: \"?\"";
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
