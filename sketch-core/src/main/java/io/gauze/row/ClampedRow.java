package io.gauze.row;

/**
 * A reusable buffer for one row that a {@link RowEncoder} has accepted: clamped to the columns'
 * ranges, but neither scaled nor on the grid yet, which a {@link RowBatch} does for many rows at
 * once. Mutable, not thread-safe.
 */
public final class ClampedRow {
  private final double[] values;

  /**
   * No row yet.
   *
   * @param dimension the number of encoded columns, in [1, 4096]
   * @throws IllegalArgumentException if the dimension is outside of this range
   */
  public ClampedRow(int dimension) {
    values = new double[Checks.within("dimension", dimension, 1, RowSchema.MAX_DIMENSION)];
  }

  /** The number of encoded columns. */
  public int dimension() {
    return values.length;
  }

  /** The entries, intercept first: numbers in their own units, NaN where one is missing. */
  double[] values() {
    return values;
  }

  /** The shape only: entries are private. */
  @Override
  public String toString() {
    return "ClampedRow[dimension=" + values.length + "]";
  }
}
