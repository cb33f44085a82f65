package io.gauze.accounting.loss;

import io.gauze.internal.Checks;
import io.gauze.noise.CumulativeNoise;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/**
 * The parameters of the law of a {@link CumulativeNoise}: the number of releases, and the standard
 * deviation of each entry's draws. Contains nothing that was drawn. Immutable.
 *
 * <p>The binary form is little-endian; a run is a sequence of adjacent entries with equal
 * deviations:
 *
 * <pre>
 * offset     bytes  version 1
 *      0         4  magic, the letters G Z C L
 *      4         4  version, 1
 *      8         4  K, the releases
 *     12         4  r, the runs
 *     16      12 r  for each run: standard deviation of a draw in grid steps, a double; entries
 * </pre>
 */
public final class CumulativeLaw {
  private static final int MAGIC = 'G' | 'Z' << 8 | 'C' << 16 | 'L' << 24;
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 16;
  private static final int RUN_BYTES = 12;
  private static final double NEAR = 1e-9;

  private final int releases;
  private final double[] scales;

  public CumulativeLaw(int releases, double... scales) {
    this.releases = releases;
    this.scales = scales;
  }

  /**
   * Returns true if noise of the other law may continue noise of this law: numbers of releases and
   * entries are equal, and deviations differ by at most 1e-9 of the larger, which rounding may
   * cause.
   */
  public boolean isNear(CumulativeLaw other) {
    return releases == other.releases
        && scales.length == other.scales.length
        && allNear(scales, other.scales);
  }

  private static boolean allNear(double[] scales, double... others) {
    for (int i = 0; i < scales.length; i++) {
      double off = Math.abs(scales[i] - others[i]);
      if (!(off <= NEAR * Math.max(scales[i], others[i]))) { // also true for NaN
        return false;
      }
    }
    return true;
  }

  /** Returns the binary form. */
  public byte[] toBytes() {
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.addExact(HEAD_BYTES, Math.multiplyExact(RUN_BYTES, runs())))
            .order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(MAGIC).putInt(VERSION).putInt(releases).putInt(runs());
    int from = 0;
    for (int i = 1; i <= scales.length; i++) {
      if (isRunEnd(i)) {
        buffer.putDouble(scales[from]).putInt(i - from);
        from = i;
      }
    }
    return buffer.array();
  }

  private int runs() {
    int runs = 0;
    for (int i = 1; i <= scales.length; i++) {
      runs += isRunEnd(i) ? 1 : 0;
    }
    return runs;
  }

  private boolean isRunEnd(int i) {
    return i == scales.length || Double.compare(scales[i], scales[i - 1]) != 0;
  }

  /**
   * Parses the bytes that {@link #toBytes} returns.
   *
   * @throws IllegalArgumentException if the bytes are not such a form, are of another version or
   *     are cut
   */
  public static CumulativeLaw fromBytes(byte[] bytes) {
    Checks.within("length of bytes", bytes.length, HEAD_BYTES, Integer.MAX_VALUE);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    check("magic", MAGIC, buffer.getInt());
    check("version", VERSION, buffer.getInt());
    int releases = buffer.getInt();
    long runs = buffer.getInt();
    check("length of bytes", HEAD_BYTES + RUN_BYTES * runs, bytes.length);
    double[] runScales = new double[(int) runs];
    int[] counts = new int[(int) runs];
    int entries = 0;
    for (int i = 0; i < counts.length; i++) {
      runScales[i] = buffer.getDouble();
      counts[i] = buffer.getInt();
      Checks.within("entries of a run", counts[i], 1, Integer.MAX_VALUE - entries);
      entries += counts[i];
    }
    double[] scales = new double[entries];
    int from = 0;
    for (int i = 0; i < counts.length; i++) {
      Arrays.fill(scales, from, from + counts[i], runScales[i]);
      from += counts[i];
    }
    return new CumulativeLaw(releases, scales);
  }

  private static void check(String name, long expected, long found) {
    if (expected != found) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s of a cumulative noise's law must be %d. Provided value: %d",
              name,
              expected,
              found));
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CumulativeLaw[releases=%d, entries=%d, runs=%d]",
        releases,
        scales.length,
        runs());
  }
}
