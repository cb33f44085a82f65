package io.gauze.source;

import java.io.IOException;
import java.io.Reader;

/** Ends reading where a row is too long, since an unclosed quote takes all that follows into it. */
final class BoundedRowReader extends Reader {
  /** As many characters as a record may have bytes; what is read ahead of a row comes on top. */
  private static final int MOST = RecordSize.MAX_BYTES;

  private final Reader in;
  private long line = 1;
  private int left = MOST;

  BoundedRowReader(Reader in) {
    this.in = in;
  }

  /** From here on the next row is read. */
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
