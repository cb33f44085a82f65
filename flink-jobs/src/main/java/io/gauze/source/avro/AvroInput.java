package io.gauze.source.avro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reader of Avro's binary encoding of one record: see "Binary encoding" in the specification of
 * Avro 1.12. It never reads beyond the record, and allocates only for texts and byte arrays. Not
 * thread-safe.
 */
public final class AvroInput {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_DEPTH = 64;
  private static final char REPLACEMENT = '\ufffd';

  private byte[] bytes = {};
  private int at;
  private int depth;

  /**
   * Thrown if the bytes do not match the schema. It has no stack trace, since bad records may be
   * frequent.
   */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String what) {
      super(what, null, false, false);
    }
  }

  /** Begins to read {@code record} at {@code from}. */
  public void reset(byte[] record, int from) {
    bytes = record;
    at = from;
    depth = 0;
  }

  /** The index of the next byte. */
  int position() {
    return at;
  }

  /** Returns whether all bytes are read. */
  public boolean atEnd() {
    return at == bytes.length;
  }

  /** Reads a long or int: zigzag, seven bits a byte, the lowest first. */
  long readLong() throws Malformed {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == bytes.length) {
        throw ends();
      }
      byte b = bytes[at++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new Malformed("a whole number is longer than 10 bytes");
  }

  /** Reads a float. */
  float readFloat() throws Malformed {
    return Float.intBitsToFloat((int) INT.get(bytes, advance(Float.BYTES)));
  }

  /** Reads a double. */
  double readDouble() throws Malformed {
    return Double.longBitsToDouble((long) LONG.get(bytes, advance(Double.BYTES)));
  }

  /** Reads a boolean. */
  boolean readBoolean() throws Malformed {
    byte b = bytes[advance(1)];
    if (b != 0 && b != 1) {
      throw new Malformed("a boolean is neither 0 nor 1");
    }
    return b == 1;
  }

  /** Reads the index of a branch or symbol, in [0, count). */
  int readIndex(int count) throws Malformed {
    long index = readLong();
    if (index < 0 || index >= count) {
      throw new Malformed("there is no such branch or symbol");
    }
    return (int) index;
  }

  /** Reads a length in bytes, and checks that so many bytes follow. */
  int readLength() throws Malformed {
    long length = readLong();
    if (length < 0 || length > bytes.length - at) {
      throw length < 0 ? new Malformed("a length is negative") : ends();
    }
    return (int) length;
  }

  /** Reads a text. */
  String readText() throws Malformed {
    int length = readLength();
    int from = advance(length);
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      checkUtf8(from, length);
    }
    return text;
  }

  /**
   * Refuses a text that is not UTF-8: two of them could decode to the same text, and so to the same
   * key.
   */
  private void checkUtf8(int from, int length) throws Malformed {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
    } catch (CharacterCodingException e) {
      throw new Malformed("a text is not UTF-8");
    }
  }

  /** Reads a copy of the next bytes. */
  byte[] readBytes(int length) throws Malformed {
    int from = advance(length);
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  /** Skips {@code length} bytes. */
  void skip(long length) throws Malformed {
    if (length < 0 || length > bytes.length - at) {
      throw length < 0 ? new Malformed("a length is negative") : ends();
    }
    at += (int) length;
  }

  /** Enters a nested record. The depth is limited, since a schema may contain itself. */
  void enter() throws Malformed {
    if (++depth > MAX_DEPTH) {
      throw new Malformed("records are nested deeper than " + MAX_DEPTH);
    }
  }

  /** Leaves a nested record. */
  void leave() {
    depth--;
  }

  private int advance(int length) throws Malformed {
    int from = at;
    if (length > bytes.length - from) {
      throw ends();
    }
    at = from + length;
    return from;
  }

  private static Malformed ends() {
    return new Malformed("the record ends too early");
  }
}
