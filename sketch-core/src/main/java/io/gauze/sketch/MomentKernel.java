package io.gauze.sketch;

import java.util.Arrays;

/**
 * Adds up products of columns over many rows: exactly, and in loops that the compiler turns into
 * vector instructions.
 *
 * <p>Entries are at most 2^15 in magnitude, their products 2^30, and a block has at most 2^10 rows:
 * all sums stay below 2^40, so doubles hold them exactly whatever the order of addition.
 *
 * <p>A block is stored column by column in four slabs, row k in slab {@code k / lanes}. Each lane
 * adds up one row of each slab; the lanes are added up at the end. Each slab is an array of its
 * own, since the compiler does not vectorise a loop over two ranges of one array that it cannot
 * prove disjoint.
 */
final class MomentKernel {
  /** The least number of rows for which a block is faster than adding rows one by one. */
  private static final int LEAST_ROWS = 48;

  private static final int SLABS = 4;
  private static final int FEW_LANES = 64;
  private static final int SOME_LANES = 128;
  private static final int MANY_LANES = 256;
  private static final int MANY_COLUMNS = 512; // with many lanes the slabs would fill the cache

  private final int dimension;
  private final int mostLanes;
  private double[][][] slabs = {}; // slab, column, lane
  private final double[] sums = new double[MANY_LANES];

  MomentKernel(int dimension) {
    this.dimension = dimension;
    this.mostLanes = mostLanes(dimension);
  }

  private static int mostLanes(int dimension) {
    return dimension > MANY_COLUMNS ? FEW_LANES : MANY_LANES;
  }

  /** Returns the bytes of the slabs and the sums. */
  static long bytes(int dimension) {
    return (long) Double.BYTES * (SLABS * dimension * mostLanes(dimension) + MANY_LANES);
  }

  /** Adds one row to the upper triangle that starts at {@code at}. */
  static void addRow(int[] values, int from, int dimension, int sign, long[] state, int at) {
    int next = at;
    int to = from + dimension;
    for (int i = from; i < to; i++) {
      long factor = (long) sign * values[i];
      for (int j = i; j < to; j++) {
        state[next++] += factor * values[j];
      }
    }
  }

  /**
   * Adds rows to the upper triangle that starts at {@code at}.
   *
   * @param rows the rows of the batch to add, and their common sign
   */
  void add(int[] values, Rows rows, long[] state, int at) {
    int from = rows.from;
    while (rows.to - from >= LEAST_ROWS) {
      int count = Math.min(rows.to - from, SLABS * mostLanes);
      int lanes = lanes(count);
      fill(values, rows, from, count, lanes);
      addBlock(lanes, rows.sign, state, at);
      from += count;
    }
    for (; from < rows.to; from++) {
      addRow(values, rows.starts[from], dimension, rows.sign, state, at);
    }
  }

  private static int lanes(int rows) {
    return rows <= SLABS * FEW_LANES
        ? FEW_LANES
        : rows <= SLABS * SOME_LANES ? SOME_LANES : MANY_LANES;
  }

  private void fill(int[] values, Rows rows, int from, int count, int lanes) {
    if (slabs.length == 0) {
      slabs = new double[SLABS][dimension][mostLanes];
    }
    for (int s = 0; s < SLABS; s++) {
      int first = from + s * lanes;
      int filled = Math.max(0, Math.min(lanes, from + count - first));
      for (int i = 0; i < dimension; i++) {
        double[] column = slabs[s][i];
        for (int lane = 0; lane < filled; lane++) {
          column[lane] = values[rows.starts[first + lane] + i];
        }
        Arrays.fill(column, filled, lanes, 0.0);
      }
    }
  }

  private void addBlock(int lanes, int sign, long[] state, int at) {
    int next = at;
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        multiply(slabs[0][i], slabs[0][j], slabs[1][i], slabs[1][j], lanes);
        multiplyMore(slabs[2][i], slabs[2][j], slabs[3][i], slabs[3][j], lanes);
        state[next++] += sign * total(lanes);
      }
    }
  }

  private void multiply(double[] a, double[] b, double[] c, double[] d, int lanes) {
    double[] into = sums;
    for (int lane = 0; lane < lanes; lane++) {
      into[lane] = a[lane] * b[lane] + c[lane] * d[lane];
    }
  }

  private void multiplyMore(double[] a, double[] b, double[] c, double[] d, int lanes) {
    double[] into = sums;
    for (int lane = 0; lane < lanes; lane++) {
      into[lane] += a[lane] * b[lane] + c[lane] * d[lane];
    }
  }

  /** Returns the sum of the lanes: halves are folded by vectors, the rest in independent chains. */
  private long total(int lanes) {
    double[] all = sums;
    if (lanes == MANY_LANES) {
      for (int lane = 0; lane < SOME_LANES; lane++) {
        all[lane] += all[SOME_LANES + lane];
      }
    }
    if (lanes >= SOME_LANES) {
      for (int lane = 0; lane < FEW_LANES; lane++) {
        all[lane] += all[FEW_LANES + lane];
      }
    }
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    for (int lane = 0; lane < FEW_LANES; lane += 8) {
      a += all[lane] + all[lane + 4];
      b += all[lane + 1] + all[lane + 5];
      c += all[lane + 2] + all[lane + 6];
      d += all[lane + 3] + all[lane + 7];
    }
    return (long) (a + b + c + d);
  }

  /** Rows of a batch that are added with the same sign to the same matrix. */
  static final class Rows {
    int[] starts = {}; // the index in the batch's values at which each row begins
    int from;
    int to;
    int sign;
  }
}
