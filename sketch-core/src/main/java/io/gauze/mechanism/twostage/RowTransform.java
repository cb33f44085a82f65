package io.gauze.mechanism.twostage;

import io.gauze.internal.Checks;
import io.gauze.row.ColumnBatch;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * A public affine map of encoded rows: {@code z = T a}, T lower triangular with a positive
 * diagonal. The first entry of a row is a constant, so that the first column of T moves the origin.
 * Immutable.
 */
public final class RowTransform {
  private static final double MOST_ERROR = 1e-6;

  /** No entry of a release's transform, or of its inverse, is so large. */
  private static final double LARGEST = 0x1p30;

  private final int[] order; // the column of a row at each place; the constant is the first
  private final double[] lower; // row by row: (0, 0), (1, 0), (1, 1), ...
  private final double[] byColumn; // the same, column by column

  private RowTransform(int[] order, double[] lower) {
    this.order = order;
    this.lower = lower;
    this.byColumn = new double[lower.length];
    int next = 0;
    for (int j = 0; j < order.length; j++) {
      for (int k = j; k < order.length; k++) {
        byColumn[next++] = lower[at(k, j)];
      }
    }
  }

  /**
   * Returns the map that changes nothing but the order of the columns.
   *
   * @param dimension D
   * @param last the column at the last place, in [1, D)
   */
  static RowTransform identity(int dimension, int last) {
    int[] order = order(dimension, last);
    double[] lower = new double[length(dimension)];
    for (int k = 0; k < dimension; k++) {
      lower[at(k, k)] = 1.0;
    }
    return new RowTransform(order, lower);
  }

  /**
   * Reads a map.
   *
   * @param dimension D
   * @param last the column at the last place, in [1, D)
   * @param lower the entries, row by row
   * @throws IllegalArgumentException if there are too few or too many, one is not finite, or one on
   *     the diagonal is not positive
   */
  public static RowTransform of(int dimension, int last, double... lower) {
    Checks.within("last column", last, 1, dimension - 1);
    Checks.length("transform", lower.length, length(dimension));
    Checks.finite("transform", lower);
    for (int k = 0; k < dimension; k++) {
      Checks.positiveFinite("diagonal of the transform", lower[at(k, k)]);
    }
    return new RowTransform(order(dimension, last), lower.clone());
  }

  private static int[] order(int dimension, int last) {
    int[] order = new int[dimension];
    int place = 0;
    for (int column = 0; column < dimension; column++) {
      if (column != last) {
        order[place++] = column;
      }
    }
    order[place] = last;
    return order;
  }

  /** The number of entries of a map of rows of D entries. */
  static int length(int dimension) {
    return dimension * (dimension + 1) / 2;
  }

  private static int at(int row, int column) {
    return row * (row + 1) / 2 + column;
  }

  /** D. */
  public int dimension() {
    return order.length;
  }

  /** The columns of a row in the order of the places. */
  public List<Integer> order() {
    return Arrays.stream(order).boxed().toList();
  }

  /**
   * Maps a row. O(D^2) time, in a fixed order, without allocation.
   *
   * @param row D entries in the encoded scale
   * @param out receives z, in the order of the places
   */
  // The sums of different entries do not wait for each other, so that they are made together.
  public void apply(double[] row, double[] out) {
    Arrays.fill(out, 0, order.length, 0.0);
    int next = 0;
    for (int j = 0; j < order.length; j++) {
      double entry = row[order[j]];
      for (int k = j; k < order.length; k++) {
        out[k] += byColumn[next++] * entry;
      }
    }
  }

  /**
   * Maps the rows of a batch, each as {@link #apply(double[], double[])} does, to the last bit.
   *
   * @param out receives z of each row
   */
  public void apply(ColumnBatch rows, ColumnBatch out) {
    for (int s = 0; s < ColumnBatch.SLABS; s++) {
      for (int k = 0; k < order.length; k++) {
        apply(k, rows.slab(s), rows.rows(s), out.slab(s)[k]);
      }
    }
  }

  // Several columns in one loop, in their order, so that sums are loaded and stored less often.
  private void apply(int k, double[][] columns, int rows, double[] sums) {
    Arrays.fill(sums, 0, rows, 0.0);
    int row = at(k, 0);
    int j = 0;
    for (; j + 3 <= k; j += 4) {
      addFour(
          columns[order[j]],
          columns[order[j + 1]],
          columns[order[j + 2]],
          columns[order[j + 3]],
          row + j,
          rows,
          sums);
    }
    for (; j <= k; j++) {
      double[] column = columns[order[j]];
      double factor = lower[row + j];
      for (int lane = 0; lane < rows; lane++) {
        sums[lane] += factor * column[lane];
      }
    }
  }

  private void addFour(
      double[] a, double[] b, double[] c, double[] d, int at, int rows, double[] sums) {
    double ofA = lower[at];
    double ofB = lower[at + 1];
    double ofC = lower[at + 2];
    double ofD = lower[at + 3];
    for (int lane = 0; lane < rows; lane++) {
      double sum = sums[lane] + ofA * a[lane];
      sum += ofB * b[lane];
      sum += ofC * c[lane];
      sums[lane] = sum + ofD * d[lane];
    }
  }

  /** Returns the map that does this one and then another one, of rows in the order of places. */
  RowTransform then(DMatrixRMaj step) {
    double[] product = new double[lower.length];
    for (int i = 0; i < order.length; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0.0;
        for (int k = j; k <= i; k++) {
          sum += step.get(i, k) * lower[at(k, j)];
        }
        product[at(i, j)] = sum;
      }
    }
    return new RowTransform(order, product);
  }

  /** Returns the map times a factor. */
  public RowTransform times(double factor) {
    return new RowTransform(order, Arrays.stream(lower).map(entry -> entry * factor).toArray());
  }

  /**
   * Returns the entries in units, rounded to whole ones. A diagonal that would be 0 is one unit.
   */
  public long[] numbers(double unit) {
    long[] numbers = new long[lower.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Math.round(lower[i] / unit);
    }
    for (int k = 0; k < order.length; k++) {
      numbers[at(k, k)] = Math.max(1, numbers[at(k, k)]);
    }
    return numbers;
  }

  /** Returns the map of these entries, of rows with the columns in the same order. */
  RowTransform of(double... entries) {
    return of(order.length, order[order.length - 1], entries);
  }

  /** Returns the entries, row by row. */
  double[] entries() {
    return lower.clone();
  }

  /** What the map makes of the constant of a row. */
  double constant(double intercept) {
    return lower[0] * intercept;
  }

  private void checkInverse(DMatrixRMaj inverse) {
    DMatrixRMaj product = new DMatrixRMaj(order.length, order.length);
    CommonOps_DDRM.mult(inverse, matrix(), product);
    CommonOps_DDRM.subtractEquals(product, CommonOps_DDRM.identity(order.length));
    double error = CommonOps_DDRM.elementMaxAbs(product);
    double largest =
        Math.max(CommonOps_DDRM.elementMaxAbs(inverse), CommonOps_DDRM.elementMaxAbs(matrix()));
    if (!(error < MOST_ERROR && largest < LARGEST)) { // also refuses NaN
      throw new IllegalArgumentException(
          "the transform of the release must be invertible. Provided value: one whose inverse has an"
              + " error of "
              + error);
    }
  }

  /** T, lower triangular: row k gives entry k of z from the columns in the order of places. */
  public DMatrixRMaj matrix() {
    DMatrixRMaj matrix = new DMatrixRMaj(order.length, order.length);
    for (int i = 0; i < order.length; i++) {
      for (int j = 0; j <= i; j++) {
        matrix.set(i, j, lower[at(i, j)]);
      }
    }
    return matrix;
  }

  /**
   * Returns A = T^-1, lower triangular: row k gives the column at place k of a row from its z.
   * O(D^3) time.
   *
   * @throws IllegalArgumentException if T is not invertible in doubles
   */
  // Of a transform that a release made, whose diagonal is not small beside its rows, A is exact to
  // many digits; of other numbers it may not be.
  public DMatrixRMaj inverse() {
    DMatrixRMaj inverse = new DMatrixRMaj(order.length, order.length);
    for (int j = 0; j < order.length; j++) {
      for (int i = j; i < order.length; i++) {
        double sum = i == j ? 1.0 : 0.0;
        for (int k = j; k < i; k++) {
          sum -= lower[at(i, k)] * inverse.get(k, j);
        }
        inverse.set(i, j, sum / lower[at(i, i)]);
      }
    }
    checkInverse(inverse);
    return inverse;
  }
}
