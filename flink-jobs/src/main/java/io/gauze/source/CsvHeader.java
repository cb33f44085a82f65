package io.gauze.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVRecord;

/**
 * The columns of a CSV file. Holds no value of a row.
 *
 * @param columns in the file's order; immutable
 */
public record CsvHeader(List<Field> columns) {
  /** The rows that decide which columns are numbers. */
  private static final int ROWS = 1000;

  /**
   * A column.
   *
   * @param name the text in the header
   * @param number whether all values of the first rows are numbers
   */
  public record Field(String name, boolean number) {}

  /** Copies the list. */
  public CsvHeader {
    columns = List.copyOf(columns);
  }

  /**
   * Reads the header of {@code file} and the kinds of its columns; {@code -} is standard input.
   *
   * @throws CsvRows.HeaderException if the first line is no header
   * @throws IOException if the file cannot be read
   */
  public static CsvHeader read(String file) throws IOException {
    CsvFile opened = CsvFile.open(file);
    try (var parser = opened.parser()) {
      List<String> names = CsvFile.names(parser);
      // The first line may be a row, which must not be shown.
      if (names.isEmpty() || names.stream().anyMatch(CsvHeader::isNumber)) {
        throw new CsvRows.HeaderException(
            file
                + (names.isEmpty() ? " is empty" : " has a number in its first line")
                + ": its first line must be a header with the names of the columns");
      }
      boolean[] text = new boolean[names.size()];
      Iterator<CSVRecord> records = parser.iterator();
      for (int rows = 0; rows < ROWS && hasNext(opened, records); rows++) {
        CsvRow row = new CsvRow(names, records.next());
        for (int i = 0; i < text.length; i++) {
          text[i] |= row.value(names.get(i)).map(value -> !isNumber(value)).orElse(false);
        }
      }
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < text.length; i++) {
        fields.add(new Field(names.get(i), !text[i]));
      }
      return new CsvHeader(fields);
    } catch (UncheckedIOException e) {
      throw new IOException(file + " cannot be read: " + e.getCause().getMessage(), e);
    }
  }

  private static boolean hasNext(CsvFile file, Iterator<CSVRecord> records) {
    file.text().beginRow(file.parser().getCurrentLineNumber() + 1);
    return records.hasNext();
  }

  private static boolean isNumber(String text) {
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
