package io.gauze.source;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * An open CSV file with a header line. The file is plain or gzip, in UTF-8. The delimiter is the
 * one of comma, semicolon and tab that is most frequent in the header.
 *
 * @param text what the parser reads; bounds the length of a row
 * @param parser stands behind the header
 */
record CsvFile(BoundedRowReader text, CSVParser parser) {
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int HEADER_LIMIT = 1 << 16;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /**
   * Opens {@code file}; {@code -} is standard input.
   *
   * @throws IOException if the file cannot be read
   */
  static CsvFile open(String file) throws IOException {
    InputStream raw = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
    BufferedInputStream bytes = new BufferedInputStream(raw, HEADER_LIMIT);
    BufferedInputStream plain = isGzip(bytes) ? unzipped(file, bytes) : bytes;
    char delimiter = begin(file, plain);
    try {
      return read(new InputStreamReader(plain, StandardCharsets.UTF_8), delimiter);
    } catch (IOException e) {
      throw new IOException(file + " has no header that can be read: " + e.getMessage(), e);
    }
  }

  /** Reads the header of a text. */
  static CsvFile read(Reader in, char delimiter) throws IOException {
    BoundedRowReader text = new BoundedRowReader(in);
    CSVFormat format =
        CSVFormat.DEFAULT
            .builder()
            .setDelimiter(delimiter)
            .setHeader()
            .setAllowMissingColumnNames(true)
            .setSkipHeaderRecord(true)
            .setIgnoreSurroundingSpaces(true)
            .setNullString("NA")
            .get();
    return new CsvFile(text, CSVParser.parse(text, format));
  }

  /** Returns the names of the columns, without duplicates, in the file's order. */
  static List<String> names(CSVParser parser) {
    return parser.getHeaderNames().stream().filter(n -> !n.isEmpty()).distinct().toList();
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
}
