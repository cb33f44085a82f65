package io.gauze.source;

import java.io.IOException;
import java.io.Reader;

/**
 * A reader that fails where a row is too long: an unclosed quote would make the whole rest of the
 * file one value.
 */
final class BoundedRowReader extends Reader {
  /**
   * The most characters that are read for a row, the same number as the most bytes of a record.
   * Characters that the parser had read before the row began are not counted.
   */
  private static final int MOST = RecordSize.MAX_BYTES;

  private final Reader in;
  private long line = 1;
  private int left = MOST;

  BoundedRowReader(Reader in) {
    this.in = in;
  }

  /** Marks the start of the next row. */
  void beginRow(long itsLine) {
    line = itsLine;
    left = MOST;
  }

  @Override
  public int read(char[] to, int offset, int length) throws IOException {
    if (left == 0) {
      throw new IOException(
          "the row that begins in line "
              + line
              + " is longer than "
              + MOST
              + " characters; close its quote, or leave it out");
    }
    int read = in.read(to, offset, Math.min(length, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
