package io.gauze.mechanism.twostage;

import java.util.stream.IntStream;

/**
 * Cells of the squared norm of a transformed row, over the mean that the transform is made for: a
 * public geometric grid.
 */
public final class NormCells {
  /** The exponents of the least and the largest edge, in halves. */
  private static final int FIRST = -4;

  private static final int LAST = 24;

  /** The number of cells. */
  public static final int COUNT = LAST - FIRST + 2;

  private static final double[] EDGES =
      IntStream.rangeClosed(FIRST, LAST).mapToDouble(k -> StrictMath.pow(2.0, 0.5 * k)).toArray();

  private NormCells() {}

  /** Returns the cell of a squared norm, in [0, {@link #COUNT}). NaN is in the last one. */
  public static int of(double square) {
    int cell = 0;
    while (cell < EDGES.length && !(square < EDGES[cell])) {
      cell++;
    }
    return cell;
  }

  /** The upper edge of a cell; infinite for the last one. */
  public static double upper(int cell) {
    return cell < EDGES.length ? EDGES[cell] : Double.POSITIVE_INFINITY;
  }

  /** A squared norm that stands for those in a cell: the middle of its edges' logarithms. */
  public static double typical(int cell) {
    if (cell == 0 || cell == EDGES.length) {
      return EDGES[Math.min(cell, EDGES.length - 1)];
    }
    return StrictMath.sqrt(EDGES[cell - 1] * EDGES[cell]);
  }
}
