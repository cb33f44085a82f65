package io.gauze.sketch;

import io.gauze.row.ColumnBatch;
import io.gauze.row.RowBatch;

/**
 * Adds up products of columns over many rows: exactly, and in loops that the compiler turns into
 * vector instructions.
 *
 * <p>Entries are at most 2^15 in magnitude, their products 2^30, and a block has at most 2^10 rows:
 * all sums stay below 2^40, so doubles hold them exactly whatever the order of addition.
 *
 * <p>A block is stored column by column, see {@link ColumnBatch}. Each lane adds up one row of each
 * slab; the lanes are added up at the end.
 */
final class MomentKernel {
  /** The least number of rows for which a block is faster than adding rows one by one. */
  private static final int LEAST_ROWS = 48;

  // lanes, from the most to those that independent chains add up
  private static final int MANY_LANES = 256;
  private static final int SOME_LANES = 128;
  private static final int FEW_LANES = 64;

  private final int dimension;
  private double[] sums = {}; // since the first block
  private ColumnBatch block; // since the first one of many rows

  MomentKernel(int dimension) {
    this.dimension = dimension;
  }

  /** Returns the bytes of the block and the sums after batches of up to so many rows. */
  static long bytes(int dimension, int rows) {
    return rows < LEAST_ROWS
        ? 0L
        : ColumnBatch.memoryBytes(dimension) + (long) Double.BYTES * MANY_LANES;
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
   * Adds row {@code k} of a sparse batch to the upper triangle that starts at {@code at}. Its
   * indexes do not fall, so each product is in the upper triangle.
   */
  static void addCells(RowBatch batch, int k, long[] state, int at) {
    int[] values = batch.values();
    int[] indexes = batch.indexes();
    int from = k * batch.width();
    int to = from + batch.width();
    for (int i = from; i < to; i++) {
      if (values[i] != 0) {
        long factor = (long) batch.signs()[k] * values[i];
        int row = at + SecondMomentsSpec.start(batch.dimension(), indexes[i]);
        for (int j = i; j < to; j++) {
          state[row + indexes[j]] += factor * values[j];
        }
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
      if (block == null) {
        block = new ColumnBatch(dimension);
      }
      block.resize(Math.min(rows.to - from, block.capacity()));
      fill(values, rows, from);
      add(block, rows.sign, state, at);
      from += block.size();
    }
    for (; from < rows.to; from++) {
      addRow(values, rows.starts[from], dimension, rows.sign, state, at);
    }
  }

  private void fill(int[] values, Rows rows, int from) {
    for (int s = 0; s < ColumnBatch.SLABS; s++) {
      int first = from + block.first(s);
      int filled = block.rows(s);
      for (int i = 0; i < dimension; i++) {
        double[] column = block.slab(s)[i];
        for (int lane = 0; lane < filled; lane++) {
          column[lane] = values[rows.starts[first + lane] + i];
        }
      }
    }
  }

  /** Adds the rows of a block, in steps, to the upper triangle that starts at {@code at}. */
  void add(ColumnBatch rows, int sign, long[] state, int at) {
    rows.pad();
    if (sums.length == 0) {
      sums = new double[MANY_LANES];
    }
    double[][] first = rows.slab(0);
    double[][] second = rows.slab(1);
    double[][] third = rows.slab(2);
    double[][] fourth = rows.slab(3);
    int lanes = rows.lanes();
    int next = at;
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        multiply(first[i], first[j], second[i], second[j], lanes);
        multiplyMore(third[i], third[j], fourth[i], fourth[j], lanes);
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
