package io.gauze.sketch;

import io.gauze.row.RowBatch;
import java.util.Arrays;

/**
 * The product {@code G A} of the matrix A of all rows with a matrix G of independent N(0, 1), r of
 * them for each row, made from the row's tag (W. Johnson and J. Lindenstrauss, <a
 * href="https://doi.org/10.1090/conm/026/737400">Extensions of Lipschitz mappings</a>, 1984).
 *
 * <p>Each coefficient is rounded to a multiple of 2^-24, so the state is exact in longs: r rows of
 * D longs, in 2^-24 grid steps. A state of n rows at the row bound has standard deviation {@code
 * 2^39 sqrt n} at most: 2^33 rows stay 180 standard deviations below overflow.
 *
 * <p>Cost: O(r D) an update, and r normal draws, see {@link RowGaussians}. Where rows have no
 * deletions, r rows of the law N(0, A'A) can be drawn from {@link SecondMoments} at O(D^2) an
 * update; the laws are the same.
 *
 * <p>Error: for a column space of dimension d, with probability at least {@code 1 - 2 exp(-t^2/2)}
 * every {@code |G A x|^2 / r} is between {@code (1 - e)^2} and {@code (1 + e)^2} times {@code |A
 * x|^2}, {@code e = (sqrt d + t) / sqrt r} (K. Davidson and S. Szarek, Local operator theory,
 * random matrices and Banach spaces, 2001, theorem II.13).
 */
public final class GaussianProjection extends LinearSketch<GaussianProjection> {
  /** Rows of one block of a batch; with a strip of G that fits a level 1 cache. */
  private static final int BLOCK = 32;

  private static final int STRIP = 128;

  private final GaussianProjectionSpec spec;
  private final RowGaussians gaussians;
  private double[] coefficients = {}; // BLOCK x r, one row of the data after the other
  private double[] strip = {};

  GaussianProjection(GaussianProjectionSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.gaussians = new RowGaussians(spec.seed(), spec.rows());
  }

  /** An empty sketch. */
  public static GaussianProjection create(GaussianProjectionSpec spec) {
    return spec.zero();
  }

  /**
   * Reads what {@link #toBytes()} wrote.
   *
   * @throws IllegalArgumentException if the bytes are not a projection, of an unknown version or of
   *     the wrong length
   */
  public static GaussianProjection fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, GaussianProjection.class);
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
    reserve();
    gaussians.fill(first, second, coefficients, 0);
    int at = 0;
    for (int j = 0; j < spec.rows(); j++) {
      long factor = sign * (long) coefficients[j];
      for (int i = 0; i < spec.dimension(); i++) {
        state[at++] += factor * values[from + i];
      }
    }
  }

  @Override
  void update(RowBatch batch) {
    reserve();
    for (int from = 0; from < batch.size(); from += BLOCK) {
      int rows = Math.min(BLOCK, batch.size() - from);
      gaussians.fill(batch, from, rows, coefficients);
      Arrays.fill(coefficients, rows * spec.rows(), BLOCK * spec.rows(), 0.0);
      for (int j = 0; j < spec.rows(); j += STRIP) {
        addProduct(batch, from, rows, j);
      }
    }
  }

  private void reserve() {
    if (coefficients.length == 0) {
      coefficients = new double[BLOCK * spec.rows()];
      strip = new double[STRIP];
    }
  }

  /** Adds a strip of the rows of the projection for one block of rows of the data. */
  private void addProduct(RowBatch batch, int from, int rows, int strip0) {
    int r = spec.rows();
    int d = spec.dimension();
    int width = Math.min(STRIP, r - strip0);
    int[] values = batch.values();
    int[] signs = batch.signs();
    for (int i = 0; i < d; i++) {
      Arrays.fill(strip, 0, width, 0.0);
      for (int k = 0; k < BLOCK; k += 4) {
        double a0 = k < rows ? signs[from + k] * values[(from + k) * d + i] : 0;
        double a1 = k + 1 < rows ? signs[from + k + 1] * values[(from + k + 1) * d + i] : 0;
        double a2 = k + 2 < rows ? signs[from + k + 2] * values[(from + k + 2) * d + i] : 0;
        double a3 = k + 3 < rows ? signs[from + k + 3] * values[(from + k + 3) * d + i] : 0;
        addRows(k * r + strip0, width, a0, a1, a2, a3);
      }
      for (int j = 0; j < width; j++) {
        state[(strip0 + j) * d + i] += (long) strip[j];
      }
    }
  }

  /** Sums of whole numbers below 2^53, so doubles are exact in any order. */
  private void addRows(int at, int width, double a0, double a1, double a2, double a3) {
    int r = spec.rows();
    double[] g = coefficients;
    double[] sums = strip;
    for (int j = 0; j < width; j++) {
      sums[j] +=
          g[at + j] * a0 + g[at + r + j] * a1 + g[at + 2 * r + j] * a2 + g[at + 3 * r + j] * a3;
    }
  }
}
