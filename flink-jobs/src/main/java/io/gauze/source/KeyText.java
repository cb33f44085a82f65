package io.gauze.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts keys to a normal form for comparison. All ways to write the same number have one form,
 * exactly: 1, 1.0 and 1e0 are one key, 2^53 and 2^53 + 1 are two. Any other text is left as it is.
 */
public final class KeyText {
  /**
   * The most characters of a number that is converted; longer ones are left as they are written.
   */
  public static final int LONGEST = 1000;

  private static final Pattern NUMBER =
      Pattern.compile("(-?)(0|[1-9]\\d*)(?:\\.(\\d+))?(?:[eE]([+-]?\\d+))?");
  private static final BigInteger MOST_PLACES = BigInteger.valueOf(LONGEST);

  private KeyText() {}

  /**
   * Returns the normal form of a key. A number has an exponent only if the exponent would be below
   * -{@value #LONGEST} or above {@value #LONGEST}.
   */
  static String of(String written) {
    Matcher number = NUMBER.matcher(written);
    return written.length() <= LONGEST && number.matches() ? text(number) : written;
  }

  /** Returns the normal form of a key in bytes; only ASCII digits are taken for numbers. */
  public static byte[] of(byte[] written) {
    if (written.length > LONGEST) {
      return written;
    }
    String text = new String(written, ISO_8859_1);
    String compared = of(text);
    return compared.equals(text) ? written : compared.getBytes(ISO_8859_1);
  }

  private static String text(Matcher number) {
    String fraction = number.group(3) == null ? "" : number.group(3);
    String all = number.group(2) + fraction;
    int first = 0;
    int end = all.length();
    while (first < end && all.charAt(first) == '0') {
      first++;
    }
    while (end > first && all.charAt(end - 1) == '0') {
      end--;
    }
    if (first == end) {
      return "0";
    }
    String digits = number.group(1) + all.substring(first, end);
    BigInteger given = number.group(4) == null ? BigInteger.ZERO : new BigInteger(number.group(4));
    return text(digits, given.add(BigInteger.valueOf(all.length() - end - fraction.length())));
  }

  /** Returns the normal form of a number, which may have any length. */
  static String of(BigDecimal number) {
    if (number.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = number.stripTrailingZeros();
    return text(stripped.unscaledValue().toString(), BigInteger.valueOf(-(long) stripped.scale()));
  }

  private static String text(String digits, BigInteger exponent) {
    if (exponent.abs().compareTo(MOST_PLACES) > 0) {
      return digits + "e" + exponent;
    }
    return new BigDecimal(new BigInteger(digits), -exponent.intValue()).toPlainString();
  }
}
