package io.gauze.source.file;

import java.util.OptionalDouble;

/**
 * Numbers as cells of files have them: decimal digits with a point or a comma, a sign, an exponent.
 * Java's own parser also takes NaN, hexadecimal digits and the letter of a type.
 */
final class CsvNumber {
  private CsvNumber() {}

  /** Returns a number with a decimal point; empty if the text is none. Infinite if too large. */
  static OptionalDouble of(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (!digit && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') {
        return OptionalDouble.empty();
      }
    }
    try {
      return OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /**
   * Returns a number with this decimal character; empty if the text is none.
   *
   * @param decimal a point or a comma
   */
  static OptionalDouble of(String text, char decimal) {
    if (decimal == '.') {
      return of(text);
    }
    return text.indexOf('.') >= 0 ? OptionalDouble.empty() : of(text.replace(',', '.'));
  }
}
