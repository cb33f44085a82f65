package io.gauze.source.file;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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
  private static final String SEPARATORS = ",;\t\"\n\r";
  private static final byte[] HALF = {(byte) 0xed, (byte) 0xb1, (byte) 0xaf}; // as CESU-8 has it

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
    if (ByteOrderMark.ofEncoding(encoding).isEmpty() && !isReadable(encoding)) {
      throw new IllegalArgumentException(
          "encoding must be UTF-16 or one with ASCII characters in single bytes, such as"
              + " windows-1252. Provided value: "
              + encoding.name());
    }
  }

  /**
   * Returns whether characters of ASCII are single bytes, none that separates values is part of
   * another character, and there are no halves of characters.
   */
  private static boolean isReadable(Charset encoding) {
    byte[] ascii = new byte[128];
    for (int i = 0; i < ascii.length; i++) {
      ascii[i] = (byte) i;
    }
    boolean readable =
        encoding.canEncode() // others guess the encoding anew for each line
            && text(encoding, ascii).equals(new String(ascii, StandardCharsets.US_ASCII))
            && text(encoding, HALF).chars().noneMatch(c -> Character.isSurrogate((char) c));
    for (int high = 0x80; high <= 0xff; high++) {
      for (int i = 0; i < SEPARATORS.length(); i++) {
        char separator = SEPARATORS.charAt(i);
        String pair = text(encoding, (byte) high, (byte) separator);
        readable &= pair.isEmpty() || pair.indexOf(separator) >= 0;
      }
    }
    return readable;
  }

  /** Returns the text of these bytes; empty if they are none. */
  private static String text(Charset encoding, byte... bytes) {
    try {
      return encoding.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return "";
    }
  }
}
