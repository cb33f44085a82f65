package io.gauze.cli.option;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number on the command line: {@code 100000}, {@code 100_000} or {@code 1e5}. */
public final class WholeNumber implements ITypeConverter<Long> {
  private static final Pattern FORM =
      Pattern.compile("[+-]?[0-9][0-9_]{0,30}(\\.[0-9]{1,30})?([eE][0-9]{1,2})?");

  @Override
  public Long convert(String text) {
    String number = text.strip();
    if (FORM.matcher(number).matches()) {
      try {
        return new BigDecimal(number.replace("_", "")).longValueExact();
      } catch (ArithmeticException e) {
        throw wrong(text); // a fraction, or beyond 64 bits
      }
    }
    throw wrong(text);
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "must be a whole number such as 100000, 100_000 or 1e5. Provided value: " + text);
  }
}
