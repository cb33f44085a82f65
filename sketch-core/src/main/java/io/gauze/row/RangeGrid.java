package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Arrays;
import java.util.Locale;

/**
 * The public cells in which values of unknown range are counted: four cells a decade from 1e-6 to
 * 1e12 on both sides of zero, and a cell for what is smaller. The grid is the same for all columns
 * of all streams, so it says nothing about the data.
 *
 * <p>Cells are in rising order. The edges are the decimal numbers 1, 1.8, 3.2 and 5.6 times a power
 * of ten, which are doubles that all machines read alike. A cell of positive numbers contains its
 * lower edge and not its upper one; those of negative numbers are their mirror images. The cell in
 * the middle contains all values below 1e-6 in size, and its edges count as 0. Values of 1e12 and
 * more in size are in the outermost cells.
 */
public final class RangeGrid {
  private static final int LEAST_POWER = -6;
  private static final int LARGEST_POWER = 12;
  private static final String[] PARTS = {"1", "1.8", "3.2", "5.6"};
  private static final double[] EDGES = edges();

  /** The number of cells of positive numbers. */
  private static final int SIDE = EDGES.length - 1;

  /** The number of cells. */
  public static final int CELLS = 2 * SIDE + 1;

  /** The number below which the size of a value counts as 0. */
  public static final double LEAST = EDGES[0];

  /** The largest edge: larger values are in the last cell. */
  public static final double LARGEST = EDGES[SIDE];

  private RangeGrid() {}

  private static double[] edges() {
    int count = (LARGEST_POWER - LEAST_POWER) * PARTS.length + 1;
    double[] edges = new double[count];
    for (int i = 0; i < count; i++) {
      int power = LEAST_POWER + i / PARTS.length;
      edges[i] =
          Double.parseDouble(String.format(Locale.ROOT, "%se%d", PARTS[i % PARTS.length], power));
    }
    return edges;
  }

  /**
   * Returns the cell of a value, in [0, CELLS).
   *
   * @param value finite
   */
  public static int cell(double value) {
    double size = Math.abs(value);
    if (size < LEAST) {
      return SIDE;
    }
    int found = Arrays.binarySearch(EDGES, size);
    int side = Math.min(SIDE - 1, found >= 0 ? found : -found - 2);
    return value > 0.0 ? SIDE + 1 + side : SIDE - 1 - side;
  }

  /** Returns the lower end of a cell. */
  public static double lower(int cell) {
    Checks.within("cell", cell, 0, CELLS - 1);
    return cell > SIDE ? EDGES[cell - SIDE - 1] : cell == SIDE ? 0.0 : -EDGES[SIDE - cell];
  }

  /** Returns the upper end of a cell. */
  public static double upper(int cell) {
    double upper = -lower(CELLS - 1 - cell);
    return upper == 0.0 ? 0.0 : upper; // one of the two zeros
  }
}
