package io.gauze.row;

import java.util.Arrays;
import java.util.List;

/**
 * The numbers of the current record, one for each numeric column. They are in arrays, since a row
 * is encoded in loops over them.
 */
final class Numbers {
  private final double[] lower;
  private final double[] upper;
  private final double[] values; // NaN for a missing number
  private final long[] clamped;

  /**
   * Creates a record without numbers.
   *
   * @param columns the numeric columns
   */
  Numbers(List<Column> columns) {
    lower = columns.stream().mapToDouble(Column::lower).toArray();
    upper = columns.stream().mapToDouble(Column::upper).toArray();
    values = new double[columns.size()];
    clamped = new long[columns.size()];
    clear();
  }

  /** Removes all numbers. */
  void clear() {
    Arrays.fill(values, Double.NaN);
  }

  /** Sets the number of the column at {@code index}; NaN for none. */
  void put(int index, double value) {
    values[index] = value;
  }

  boolean isPresent(int index) {
    return !Double.isNaN(values[index]);
  }

  /** The number of accepted rows with a number outside of the range. */
  long clamped(int index) {
    return clamped[index];
  }

  /** Checks whether all numbers are present and within their range. */
  boolean allWithin() {
    boolean within = true;
    for (int i = 0; i < values.length; i++) {
      double c = values[i];
      within &= c >= lower[i] && c <= upper[i];
    }
    return within;
  }

  boolean allPresent() {
    boolean present = true;
    for (double value : values) {
      present &= !Double.isNaN(value);
    }
    return present;
  }

  /** Clamps the present numbers to their range, and counts the clamped ones. */
  void clamp() {
    for (int i = 0; i < values.length; i++) {
      double c = values[i];
      if (c < lower[i] || c > upper[i]) {
        clamped[i]++;
        values[i] = c < lower[i] ? lower[i] : upper[i];
      }
    }
  }

  /** Writes the numbers unscaled, NaN for missing ones, into the row that begins at {@code at}. */
  void write(double[] rows, int at, Places places) {
    int[] offsets = places.offsets;
    if (places.together) {
      System.arraycopy(values, 0, rows, at + offsets[0], values.length);
      return;
    }
    for (int i = 0; i < values.length; i++) {
      rows[at + offsets[i]] = values[i];
    }
  }

  /** Where the numbers stand in a row. */
  static final class Places {
    private final int[] offsets;
    private final boolean together; // whether the columns are consecutive

    Places(int... offsets) {
      this.offsets = offsets;
      together =
          offsets.length > 0 && offsets[offsets.length - 1] == offsets[0] + offsets.length - 1;
    }
  }
}
