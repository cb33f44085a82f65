package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.NormCells;

/**
 * Cells of the residual of a first model, in a unit that is its deviation as far as noise lets it
 * be known: a public grid, geometric on both sides of 0.
 */
public final class ResidualCells {
  /** The number of cells. */
  public static final int COUNT = NormCells.COUNT;

  /** The exponent of the least edge above 0, in halves. */
  private static final int FIRST = -8;

  /** Residuals beyond the last edge are taken to end here. */
  private static final double END = 8.0;

  private static final int MIDDLE = COUNT / 2;

  private ResidualCells() {}

  /** Returns the cell of a residual, in [0, {@link #COUNT}). NaN is in the last one. */
  public static int of(double residual) {
    int cell = 0;
    while (cell < COUNT - 1 && !(residual < upper(cell))) {
      cell++;
    }
    return cell;
  }

  /** The upper end of a cell. */
  public static double upper(int cell) {
    int side = cell + 1 - MIDDLE;
    if (cell == COUNT - 1) {
      return END;
    }
    return side == 0
        ? 0.0
        : Math.signum(side) * StrictMath.pow(2.0, 0.5 * (FIRST + Math.abs(side) - 1));
  }

  /** The lower end of a cell. */
  static double lower(int cell) {
    return cell == 0 ? -END : upper(cell - 1);
  }
}
