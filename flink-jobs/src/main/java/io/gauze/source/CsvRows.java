package io.gauze.source;

import io.gauze.row.RowSchema;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a CSV file with a header line, as JSON objects of the schema's fields. An empty cell
 * or {@code NA} is a missing field.
 */
public final class CsvRows implements Iterator<byte[]>, Closeable {
  private static final int MOST_SHOWN = 1000;
  private static final int SHOWN = 20;
  private static final String CONFIG = "the config names";

  private final BoundedRowReader text;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final RowSchema schema;
  private final List<String> names;
  private final RowWriter writer = new RowWriter();

  private CsvRows(BoundedRowReader text, CSVParser parser, RowSchema schema) {
    this.text = text;
    this.parser = parser;
    this.records = parser.iterator();
    this.schema = schema;
    this.names = CsvFile.names(parser);
  }

  /**
   * Opens {@code file}; {@code -} is standard input.
   *
   * @throws HeaderException if the header lacks a field of {@code schema}, or has it twice
   * @throws IOException if the file cannot be read
   */
  public static CsvRows open(String file, RowSchema schema) throws IOException {
    return open(file, schema, List.of());
  }

  /**
   * Opens {@code file} as {@link #open(String, RowSchema)} does; the header must also have {@code
   * extras}.
   */
  public static CsvRows open(String file, RowSchema schema, List<String> extras)
      throws IOException {
    return of(CsvFile.open(file), new Source(file, CONFIG), schema, extras);
  }

  /** Opens {@code file} as {@link #open(String, RowSchema)} does, for the features of a fit. */
  public static CsvRows ofFeatures(String file, RowSchema features) throws IOException {
    return of(CsvFile.open(file), new Source(file, "the fit needs"), features, List.of());
  }

  /** Returns made-up rows. */
  public static CsvRows of(SyntheticRows rows, RowSchema schema) throws IOException {
    return of(CsvFile.read(rows, ','), new Source("the made-up rows", CONFIG), schema, List.of());
  }

  private static CsvRows of(CsvFile opened, Source source, RowSchema schema, List<String> extras)
      throws IOException {
    CsvRows rows = new CsvRows(opened.text(), opened.parser(), schema);
    rows.checkHeader(source, extras);
    return rows;
  }

  /**
   * What the rows come from.
   *
   * @param demand the rest of a sentence about a column: who needs it
   */
  private record Source(String file, String demand) {}

  /** Thrown if the columns of the file do not match the config. */
  public static final class HeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    HeaderException(String message) {
      super(message);
    }
  }

  private void checkHeader(Source source, List<String> extras) throws IOException {
    List<String> header = parser.getHeaderNames();
    List<String> fields = RowFields.of(schema, extras).names();
    if (Collections.disjoint(header, fields)) { // may be a row, which must not be shown
      parser.close();
      throw new HeaderException(
          source.file()
              + (header.isEmpty()
                  ? " is empty: its first line must be a header with the names of the columns: "
                  : " needs a header: its first line has none of the columns that "
                      + source.demand()
                      + ". If it is a row, put a line with the names of the columns before it: ")
              + shown(fields));
    }
    List<String> missing = fields.stream().filter(field -> !header.contains(field)).toList();
    if (!missing.isEmpty()) {
      parser.close();
      throw new HeaderException(
          String.format(
              Locale.ROOT,
              "%s has no %s, which %s; its header is: %s",
              source.file(),
              missing.size() == 1
                  ? "column \"" + missing.get(0) + "\""
                  : "columns " + shown(missing),
              source.demand(),
              shown(header)));
    }
    for (String field : fields) {
      if (Collections.frequency(header, field) > 1) {
        parser.close();
        throw new HeaderException(
            source.file()
                + " has the column \""
                + field
                + "\" more than once: leave the wrong ones out");
      }
    }
  }

  /** Returns the names on one line, shortened, and without control characters. */
  private static String shown(List<String> fields) {
    List<String> first = fields.subList(0, Math.min(fields.size(), SHOWN));
    String some = String.join(",", first).replaceAll("\\p{Cntrl}", "?");
    boolean all = fields.size() <= SHOWN && some.length() <= MOST_SHOWN;
    return all ? some : some.substring(0, Math.min(some.length(), MOST_SHOWN)) + ",...";
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if a row cannot be read, or is longer than a record may be
   */
  @Override
  public boolean hasNext() {
    text.beginRow(parser.getCurrentLineNumber() + 1);
    return records.hasNext();
  }

  @Override
  public byte[] next() {
    CsvRow row = nextRow();
    writer.begin();
    List<String> fields = schema.fields();
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      boolean numeric = schema.numericField(i);
      row.value(field).ifPresent(value -> writer.cell(field, value, numeric));
    }
    return writer.end();
  }

  /** Returns the next row with all columns of the file; use it instead of {@link #next}. */
  public CsvRow nextRow() {
    if (!hasNext()) {
      throw new NoSuchElementException("the file has no further row; ask hasNext first");
    }
    return new CsvRow(names, records.next());
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
