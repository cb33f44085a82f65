package io.gauze.source.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads numbers of JSON (RFC 8259) from bytes, without making text of them. It gives up on numbers
 * of more than 18 digits and on the few that {@link DecimalDouble} leaves undecided. Mutable, holds
 * the last number, not thread-safe.
 */
final class PlainNumber {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MANY = 10_000_000_000L; // 10^10: eight more digits fit
  private static final long LARGEST = 100_000_000_000_000_000L; // 10^17: one more digit fits
  private static final long[] POWERS = new long[Long.BYTES + 1];
  private static final int MOST_EXPONENT = 1_000; // numbers of larger ones are not read

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private double value;
  private long digits; // all digits so far, as a whole number; negative if they do not fit

  /** The last number. */
  double value() {
    return value;
  }

  /**
   * Reads a number.
   *
   * @param from the index of its first byte
   * @return the index after it, or -1 if there is no number or none that this class can read
   */
  int read(byte[] bytes, int from) {
    int sign = bytes[from] == '-' ? 1 : 0;
    int first = from + sign;
    if (first == bytes.length || !isDigit(bytes[first])) {
      return -1;
    }
    digits = (long) bytes[first] - '0';
    int at = first + 1;
    if (at < bytes.length && isDigit(bytes[at])) {
      if (digits == 0) {
        return -1;
      }
      at = digits(bytes, at);
    }
    if (at == bytes.length || !(bytes[at] == '.' || (bytes[at] | ' ') == 'e')) {
      return set(sign * Long.signum(digits), 0, at); // parsers take -0 for the integer 0
    }
    int exponent = 0;
    if (bytes[at] == '.') {
      int begin = at + 1;
      at = digits(bytes, begin);
      exponent = begin - at;
      if (exponent == 0) {
        return -1;
      }
    }
    if (at < bytes.length && (bytes[at] | ' ') == 'e') {
      long end = exponent(bytes, at + 1);
      if (end < 0) {
        return -1;
      }
      at = (int) (end >>> Integer.SIZE);
      exponent += (int) end;
    }
    return set(sign, exponent, at);
  }

  /** Sets the number and returns the index after it; -1 if it is not read. */
  private int set(int sign, int exponent, int end) {
    double size = digits < 0 ? DecimalDouble.UNDECIDED : DecimalDouble.of(digits, exponent);
    // without a branch: nobody can foretell signs
    value = Double.longBitsToDouble(Double.doubleToRawLongBits(size) | (long) sign << 63);
    return Double.isNaN(size) ? -1 : end;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Appends the digits at an index; returns the index after them. */
  private int digits(byte[] bytes, int from) {
    int at = from;
    long sum = digits;
    while (at <= bytes.length - Long.BYTES && sum >= 0 && sum < MANY) {
      long chunk = (long) LONG.get(bytes, at);
      int count = count(chunk);
      if (count < Long.BYTES) {
        // shifted twice, since a shift by 64 is none
        long low = chunk << (Byte.SIZE * (Long.BYTES - 1 - count)) << Byte.SIZE;
        digits = sum * POWERS[count] + eight(low);
        return at + count;
      }
      sum = sum * POWERS[Long.BYTES] + eight(chunk);
      at += Long.BYTES;
    }
    for (; at < bytes.length && isDigit(bytes[at]); at++) {
      sum = sum >= 0 && sum < LARGEST ? sum * 10 + (bytes[at] - '0') : -1;
    }
    digits = sum;
    return at;
  }

  /** Returns how many of eight bytes, from the lowest on, are digits before the first other one. */
  private static int count(long chunk) {
    // The highest bit of each byte that is no digit, and perhaps of higher bytes: carries go up.
    long others =
        ((chunk + 0x4646464646464646L) | (chunk - 0x3030303030303030L)) & 0x8080808080808080L;
    return Long.numberOfTrailingZeros(others) / Byte.SIZE; // 8 if there are none
  }

  /** Returns the number of eight digits, of which the first is the lowest byte; 0 counts as '0'. */
  private static long eight(long chunk) {
    long ones = chunk & 0x0f0f0f0f0f0f0f0fL;
    long pairs = (ones * 10 + (ones >>> 8)) & 0x00ff00ff00ff00ffL;
    long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000ffff0000ffffL;
    return (fours * 10_000 + (fours >>> 32)) & 0xffffffffL;
  }

  /** Reads an exponent; returns the index after it and the exponent as two ints, or -1. */
  private static long exponent(byte[] bytes, int from) {
    int at = from;
    boolean negative = at < bytes.length && bytes[at] == '-';
    if (negative || (at < bytes.length && bytes[at] == '+')) {
      at++;
    }
    int begin = at;
    int size = 0;
    for (; at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
      size = Math.min(MOST_EXPONENT, 10 * size + (bytes[at] - '0'));
    }
    if (at == begin || size == MOST_EXPONENT) {
      return -1;
    }
    return (long) at << Integer.SIZE | ((negative ? -size : size) & 0xffffffffL);
  }
}
