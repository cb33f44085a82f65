package io.gauze.source.file;

import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Byte order marks: what a file begins with that tells its encoding. */
enum ByteOrderMark {
  UTF_32_LITTLE("\u00ff\u00fe\000\000"), // before the one of two bytes, which is its beginning
  UTF_32_BIG("\000\000\u00fe\u00ff"),
  UTF_8("\u00ef\u00bb\u00bf"),
  UTF_16_LITTLE("\u00ff\u00fe"),
  UTF_16_BIG("\u00fe\u00ff");

  private final String bytes; // as Latin-1

  ByteOrderMark(String bytes) {
    this.bytes = bytes;
  }

  /** Returns the mark that a file begins with. */
  static Optional<ByteOrderMark> of(byte[] first) {
    String text = new String(first, StandardCharsets.ISO_8859_1);
    return Arrays.stream(values()).filter(mark -> text.startsWith(mark.bytes)).findFirst();
  }

  /** Returns the mark of an encoding whose characters are no single bytes; empty for others. */
  static Optional<ByteOrderMark> ofEncoding(Charset encoding) {
    if (encoding.equals(StandardCharsets.UTF_16LE)) {
      return Optional.of(UTF_16_LITTLE);
    }
    boolean big =
        encoding.equals(StandardCharsets.UTF_16BE) || encoding.equals(StandardCharsets.UTF_16);
    return big ? Optional.of(UTF_16_BIG) : Optional.empty();
  }

  /** The number of bytes of the mark. */
  int length() {
    return bytes.length();
  }

  /**
   * Returns the text behind the mark in UTF-8.
   *
   * @throws CsvRows.HeaderException if the encoding cannot be read
   */
  InputStream decoded(String file, InputStream text) throws CsvRows.HeaderException {
    return switch (this) {
      case UTF_8 -> text;
      case UTF_16_LITTLE, UTF_16_BIG -> new Utf16Input(text, this == UTF_16_BIG);
      case UTF_32_LITTLE, UTF_32_BIG ->
          throw new CsvRows.HeaderException(file + " is in UTF-32: save it as UTF-8");
    };
  }
}
