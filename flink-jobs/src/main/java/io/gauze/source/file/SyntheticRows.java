package io.gauze.source.file;

import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import io.gauze.row.Truth;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Made-up rows as the text of a CSV file, for a rehearsal without data. A number is normal with the
 * typical value as its mean and the public guess of its standard deviation, and within its range. A
 * text is one of those that columns know, all with the same chance. Columns are independent of each
 * other, so a fit finds no effects. For one thread.
 */
public final class SyntheticRows extends InputStream {
  private static final String OTHER = "other";
  private static final double DEFAULT_SPREAD = 0.25; // of the range

  private final Map<String, LongFunction<String>> fields = new LinkedHashMap<>();
  private final SplittableRandom random = new SplittableRandom();
  private final long rows;
  private long row = -1; // the header
  private byte[] line = {};
  private int position;

  /**
   * Creates rows.
   *
   * @param spreads public guesses of standard deviations, by column
   * @param rows the number of rows, at least 1
   */
  public SyntheticRows(RowSchema schema, Map<String, Double> spreads, long rows) {
    this.rows = rows;
    Map<String, Set<String>> texts = new LinkedHashMap<>();
    for (Column column : schema.columns()) {
      if (column.numeric()) {
        double spread =
            spreads.getOrDefault(column.name(), DEFAULT_SPREAD * (column.upper() - column.lower()));
        fields.put(column.source(), i -> number(column, spread));
      } else {
        texts
            .computeIfAbsent(column.source(), source -> new LinkedHashSet<>())
            .addAll(texts(column));
      }
    }
    texts.forEach((field, values) -> with(field, List.copyOf(values)));
  }

  /**
   * Adds a field, or replaces it, whose text is one of {@code values}, all with the same chance.
   */
  public SyntheticRows with(String field, List<String> values) {
    return with(field, i -> values.get(random.nextInt(values.size())));
  }

  /** Adds a field, or replaces it, whose text depends on the index of the row. */
  public SyntheticRows with(String field, LongFunction<String> value) {
    fields.put(field, value);
    return this;
  }

  private static Set<String> texts(Column column) {
    if (!column.isIndicator()) {
      return new LinkedHashSet<>(column.texts());
    }
    String yes = column.texts().get(0);
    String no =
        Truth.of(yes)
            .map(truth -> Truth.spellings(!truth).get(0))
            .orElse(yes.equals(OTHER) ? "not " + OTHER : OTHER);
    return new LinkedHashSet<>(List.of(yes, no));
  }

  private String number(Column column, double spread) {
    double value = column.typical() + spread * random.nextGaussian();
    return Double.toString(Math.max(column.lower(), Math.min(column.upper(), value)));
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (position == line.length) {
      if (row == rows) {
        return -1;
      }
      String text =
          row < 0
              ? header()
              : fields.values().stream()
                  .map(f -> cell(f.apply(row)))
                  .collect(Collectors.joining(",", "", "\n"));
      line = text.getBytes(StandardCharsets.UTF_8);
      position = 0;
      row++;
    }
    int read = Math.min(length, line.length - position);
    System.arraycopy(line, position, to, offset, read);
    position += read;
    return read;
  }

  private String header() {
    return fields.keySet().stream()
        .map(SyntheticRows::cell)
        .collect(Collectors.joining(",", "", "\n"));
  }

  private static String cell(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  @Override
  public void close() {
    row = rows;
    line = new byte[0];
    position = 0;
  }
}
