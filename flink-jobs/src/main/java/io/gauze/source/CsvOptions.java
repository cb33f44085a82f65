package io.gauze.source;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How a CSV file is written, as far as its header does not show it. Public knowledge: never chosen
 * by what rows hold.
 *
 * @param encoding the encoding of a file without byte order mark; empty for UTF-8
 * @param comment a character with which lines begin that are no rows; empty if each line is a row
 * @param decimal the character before the decimals of numbers, a point or a comma
 * @param multiline whether quoted cells may have line breaks. A quote that is not closed can then
 *     hide the lines after it, so that one row changes what becomes of others
 */
public record CsvOptions(
    Optional<Charset> encoding, Optional<Character> comment, char decimal, boolean multiline) {
  /** UTF-8, no comments, decimal points, one line a row. */
  public static final CsvOptions DEFAULT =
      new CsvOptions(Optional.empty(), Optional.empty(), '.', false);

  /**
   * Checks the encoding and the decimal character.
   *
   * @throws IllegalArgumentException if the encoding is neither UTF-16 nor one whose ASCII
   *     characters are single bytes, or the decimal character is none of the two
   */
  public CsvOptions {
    encoding.ifPresent(CsvOptions::requireReadable);
    if (decimal != '.' && decimal != ',') {
      throw new IllegalArgumentException(
          "decimal must be a point or a comma. Provided value: " + decimal);
    }
  }

  private static void requireReadable(Charset encoding) {
    byte[] ascii = new byte[128];
    for (int i = 0; i < ascii.length; i++) {
      ascii[i] = (byte) i;
    }
    boolean single =
        new String(ascii, encoding).equals(new String(ascii, StandardCharsets.US_ASCII));
    if (!single && ByteOrderMark.ofEncoding(encoding).isEmpty()) {
      throw new IllegalArgumentException(
          "encoding must be UTF-16 or one with ASCII characters in single bytes, such as"
              + " windows-1252. Provided value: "
              + encoding.name());
    }
  }
}
