package io.gauze.row;

import io.gauze.internal.Checks;

/**
 * A reusable buffer for one encoded row, in grid steps: the intercept first. Mutable, not
 * thread-safe.
 */
public final class EncodedRow {
  private final int[] values;

  /**
   * Creates a row of zeros.
   *
   * @param dimension the number of encoded columns, in [1, 20000]
   * @throws IllegalArgumentException if the dimension is outside of this range
   */
  public EncodedRow(int dimension) {
    values = new int[Checks.within("dimension", dimension, 1, Dimensions.MOST)];
  }

  /** The number of encoded columns. */
  public int dimension() {
    return values.length;
  }

  /**
   * The entries themselves, not a copy: the next row encoded into this buffer overwrites them. A
   * {@link RowEncoder} writes numbers in [-2^15, 2^15] whose l2 norm is at most the row bound.
   * Other writers must keep this bound, on which all sensitivities rest.
   */
  public int[] values() {
    return values;
  }

  /** Shows the shape only: entries are private. */
  @Override
  public String toString() {
    return "EncodedRow[dimension=" + values.length + "]";
  }
}
