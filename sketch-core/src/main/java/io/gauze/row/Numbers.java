package io.gauze.row;

import java.util.Arrays;
import java.util.List;

/**
 * The numbers of the current record, one for each numeric column: in arrays, since a row is encoded
 * in loops over them.
 */
final class Numbers {
  private final double[] lower;
  private final double[] upper;
  private final int[] offsets;
  private final double[] values; // NaN where there is none
  private final long[] clamped;

  /**
   * No numbers.
   *
   * @param columns numeric ones
   * @param offsets where in a row each is written
   */
  Numbers(List<Column> columns, int... offsets) {
    lower = columns.stream().mapToDouble(Column::lower).toArray();
    upper = columns.stream().mapToDouble(Column::upper).toArray();
    this.offsets = offsets;
    values = new double[columns.size()];
    clamped = new long[columns.size()];
    clear();
  }

  /** No numbers any more. */
  void clear() {
    Arrays.fill(values, Double.NaN);
  }

  /** Takes a number of the column at {@code index}; NaN for none. */
  void put(int index, double value) {
    values[index] = value;
  }

  boolean isPresent(int index) {
    return !Double.isNaN(values[index]);
  }

  boolean anyMissing() {
    boolean missing = false;
    for (double value : values) {
      missing |= Double.isNaN(value);
    }
    return missing;
  }

  /** How many written rows had a number outside of the range. */
  long clamped(int index) {
    return clamped[index];
  }

  /** Writes those that are there, clamped to their range and mapped from it to [-1, 1]. */
  void write(double[] row) {
    for (int i = 0; i < values.length; i++) {
      double c = values[i];
      if (!(c >= lower[i] && c <= upper[i])) {
        if (Double.isNaN(c)) {
          continue;
        }
        clamped[i]++;
        c = c < lower[i] ? lower[i] : upper[i];
      }
      row[offsets[i]] = scale(c, lower[i], upper[i]);
    }
  }

  /** Maps {@code c} in [lower, upper] to [-1, 1], in this order of operations. */
  static double scale(double c, double lower, double upper) {
    return (2.0 * (c - lower)) / (upper - lower) - 1.0;
  }
}
