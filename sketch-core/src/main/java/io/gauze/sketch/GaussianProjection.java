package io.gauze.sketch;

import io.gauze.row.RowBatch;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The product {@code G A} of the matrix A of all rows with a matrix G of independent N(0, 1), r of
 * them for each row, made from the row's tag (W. Johnson and J. Lindenstrauss, <a
 * href="https://doi.org/10.1090/conm/026/737400">Extensions of Lipschitz mappings</a>, 1984).
 *
 * <p>Each coefficient is rounded to a multiple of 2^-24, so the state is exact in longs: r rows of
 * D longs, in 2^-24 grid steps. A state of n rows at the row bound has standard deviation {@code
 * 2^39 sqrt n} at most: 2^33 rows stay 180 standard deviations below overflow.
 *
 * <p>Cost: O(r D), of a sparse batch O(r cells), and r normal draws per update; batches need
 * additional memory of the size of the state. If rows are never deleted, r rows of the same law
 * N(0, A'A) can be drawn from {@link SecondMoments} at O(D^2) per update.
 *
 * <p>Error: for a column space of dimension d, with probability at least {@code 1 - 2 exp(-t^2/2)}
 * every {@code |G A x|^2 / r} is between {@code (1 - e)^2} and {@code (1 + e)^2} times {@code |A
 * x|^2}, {@code e = (sqrt d + t) / sqrt r}, at most 1 (K. Davidson and S. Szarek, Local operator
 * theory, random matrices and Banach spaces, 2001, theorem II.13).
 */
public final class GaussianProjection extends LinearSketch<GaussianProjection> {
  /**
   * The number of data rows whose coefficients are drawn together: they fit in an L1 cache at r =
   * 256.
   */
  private static final int BLOCK = 8;

  /**
   * The largest number of rows whose sums are exact in doubles. A coefficient is below 13 (a 53-bit
   * draw goes less than sqrt(108 ln 2) = 8.7 beyond the last layer) and an entry at most 2^15, so
   * the sums are below 2^52.
   */
  private static final int MOST_ROWS = 512;

  private final GaussianProjectionSpec spec;
  private final RowGaussians gaussians;
  private double[] single = {}; // the r coefficients of a row that is added alone
  // For each row of a block its r coefficients; for each column its entries, with their signs, and
  // its sums. These are separate arrays, since the compiler does not vectorise otherwise.
  private double[][] coefficients = {};
  private double[][] entries = {};
  private double[][] sums = {};
  private final BitSet touched = new BitSet(); // the columns with sums of sparse batches

  GaussianProjection(GaussianProjectionSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.gaussians = new RowGaussians(spec.seed(), spec.rows());
  }

  /** Creates an empty sketch. */
  public static GaussianProjection create(GaussianProjectionSpec spec) {
    return spec.zero();
  }

  @Override
  public GaussianProjectionSpec spec() {
    return spec;
  }

  @Override
  public GaussianProjection copy() {
    return new GaussianProjection(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    if (single.length == 0) {
      single = new double[spec.rows()];
    }
    double[] g = single;
    gaussians.fill(first, second, g, 0);
    int at = 0;
    for (int j = 0; j < spec.rows(); j++) {
      long factor = sign * (long) g[j];
      for (int i = 0; i < spec.dimension(); i++) {
        state[at++] += factor * values[from + i];
      }
    }
  }

  @Override
  void update(RowBatch batch) {
    reserve();
    for (int from = 0; from < batch.size(); from += MOST_ROWS) {
      int to = Math.min(batch.size(), from + MOST_ROWS);
      for (int block = from; block < to; block += BLOCK) {
        int rows = Math.min(BLOCK, to - block);
        gaussians.fill(batch, block, rows, coefficients);
        fillEntries(batch, block, rows);
        addProduct(rows);
      }
      addSums();
    }
  }

  @Override
  void updateSparse(RowBatch batch) {
    reserve();
    for (int from = 0; from < batch.size(); from += MOST_ROWS) {
      int to = Math.min(batch.size(), from + MOST_ROWS);
      for (int block = from; block < to; block += BLOCK) {
        int rows = Math.min(BLOCK, to - block);
        gaussians.fill(batch, block, rows, coefficients);
        for (int k = 0; k < rows; k++) {
          addCells(batch, block + k, coefficients[k]);
        }
      }
      addTouchedSums();
    }
  }

  private void addCells(RowBatch batch, int row, double[] g) {
    int width = batch.width();
    for (int i = row * width; i < (row + 1) * width; i++) {
      int value = batch.signs()[row] * batch.values()[i];
      if (value != 0) {
        int column = batch.indexes()[i];
        touched.set(column);
        addMultiple(g, value, sums[column]);
      }
    }
  }

  private static void addMultiple(double[] g, double value, double[] into) {
    for (int j = 0; j < into.length; j++) {
      into[j] += g[j] * value;
    }
  }

  private void reserve() {
    if (sums.length == 0) {
      coefficients = new double[BLOCK][spec.rows()];
      entries = new double[spec.dimension()][BLOCK];
      sums = new double[spec.dimension()][spec.rows()];
    }
  }

  /**
   * Returns the bytes of the sums, of the coefficients and entries of a block, and of the words
   * from which coefficients are made.
   */
  static long batchBytes(GaussianProjectionSpec spec) {
    long block = (long) BLOCK * (spec.rows() + spec.dimension());
    return Double.BYTES * (spec.stateLength() + block) + RowGaussians.bytes(spec.rows(), BLOCK);
  }

  private void fillEntries(RowBatch batch, int from, int rows) {
    int d = spec.dimension();
    int[] values = batch.values();
    for (int k = 0; k < rows; k++) {
      int sign = batch.signs()[from + k];
      for (int i = 0; i < d; i++) {
        entries[i][k] = sign * values[(from + k) * d + i];
      }
    }
    for (int i = 0; i < d; i++) {
      Arrays.fill(entries[i], rows, BLOCK, 0.0);
    }
  }

  private void addProduct(int rows) {
    for (int i = 0; i < spec.dimension(); i++) {
      for (int k = 0; k < rows; k += 4) {
        addRows(entries[i], k, sums[i]);
      }
    }
  }

  private void addRows(double[] row, int k, double[] into) {
    double[] g0 = coefficients[k];
    double[] g1 = coefficients[k + 1];
    double[] g2 = coefficients[k + 2];
    double[] g3 = coefficients[k + 3];
    double a0 = row[k];
    double a1 = row[k + 1];
    double a2 = row[k + 2];
    double a3 = row[k + 3];
    for (int j = 0; j < into.length; j++) {
      into[j] += g0[j] * a0 + g1[j] * a1 + g2[j] * a2 + g3[j] * a3;
    }
  }

  private void addSums() {
    for (int i = 0; i < spec.dimension(); i++) {
      addSums(i);
    }
  }

  private void addTouchedSums() {
    touched.stream().forEach(this::addSums);
    touched.clear();
  }

  private void addSums(int column) {
    int d = spec.dimension();
    double[] sum = sums[column];
    for (int j = 0; j < spec.rows(); j++) {
      state[j * d + column] += (long) sum[j];
    }
    Arrays.fill(sum, 0.0);
  }
}
