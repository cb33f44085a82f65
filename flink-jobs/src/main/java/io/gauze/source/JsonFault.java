package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.row.RowRejectedException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says why bytes are no text that can be read, or no JSON. Holds no part of them. */
public final class JsonFault {
  private static final List<Map.Entry<byte[], String>> COMPRESSED =
      List.of(
          Map.entry(new byte[] {0x1f, (byte) 0x8b}, "gzip"),
          Map.entry(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}, "zstd"),
          Map.entry(new byte[] {0x04, 0x22, 0x4d, 0x18}, "lz4"),
          Map.entry(new byte[] {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}, "snappy"),
          Map.entry(new byte[] {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'}, "snappy"));

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final int ID = 5; // a zero byte and the id of a schema
  private static final int ZLIB = 0x78;
  private static final int ZLIB_CHECK = 31; // divides the first two bytes, see RFC 1950

  private JsonFault() {}

  /**
   * Refuses a record that is no text in UTF-8 by its first bytes: another encoding, which parsers
   * might accept, a compressed one, or one with the id of a schema.
   *
   * @param what what to send, such as JSON
   */
  public static void checkStart(byte[] bytes, String what) throws RowRejectedException {
    checkPlain(bytes, what);
    boolean mark = at(bytes, 0) == 0xfe || at(bytes, 0) == 0xff;
    boolean zeros = at(bytes, 0) == 0 || at(bytes, 1) == 0;
    if (mark || (zeros && !isFramed(bytes))) {
      throw new RowRejectedException(
          "UTF-16 or UTF-32, not UTF-8; send " + what + " encoded as UTF-8");
    }
    if (zeros) {
      throw framed(what);
    }
  }

  /** Refuses a record that is compressed, by its first bytes. */
  public static void checkPlain(byte[] bytes, String what) throws RowRejectedException {
    for (Map.Entry<byte[], String> known : COMPRESSED) {
      if (startsWith(bytes, known.getKey())) {
        throw compressed(known.getValue(), what);
      }
    }
  }

  /** Returns the reason for the id of a schema before a record. */
  public static RowRejectedException framed(String what) {
    return new RowRejectedException(
        "a zero byte and an id, as a schema registry's serializer writes them; use format"
            + " avro-confluent for Avro, or send "
            + what
            + " without them");
  }

  private static RowRejectedException compressed(String with, String what) {
    return new RowRejectedException(
        "compressed with "
            + with
            + "; send "
            + what
            + " as it is, and let Kafka's producer compress (compression.type)");
  }

  /**
   * Returns the reason for bytes that are not UTF-8.
   *
   * @param place the index of the first byte that is not
   * @param what what to send, such as JSON
   */
  public static RowRejectedException notUtf8(byte[] bytes, int place, String what) {
    int head = at(bytes, 0) << 8 | at(bytes, 1);
    if (at(bytes, 0) == ZLIB && head % ZLIB_CHECK == 0) { // the letter x, in texts
      return compressed("zlib", what);
    }
    if (isBinary(bytes)) {
      return new RowRejectedException(
          "binary data, not text (Avro or Protobuf?); use the format that it is in, or send "
              + what);
    }
    return new RowRejectedException(
        "not UTF-8, at byte " + place + " (Latin-1?); send " + what + " encoded as UTF-8");
  }

  /** Returns whether there is a control character that no text has. */
  private static boolean isBinary(byte[] bytes) {
    for (byte each : bytes) {
      if (each >= 0 && each < ' ' && "\t\n\r\f".indexOf(each) < 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether zeros are those of an id, and not the halves of characters. */
  private static boolean isFramed(byte[] bytes) {
    boolean wide = at(bytes, 1) != 0 && at(bytes, 2) == 0; // UTF-16, the high byte first
    boolean character = at(bytes, 3) != 0 && at(bytes, 4) == 0 && at(bytes, 5) == 0;
    boolean wider = (at(bytes, 2) == 0 && character) || at(bytes, 2) == 0xfe; // UTF-32
    return bytes.length > ID && at(bytes, 0) == 0 && !wide && !wider;
  }

  /** Returns whether a record begins with these bytes. */
  public static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  private static int at(byte[] bytes, int index) {
    return index < bytes.length ? bytes[index] & 0xff : -1;
  }

  /**
   * Returns the reason for bytes that a parser of JSON refused.
   *
   * @param place the index of the byte that it stopped at or before
   */
  public static RowRejectedException of(byte[] bytes, long place) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    boolean isText =
        !UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(in, CharBuffer.allocate(bytes.length), true)
            .isError();
    if (!isText) {
      return notUtf8(bytes, in.position(), "JSON");
    }
    int start = skip(bytes, afterMark(bytes), 1);
    if (start < bytes.length && !isOneOf("{[", (char) bytes[start])) {
      return noObject();
    }
    int at = (int) Math.max(0, Math.min(place, bytes.length));
    return new RowRejectedException(
        "not JSON (RFC 8259, UTF-8), at byte " + at + ": " + cause(bytes, at));
  }

  /** Returns the index of the first byte after a byte order mark, or 0. */
  public static int afterMark(byte[] bytes) {
    return startsWith(bytes, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  }

  /** Returns the reason for text that is no object, whether it is JSON or not. */
  public static RowRejectedException noObject() {
    return new RowRejectedException("not a JSON object; send one object a record");
  }

  private static String cause(byte[] bytes, int at) {
    int next = skip(bytes, at, 1);
    int last = skip(bytes, at - 1, -1);
    if (next >= bytes.length) {
      return "it ends too early; send the whole object";
    }
    char here = (char) bytes[next];
    char before = last < 0 ? ' ' : (char) bytes[last];
    String word = word(bytes, at);
    boolean closes = isOneOf("}]", here) && before == ',';
    if (closes || (isOneOf("}]", before) && comma(bytes, last))) {
      return "a comma before a closing bracket; leave it out";
    }
    if (List.of("nan", "infinity", "inf").contains(word)) {
      return "NaN and infinities are not JSON; send null, or leave the field out";
    }
    if (List.of("true", "false", "none").contains(word)) {
      return "words of Python; send true, false and null";
    }
    if (here == '\'' || before == '\'') {
      return "single quotes; send double ones";
    }
    if (isOneOf("/#", here) || isOneOf("/#", before)) {
      return "a comment; leave it out";
    }
    boolean zero = before == '0' && isOneOf("0123456789xX", here);
    return zero || isOneOf("+._", here) || isOneOf("+._", before)
        ? "a number that is not written as JSON writes it; write it as 0.5 or 12"
        : "a character that JSON does not have there; check the sender's serializer";
  }

  private static boolean isOneOf(String characters, char c) {
    return characters.indexOf(c) >= 0;
  }

  /** Returns whether the value before a closing bracket is a comma. */
  private static boolean comma(byte[] bytes, int bracket) {
    int last = skip(bytes, bracket - 1, -1);
    return last >= 0 && bytes[last] == ',';
  }

  private static int skip(byte[] bytes, int from, int step) {
    int at = from;
    while (at >= 0 && at < bytes.length && bytes[at] <= ' ' && bytes[at] >= 0) {
      at += step;
    }
    return at;
  }

  /** Returns the word around a place, in lower case; never shown. */
  private static String word(byte[] bytes, int at) {
    int first = Math.min(at, bytes.length);
    while (first > 0 && Character.isLetter(bytes[first - 1])) {
      first--;
    }
    int end = first;
    while (end < bytes.length && Character.isLetter(bytes[end])) {
      end++;
    }
    return new String(bytes, first, end - first, UTF_8).toLowerCase(Locale.ROOT);
  }
}
