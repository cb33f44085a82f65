package io.gauze.privacy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/**
 * The binary form of {@link CumulativeNoise}, little-endian.
 *
 * <pre>
 * offset     bytes  version 1
 *      0         4  magic, the letters G Z C N
 *      4         4  version, 1
 *      8         4  K, the releases
 *     12         4  n, the entries
 *     16         4  m, the releases that were made
 *     20         8 n  the standard deviation of each entry's draws, a double
 *     20 + 8 n   16 n m  for each release made: n longs in whole steps, n longs in 2^-64 steps;
 *                nothing if all were made
 * </pre>
 */
final class CumulativeNoiseBytes {
  private static final int MAGIC = 'G' | 'Z' << 8 | 'C' << 16 | 'N' << 24;
  private static final int VERSION = 1;
  private static final int AT_SCALES = 20;
  private static final int MOST_RELEASES = 1 << 20;

  private final double[] scales;
  private final int made;
  private final long[][] whole;
  private final long[][] low;

  CumulativeNoiseBytes(double[] scales, int made, long[][] whole, long[][] low) {
    this.scales = scales;
    this.made = made;
    this.whole = whole;
    this.low = low;
  }

  double[] scales() {
    return scales;
  }

  int made() {
    return made;
  }

  long[][] whole() {
    return whole;
  }

  long[][] low() {
    return low;
  }

  private static int kept(int releases, int made) {
    return made == releases ? 0 : made;
  }

  private static long length(int entries, int kept) {
    return AT_SCALES + 8L * entries + 16L * entries * kept;
  }

  byte[] write() {
    int kept = kept(whole.length, made);
    byte[] bytes = new byte[Math.toIntExact(length(scales.length, kept))];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(MAGIC).putInt(VERSION);
    buffer.putInt(whole.length).putInt(scales.length).putInt(made);
    Arrays.stream(scales).forEach(buffer::putDouble);
    for (int k = 0; k < kept; k++) {
      Arrays.stream(whole[k]).forEach(buffer::putLong);
      Arrays.stream(low[k]).forEach(buffer::putLong);
    }
    return bytes;
  }

  static CumulativeNoiseBytes read(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    PrivacyChecks.range("length of bytes", bytes.length, AT_SCALES, Integer.MAX_VALUE);
    check("magic", MAGIC, buffer.getInt());
    check("version", VERSION, buffer.getInt());
    int releases = buffer.getInt();
    int entries = buffer.getInt();
    int made = buffer.getInt();
    PrivacyChecks.range("releases", releases, 1, MOST_RELEASES);
    PrivacyChecks.range("entries", entries, 1, Integer.MAX_VALUE);
    PrivacyChecks.range("made", made, 0, releases);
    int kept = kept(releases, made);
    check("length of bytes", length(entries, kept), bytes.length);
    double[] scales = new double[entries];
    Arrays.setAll(scales, i -> buffer.getDouble());
    long[][] whole = new long[releases][];
    long[][] low = new long[releases][];
    if (made == releases) {
      Arrays.fill(whole, new long[0]);
      Arrays.fill(low, new long[0]);
    }
    for (int k = 0; k < kept; k++) {
      whole[k] = longs(buffer, entries);
      low[k] = longs(buffer, entries);
    }
    return new CumulativeNoiseBytes(scales, made, whole, low);
  }

  private static long[] longs(ByteBuffer buffer, int count) {
    long[] longs = new long[count];
    Arrays.setAll(longs, i -> buffer.getLong());
    return longs;
  }

  private static void check(String name, long expected, long found) {
    if (expected != found) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s of a cumulative noise must be %d. Provided value: %d",
              name,
              expected,
              found));
    }
  }
}
