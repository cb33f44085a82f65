package io.gauze.sketch;

import io.gauze.row.Grid;

/** Equal parts of the encoded range [-1, 1]. */
final class Cells {
  private Cells() {}

  /**
   * Which of the parts has a value in grid steps, counted from 0; values outside are in the ends.
   */
  static int of(int value, Grid grid, int parts) {
    long one = 1L << grid.fractionBits();
    long part = ((value + one) * parts) >> (grid.fractionBits() + 1);
    return (int) Math.max(0, Math.min(parts - 1, part));
  }
}
