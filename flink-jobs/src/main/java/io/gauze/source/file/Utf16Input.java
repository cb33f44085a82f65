package io.gauze.source.file;

import java.io.IOException;
import java.io.InputStream;

/**
 * A UTF-16 file as UTF-8 bytes. A surrogate without its partner, or half a unit at the end, becomes
 * a byte that is not UTF-8. It takes nothing of what follows, so that it cannot hide the end of its
 * line.
 */
final class Utf16Input extends InputStream {
  private static final int MALFORMED = 0xff;
  private static final int HALF = -2;
  private static final int NOTHING = -1;

  private final InputStream in;
  private final boolean bigEndian;
  private final byte[] ready = new byte[4]; // the bytes of one character
  private int from;
  private int to;
  private int next; // the unit after the current one, or NOTHING at the end
  private boolean begun;

  Utf16Input(InputStream in, boolean bigEndian) {
    this.in = in;
    this.bigEndian = bigEndian;
  }

  @Override
  public int read() throws IOException {
    if (from == to && !encodeNext()) {
      return -1;
    }
    return ready[from++] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = 0;
    while (count < length && (from < to || encodeNext())) {
      bytes[offset + count++] = ready[from++];
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  private boolean encodeNext() throws IOException {
    if (!begun) {
      begun = true;
      next = unit();
    }
    if (next == NOTHING) {
      return false;
    }
    int unit = next;
    next = unit();
    if (next >= 0 && unit >= 0 && Character.isSurrogatePair((char) unit, (char) next)) {
      encode(Character.toCodePoint((char) unit, (char) next));
      next = unit();
    } else if (unit == HALF || Character.isSurrogate((char) unit)) {
      from = 0;
      to = 0;
      put(MALFORMED);
    } else {
      encode(unit);
    }
    return true;
  }

  private void encode(int character) {
    from = 0;
    to = 0;
    if (character < 0x80) {
      put(character);
    } else if (character < 0x800) {
      put(0xc0 | (character >> 6));
      follow(character);
    } else if (character < 0x10000) {
      put(0xe0 | (character >> 12));
      follow(character >> 6);
      follow(character);
    } else {
      put(0xf0 | (character >> 18));
      follow(character >> 12);
      follow(character >> 6);
      follow(character);
    }
  }

  private void put(int value) {
    ready[to++] = (byte) value;
  }

  /** Puts a byte after the first, with the last six bits. */
  private void follow(int bits) {
    put(0x80 | (bits & 0x3f));
  }

  /** Returns the next two bytes as a unit; HALF if there is one byte. */
  private int unit() throws IOException {
    int first = in.read();
    if (first < 0) {
      return NOTHING;
    }
    int second = in.read();
    if (second < 0) {
      return HALF;
    }
    return bigEndian ? (first << 8) | second : (second << 8) | first;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
