package io.gauze.source.file;

import io.gauze.row.RowRejectedException;
import io.gauze.source.RecordSize;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * An open CSV file behind its header line. The delimiter is the one of comma, semicolon, tab and
 * bar that is most frequent in the header outside of quotes, or that of a line {@code sep=;} before
 * it. Each line is a row, unless it is blank or a comment: what is wrong with one line changes
 * nothing for the others. Not thread-safe.
 */
final class CsvFile implements Closeable {
  private static final String DELIMITERS = ",;\t|"; // of equally frequent ones the first
  private static final int DELIMITER_LINE = "sep=;".length();

  private final CsvLines lines;
  private final CsvOptions options;
  private final CsvCells cells;
  private final List<String> names;
  private long line;
  private boolean malformed;
  private boolean ready; // whether the line after the last row is read, and is a row

  private CsvFile(CsvLines lines, CsvOptions options, Header header) {
    this.lines = lines;
    this.options = options;
    this.cells = new CsvCells(header.delimiter());
    this.names = header.names();
  }

  private record Header(List<String> names, char delimiter) {}

  /**
   * Opens {@code file} and reads its header; {@code -} is standard input.
   *
   * @throws CsvRows.HeaderException if the first line cannot be a header, or the file is of another
   *     kind
   * @throws IOException if the file cannot be read
   */
  static CsvFile open(String file, CsvOptions options) throws IOException {
    return read(file, CsvText.open(file, options), options);
  }

  /** Reads the header of the lines of {@code file}. */
  static CsvFile read(String file, CsvLines lines, CsvOptions options) throws IOException {
    try {
      return new CsvFile(lines, options, header(file, lines, options));
    } catch (IOException | RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  private static Header header(String file, CsvLines lines, CsvOptions options) throws IOException {
    boolean any = nextRow(lines, options);
    String text = any ? new String(lines.text(), 0, lines.length()) : "";
    char delimiter = delimiter(text);
    if (text.length() == DELIMITER_LINE && text.startsWith("sep=")) { // Excel reads such a line
      delimiter = text.charAt(DELIMITER_LINE - 1);
      any = nextRow(lines, options);
      text = any ? new String(lines.text(), 0, lines.length()) : "";
    }
    if (!any) {
      throw new CsvRows.HeaderException(
          file + " is empty: its first line must be a header with the names of the columns");
    }
    check(file, lines, text);
    CsvCells cells = new CsvCells(delimiter);
    try {
      if (!cells.split(lines.text(), lines.length())) {
        throw refused(file, "a quote in it is not closed; close it in the same line");
      }
    } catch (RowRejectedException e) {
      throw refused(
          file,
          "there is text after a closing quote; separate values by comma, semicolon, tab or bar (a"
              + " blank is none: R's write.csv has commas)");
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < cells.count(); i++) {
      names.add(cells.value(i));
    }
    return new Header(List.copyOf(names), delimiter);
  }

  private static void check(String file, CsvLines lines, String text)
      throws CsvRows.HeaderException {
    if (lines.tooLong()) {
      throw refused(
          file, "it is longer than " + RecordSize.MAX_BYTES + " bytes; see how its lines end");
    }
    if (text.indexOf('\0') >= 0) {
      throw refused(
          file,
          "it holds zero bytes; save the file as UTF-8, or give --encoding UTF-16"
              + (text.charAt(0) == '\0' ? "BE" : "LE"));
    }
    if (lines.malformed()) {
      throw refused(
          file,
          "it is not of the encoding (UTF-8, if none is given); save the file as UTF-8, or name its"
              + " encoding, such as --encoding windows-1252");
    }
    if (text.indexOf('\r') >= 0) {
      throw refused(
          file,
          "lines must end with a line feed, and it holds carriage returns without one; save the file"
              + " with other line ends");
    }
    if (text.startsWith("#")) {
      throw refused(file, "it begins with #; if such lines are comments, give --comment '#'");
    }
  }

  private static CsvRows.HeaderException refused(String file, String why) {
    return new CsvRows.HeaderException(file + ": its first line is no header: " + why);
  }

  private static char delimiter(String header) {
    int[] counts = new int[DELIMITERS.length()];
    boolean quoted = false;
    for (int i = 0; i < header.length(); i++) {
      quoted ^= header.charAt(i) == '"';
      int delimiter = quoted ? -1 : DELIMITERS.indexOf(header.charAt(i));
      if (delimiter >= 0) {
        counts[delimiter]++;
      }
    }
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    return DELIMITERS.charAt(most);
  }

  /** Goes to the next line that is neither blank nor a comment. */
  private static boolean nextRow(CsvLines lines, CsvOptions options) throws IOException {
    while (lines.next()) {
      if (lines.tooLong() || !(isBlank(lines) || isComment(lines, options))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBlank(CsvLines lines) {
    for (int i = 0; i < lines.length(); i++) {
      if (lines.text()[i] != ' ') {
        return false;
      }
    }
    return true;
  }

  private static boolean isComment(CsvLines lines, CsvOptions options) {
    return options.comment().isPresent()
        && lines.length() > 0
        && lines.text()[0] == options.comment().get();
  }

  /** The names in the header, in the file's order; a name may be empty, or there twice. */
  List<String> names() {
    return names;
  }

  /** Returns the index in the file of each named column; of two of one name the first. */
  Map<String, Integer> indexes() {
    Map<String, Integer> indexOf = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (!names.get(i).isEmpty()) {
        indexOf.putIfAbsent(names.get(i), i);
      }
    }
    return indexOf;
  }

  /** Returns whether there is a further row, whether or not it can be read. */
  boolean hasNext() throws IOException {
    ready = ready || nextRow(lines, options);
    return ready;
  }

  /**
   * Reads the next row.
   *
   * @return its cells, one for each name of the header; overwritten by the next row
   * @throws RowRejectedException if the row cannot be split into as many values; the message holds
   *     no value, and the next row can be read
   * @throws NoSuchElementException if there is none
   */
  CsvCells next() throws IOException, RowRejectedException {
    if (!hasNext()) {
      throw new NoSuchElementException("the file has no further row; ask hasNext first");
    }
    ready = false;
    line = lines.number();
    malformed = lines.malformed();
    requireShort(lines.tooLong());
    boolean closed = cells.split(lines.text(), lines.length());
    while (!closed && options.multiline() && lines.next()) {
      malformed |= lines.malformed();
      requireShort(lines.tooLong() || cells.length() + lines.length() >= RecordSize.MAX_BYTES);
      closed = cells.goOn(lines.text(), lines.length());
    }
    if (!closed) {
      throw new RowRejectedException(
          "a quote is not closed in its line; close it, or double quotes that are part of a value");
    }
    if (cells.count() != names.size()) {
      throw new RowRejectedException(
          String.format(
              Locale.ROOT,
              "the line has %,d %s, and the header %,d names",
              cells.count(),
              cells.count() == 1 ? "value" : "values",
              names.size()));
    }
    return cells;
  }

  private static void requireShort(boolean tooLong) throws RowRejectedException {
    if (tooLong) {
      throw new RowRejectedException(
          "the row is longer than " + RecordSize.MAX_BYTES + " bytes; send less");
    }
  }

  /** The number of the line with which the last row begins, from 1. */
  long line() {
    return line;
  }

  /** Whether bytes of the last row are not of the file's encoding. */
  boolean malformed() {
    return malformed;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
