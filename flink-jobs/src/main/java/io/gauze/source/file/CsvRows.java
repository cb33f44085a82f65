package io.gauze.source.file;

import io.gauze.row.NumberText;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a CSV file with a header line, as JSON objects of the schema's fields. Each line is a
 * row: one that cannot be read is refused, and changes nothing for the others. Not thread-safe.
 */
public final class CsvRows implements Closeable {
  private static final int MOST_SHOWN = 1000;
  private static final int SHOWN = 20;

  private static final CsvOptions MADE_UP = // texts of a config may have line breaks
      new CsvOptions(Optional.empty(), Optional.empty(), '.', true);

  private final CsvFile file;
  private final RowSchema schema;
  private final CsvColumns columns;
  private final RowWriter writer = new RowWriter();

  private CsvRows(CsvFile file, RowSchema schema, CsvColumns columns) {
    this.file = file;
    this.schema = schema;
    this.columns = columns;
  }

  /**
   * Who reads the rows.
   *
   * @param schema its columns are read
   * @param extras further fields that are read, such as a key
   * @param demand the rest of a sentence about a field: who needs it
   */
  public record Reader(RowSchema schema, List<String> extras, String demand) {
    /** Copies the list. */
    public Reader {
      extras = List.copyOf(extras);
    }

    /** Returns the reader of the fields that a config names. */
    public static Reader of(RowSchema schema) {
      return of(schema, List.of());
    }

    /** Returns the reader of the fields that a config names, its columns and others. */
    public static Reader of(RowSchema schema, List<String> extras) {
      return new Reader(schema, extras, "the config names");
    }

    /** Returns the reader of the features of a fit. */
    public static Reader ofFeatures(RowSchema features) {
      return new Reader(features, List.of(), "the fit needs");
    }
  }

  /**
   * Opens {@code file}; {@code -} is standard input.
   *
   * @throws HeaderException if the file is no CSV file, its first line is no header, or the header
   *     lacks a field that is read, or has it twice
   * @throws IOException if the file cannot be read
   */
  public static CsvRows open(String file, CsvOptions options, Reader reader) throws IOException {
    return of(file, CsvFile.open(file, options), options, reader);
  }

  /** Returns made-up rows. */
  public static CsvRows of(SyntheticRows rows, RowSchema schema) throws IOException {
    CsvLines lines = new CsvLines(rows, StandardCharsets.UTF_8);
    CsvFile file = CsvFile.read("the made-up rows", lines, MADE_UP);
    return of("the made-up rows", file, MADE_UP, Reader.of(schema));
  }

  private static CsvRows of(String name, CsvFile opened, CsvOptions options, Reader reader)
      throws IOException {
    try {
      checkHeader(name, opened.names(), reader);
    } catch (HeaderException e) {
      opened.close();
      throw e;
    }
    CsvColumns columns = new CsvColumns(opened, reader.schema(), reader.extras(), options);
    return new CsvRows(opened, reader.schema(), columns);
  }

  /** Thrown if a file is no CSV file, or its columns do not match the config. */
  public static final class HeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    HeaderException(String message) {
      super(message);
    }

    HeaderException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static void checkHeader(String file, List<String> header, Reader reader)
      throws HeaderException {
    List<String> fields = RowFields.of(reader.schema(), reader.extras()).names();
    if (Collections.disjoint(header, fields)) { // may be a row, which must not be shown
      throw new HeaderException(
          file
              + " needs a header: its first line has none of the columns that "
              + reader.demand()
              + ". If it is a row, put a line with the names of the columns before it: "
              + shown(fields));
    }
    Set<String> names = new HashSet<>(header);
    List<String> missing = fields.stream().filter(field -> !names.contains(field)).toList();
    if (!missing.isEmpty()) {
      throw new HeaderException(
          String.format(
              Locale.ROOT,
              "%s has no %s, which %s%s",
              file,
              missing.size() == 1
                  ? "column \"" + missing.get(0) + "\""
                  : "columns " + shown(missing),
              reader.demand(),
              mayBeRow(header) ? "" : "; its header is: " + shown(header)));
    }
    Set<String> twice = new HashSet<>();
    Set<String> seen = new HashSet<>();
    header.stream().filter(name -> !seen.add(name)).forEach(twice::add);
    for (String field : fields) {
      if (twice.contains(field)) {
        throw new HeaderException(
            file + " has the column \"" + field + "\" more than once: leave the wrong ones out");
      }
    }
  }

  /** Returns whether a header may be a row, which must not be shown. */
  private static boolean mayBeRow(List<String> header) {
    return header.stream().anyMatch(name -> !name.isEmpty() && NumberText.isValueLike(name));
  }

  /** Returns the names on one line, shortened, and without control characters. */
  private static String shown(List<String> fields) {
    List<String> first = fields.subList(0, Math.min(fields.size(), SHOWN));
    String some = String.join(",", first).replaceAll("\\p{Cntrl}", "?");
    boolean all = fields.size() <= SHOWN && some.length() <= MOST_SHOWN;
    return all ? some : some.substring(0, Math.min(some.length(), MOST_SHOWN)) + ",...";
  }

  /**
   * Returns whether there is a further row, whether or not it can be read.
   *
   * @throws IOException if the file cannot be read
   */
  public boolean hasNext() throws IOException {
    return file.hasNext();
  }

  /**
   * Returns the next row as a JSON object.
   *
   * @throws RowRejectedException if the row cannot be read; the message holds no value, and the
   *     next row can be read
   * @throws IOException if the file cannot be read
   * @throws java.util.NoSuchElementException if there is none
   */
  public byte[] next() throws IOException, RowRejectedException {
    CsvCells cells = cells();
    writer.begin();
    List<String> fields = schema.fields();
    for (int i = 0; i < fields.size(); i++) {
      String value = columns.value(cells, columns.index(fields.get(i)));
      if (!value.isEmpty()) {
        writer.cell(fields.get(i), value, schema.numericField(i));
      }
    }
    return writer.end();
  }

  /**
   * Returns the next row with all columns of the file; use it instead of {@link #next}. Throws the
   * same exceptions.
   */
  public CsvRow nextRow() throws IOException, RowRejectedException {
    CsvCells cells = cells();
    String[] values = new String[cells.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.value(cells, i);
    }
    return new CsvRow(columns, values, file.line());
  }

  private CsvCells cells() throws IOException, RowRejectedException {
    CsvCells cells = file.next();
    if (file.malformed()) {
      columns.requireDecoded(cells);
    }
    return cells;
  }

  /** The number of the line with which the last row begins, from 1. */
  public long line() {
    return file.line();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
