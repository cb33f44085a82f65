package io.gauze.sketch;

import io.gauze.row.Grid;

/** Divides the encoded range [-1, 1] into equal parts. */
final class Cells {
  private Cells() {}

  /**
   * Returns the index of the part that contains a value in grid steps, counted from 0. Values
   * outside of the range are in the first or last part.
   */
  static int of(int value, Grid grid, int parts) {
    long one = 1L << grid.fractionBits();
    long part = ((value + one) * parts) >> (grid.fractionBits() + 1);
    return (int) Math.max(0, Math.min(parts - 1, part));
  }
}
