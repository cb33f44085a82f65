package io.gauze.source.file;

import io.gauze.source.RecordSize;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.Arrays;

/**
 * The lines of a file, which end with a line feed that a carriage return may precede. They are
 * decoded one by one, so that no line can change how another is read. Holds one line in memory, of
 * at most {@link RecordSize#MAX_BYTES}. Not thread-safe.
 */
final class CsvLines implements Closeable {
  private static final int CHUNK = 1 << 16;
  private static final char REPLACEMENT = '\ufffd';

  private final InputStream in;
  private final CharsetDecoder decoder;
  private final byte[] chunk = new byte[CHUNK];
  private int from;
  private int to;
  private byte[] line = new byte[256];
  private int length;
  private boolean tooLong;
  private CharBuffer text = CharBuffer.allocate(256);
  private boolean malformed;
  private long number;

  /**
   * Creates a reader before the first line.
   *
   * @param encoding an encoding in which ASCII characters are single bytes
   */
  CsvLines(InputStream in, Charset encoding) {
    this.in = in;
    this.decoder = encoding.newDecoder(); // which reports what it cannot decode
  }

  /** Reads the next line; returns false at the end of the file. */
  boolean next() throws IOException {
    length = 0;
    tooLong = false;
    boolean any = false;
    boolean open = true;
    while (open && (from < to || fill())) {
      any = true;
      int stop = from;
      while (stop < to && chunk[stop] != '\n') {
        stop++;
      }
      append(from, stop);
      open = stop == to;
      from = open ? to : stop + 1;
    }
    if (!any) {
      return false;
    }
    number++;
    length -= length > 0 && line[length - 1] == '\r' ? 1 : 0;
    decode();
    return true;
  }

  private boolean fill() throws IOException {
    from = 0;
    to = Math.max(0, in.read(chunk, 0, CHUNK));
    return to > 0;
  }

  private void append(int start, int stop) {
    int more = stop - start;
    if (tooLong || length + more > RecordSize.MAX_BYTES) {
      tooLong = true;
      length = 0;
      return;
    }
    if (length + more > line.length) {
      line = Arrays.copyOf(line, Math.max(2 * line.length, length + more));
    }
    System.arraycopy(chunk, start, line, length, more);
    length += more;
  }

  private void decode() {
    int most = (int) Math.ceil(length * (double) decoder.maxCharsPerByte()) + 1;
    if (text.capacity() < most) {
      text = CharBuffer.allocate(Math.max(most, 2 * text.capacity()));
    }
    text.clear();
    malformed = false;
    decoder.reset();
    ByteBuffer bytes = ByteBuffer.wrap(line, 0, length);
    CoderResult result = decoder.decode(bytes, text, true);
    while (result.isError()) {
      malformed = true;
      bytes.get(); // one byte alone, so that no separator behind it is lost
      text.put(REPLACEMENT);
      result = decoder.decode(bytes, text, true);
    }
    decoder.flush(text);
  }

  /** The characters of the line; overwritten by the next one, and may be changed. */
  char[] text() {
    return text.array();
  }

  /** The number of characters of the line, without its end; 0 if it is too long. */
  int length() {
    return text.position();
  }

  /** Whether the line is longer than {@link RecordSize#MAX_BYTES} and was passed over. */
  boolean tooLong() {
    return tooLong;
  }

  /**
   * Whether bytes of the line are not of the encoding; each such place is a replacement character.
   */
  boolean malformed() {
    return malformed;
  }

  /** The number of the line in its file, from 1. */
  long number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
