package io.gauze.source;

import io.gauze.row.RowSchema;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a CSV file with a header line, as JSON objects of the schema's fields. The file is
 * plain or gzip, in UTF-8. The delimiter is the one of comma, semicolon and tab that is most
 * frequent in the header. An empty cell or {@code NA} is a missing field.
 */
public final class CsvRows implements Iterator<byte[]>, Closeable {
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int MOST_SHOWN = 1000;
  private static final int HEADER_LIMIT = 1 << 16;
  private static final int SHOWN = 20;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

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
    this.names = parser.getHeaderNames().stream().filter(n -> !n.isEmpty()).distinct().toList();
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
    InputStream raw = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
    BufferedInputStream bytes = new BufferedInputStream(raw, HEADER_LIMIT);
    BufferedInputStream plain = isGzip(bytes) ? unzipped(file, bytes) : bytes;
    CSVFormat format =
        CSVFormat.DEFAULT
            .builder()
            .setDelimiter(begin(file, plain))
            .setHeader()
            .setAllowMissingColumnNames(true)
            .setSkipHeaderRecord(true)
            .setIgnoreSurroundingSpaces(true)
            .setNullString("NA")
            .get();
    BoundedRowReader text =
        new BoundedRowReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
    CSVParser parser;
    try {
      parser = CSVParser.parse(text, format);
    } catch (IOException e) {
      throw new IOException(file + " has no header that can be read: " + e.getMessage(), e);
    }
    CsvRows rows = new CsvRows(text, parser, schema);
    rows.checkHeader(file, extras);
    return rows;
  }

  /** Thrown if the columns of the file do not match the config. */
  public static final class HeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    HeaderException(String message) {
      super(message);
    }
  }

  private static boolean isGzip(BufferedInputStream bytes) throws IOException {
    bytes.mark(2);
    int magic = bytes.read() << 8 | bytes.read();
    bytes.reset();
    return magic == GZIP_MAGIC;
  }

  private static BufferedInputStream unzipped(String file, InputStream bytes) throws IOException {
    try {
      return new BufferedInputStream(new GZIPInputStream(bytes), HEADER_LIMIT);
    } catch (IOException e) { // some have no message
      throw new IOException(file + " begins like a gzip file, and is none that can be read", e);
    }
  }

  /** Skips a byte order mark, and returns the delimiter. */
  private static char begin(String file, BufferedInputStream bytes) throws IOException {
    try {
      skipByteOrderMark(bytes);
      return delimiter(bytes);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Skips the byte order mark that spreadsheets write before UTF-8. */
  private static void skipByteOrderMark(BufferedInputStream bytes) throws IOException {
    bytes.mark(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
      bytes.reset();
    }
  }

  private static char delimiter(InputStream bytes) throws IOException {
    bytes.mark(HEADER_LIMIT);
    int commas = 0;
    int semicolons = 0;
    int tabs = 0;
    for (int read = 1; read < HEADER_LIMIT; read++) {
      int next = bytes.read();
      if (next < 0 || next == '\n') {
        break;
      }
      commas += next == ',' ? 1 : 0;
      semicolons += next == ';' ? 1 : 0;
      tabs += next == '\t' ? 1 : 0;
    }
    bytes.reset();
    return semicolons > Math.max(commas, tabs) ? ';' : tabs > commas ? '\t' : ',';
  }

  private void checkHeader(String file, List<String> extras) throws IOException {
    List<String> header = parser.getHeaderNames();
    List<String> fields = RowFields.of(schema, extras).names();
    if (Collections.disjoint(header, fields)) { // may be a row, which must not be shown
      parser.close();
      throw new HeaderException(
          file
              + (header.isEmpty()
                  ? " is empty: its first line must be a header with the names of the columns: "
                  : " needs a header: its first line has none of the columns that the config names. If"
                      + " it is a row, put a line with the names of the columns before it: ")
              + shown(fields));
    }
    for (String field : fields) {
      if (!header.contains(field)) {
        parser.close();
        throw new HeaderException(
            String.format(
                Locale.ROOT,
                "%s has no column \"%s\", which the config names; its header is: %s",
                file,
                field,
                shown(header)));
      }
      if (Collections.frequency(header, field) > 1) {
        parser.close();
        throw new HeaderException(
            file + " has the column \"" + field + "\" more than once: leave the wrong ones out");
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
