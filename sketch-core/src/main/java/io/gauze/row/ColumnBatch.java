package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Arrays;

/**
 * A reusable buffer of rows, column by column, for loops over rows that the compiler turns into
 * vector instructions. Mutable, not thread-safe.
 *
 * <p>The rows are in four slabs, row k in lane {@code k % lanes} of slab {@code k / lanes}. Each
 * column of a slab is an array of its own, since the compiler does not vectorise a loop over two
 * ranges of one array that it cannot prove disjoint.
 */
public final class ColumnBatch {
  /** The number of slabs. */
  public static final int SLABS = 4;

  private static final int FEW_LANES = 64;
  private static final int SOME_LANES = 128;
  private static final int MANY_LANES = 256;
  private static final int MANY_COLUMNS = 512; // with many lanes the slabs would fill the cache

  private final double[][][] slabs; // slab, column, lane
  private final int mostLanes;
  private int size;
  private int lanes;

  /**
   * Creates a batch of no rows.
   *
   * @param dimension the number of columns, in [1, 4096]
   * @throws IllegalArgumentException if it is out of range
   */
  public ColumnBatch(int dimension) {
    Checks.within("dimension", dimension, 1, Dimensions.MOST_CELLS);
    mostLanes = mostLanes(dimension);
    slabs = new double[SLABS][dimension][mostLanes];
    lanes = mostLanes;
  }

  private static int mostLanes(int dimension) {
    return dimension > MANY_COLUMNS ? FEW_LANES : MANY_LANES;
  }

  /** Returns the bytes of memory that a batch of this shape takes. */
  public static long memoryBytes(int dimension) {
    return (long) Double.BYTES * SLABS * dimension * mostLanes(dimension);
  }

  /** The most rows of a batch. */
  public int capacity() {
    return SLABS * mostLanes;
  }

  /**
   * Changes the number of rows, which the caller then writes, and with it the lanes.
   *
   * @param rows in [0, {@link #capacity}]
   * @throws IllegalArgumentException if it is out of range
   */
  public void resize(int rows) {
    size = Checks.within("rows", rows, 0, capacity());
    lanes =
        rows <= SLABS * FEW_LANES
            ? FEW_LANES
            : rows <= SLABS * SOME_LANES ? SOME_LANES : MANY_LANES;
  }

  /** The number of rows. */
  public int size() {
    return size;
  }

  /** The number of columns. */
  public int dimension() {
    return slabs[0].length;
  }

  /** The number of lanes in each slab that are in use, whether or not they have a row. */
  public int lanes() {
    return lanes;
  }

  /** The number of rows in the slabs before a slab. */
  public int first(int slab) {
    return Math.min(size, slab * lanes);
  }

  /** The number of rows in a slab, which are in its first lanes. */
  public int rows(int slab) {
    return first(slab + 1) - first(slab);
  }

  /** The columns of a slab, not a copy. */
  public double[][] slab(int slab) {
    return slabs[slab];
  }

  /** Fills the lanes without a row with zeros. */
  public void pad() {
    for (int s = 0; s < SLABS; s++) {
      for (double[] column : slabs[s]) {
        Arrays.fill(column, rows(s), lanes, 0.0);
      }
    }
  }

  /**
   * Computes the squared norms of the rows of a slab: each the sum of squares in the order of the
   * columns.
   *
   * @param squares receives one number for each row
   */
  public void squares(int slab, double[] squares) {
    int rows = rows(slab);
    Arrays.fill(squares, 0, rows, 0.0);
    for (double[] column : slabs[slab]) {
      addSquares(column, rows, squares);
    }
  }

  static void addSquares(double[] column, int rows, double[] squares) {
    for (int k = 0; k < rows; k++) {
      squares[k] += column[k] * column[k];
    }
  }

  /** Shows the shape only: rows are private. */
  @Override
  public String toString() {
    return "ColumnBatch[dimension=" + dimension() + ", " + size + " of " + capacity() + "]";
  }
}
