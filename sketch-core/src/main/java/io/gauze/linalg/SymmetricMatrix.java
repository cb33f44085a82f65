package io.gauze.linalg;

import io.gauze.internal.Checks;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/** An immutable symmetric matrix of finite doubles. */
public final class SymmetricMatrix {
  private final int dimension;
  private final double[] upper; // row-major: (0, 0), (0, 1), ..., (1, 1), (1, 2), ...

  private SymmetricMatrix(int dimension, double[] upper) {
    this.dimension = dimension;
    this.upper = upper;
  }

  /**
   * Returns the matrix with this upper triangle.
   *
   * @param dimension D, in [1, 4096]
   * @param upper the D (D + 1) / 2 entries (i, j), i &lt;= j, row by row; copied
   * @throws IllegalArgumentException if the number of entries differs, or one is not finite
   */
  public static SymmetricMatrix ofUpperTriangle(int dimension, double... upper) {
    Checks.within("dimension", dimension, 1, 4096);
    Checks.length("upper", upper.length, length(dimension));
    Checks.finite("upper", upper);
    return new SymmetricMatrix(dimension, upper.clone());
  }

  public static SymmetricMatrix of(DMatrixRMaj matrix) {
    int size = matrix.getNumRows();
    double[] packed = new double[length(size)];
    int next = 0;
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        packed[next++] = 0.5 * (matrix.get(i, j) + matrix.get(j, i));
      }
    }
    return new SymmetricMatrix(size, packed);
  }

  public static int length(int dimension) {
    return dimension * (dimension + 1) / 2;
  }

  /** D, the number of rows and columns. */
  public int dimension() {
    return dimension;
  }

  /**
   * Returns the entry in row i and column j.
   *
   * @throws IllegalArgumentException if an index is not in [0, D)
   */
  public double get(int i, int j) {
    Checks.within("row", i, 0, dimension - 1);
    Checks.within("column", j, 0, dimension - 1);
    int row = Math.min(i, j);
    return upper[row * dimension - row * (row - 1) / 2 + Math.abs(i - j)];
  }

  /** Returns the sum of both matrices. */
  public SymmetricMatrix plus(SymmetricMatrix other) {
    Checks.within("dimension", other.dimension, dimension, dimension);
    double[] sum = upper.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.upper[i];
    }
    return new SymmetricMatrix(dimension, sum);
  }

  /** Returns this matrix times {@code factor}. */
  public SymmetricMatrix times(double factor) {
    double[] scaled = upper.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= factor;
    }
    return new SymmetricMatrix(dimension, scaled);
  }

  /**
   * Returns rows whose second moments approximate this matrix: the symmetric D x D matrix C such
   * that {@code C'C} is the positive semidefinite matrix nearest to this one in Frobenius norm,
   * which is this one if it is positive semidefinite. For least-squares solvers that take rows.
   * O(D^3) time.
   */
  public SymmetricMatrix rowForm() {
    return of(Spectrum.root(select(IntStream.range(0, dimension).toArray())));
  }

  /** Returns this matrix plus {@code value} I. */
  public SymmetricMatrix plusDiagonal(double value) {
    double[] sum = upper.clone();
    int diagonal = 0;
    for (int i = 0; i < dimension; i++) {
      sum[diagonal] += value;
      diagonal += dimension - i;
    }
    return new SymmetricMatrix(dimension, sum);
  }

  /** Returns the rows and columns {@code indexes}, in that order. */
  public DMatrixRMaj select(int... indexes) {
    DMatrixRMaj selected = new DMatrixRMaj(indexes.length, indexes.length);
    for (int i = 0; i < indexes.length; i++) {
      for (int j = 0; j < indexes.length; j++) {
        selected.set(i, j, get(indexes[i], indexes[j]));
      }
    }
    return selected;
  }

  /**
   * Returns the diagonal of {@code T this T'}: the variances after a linear map.
   *
   * @param map the rows of T, each of D entries
   */
  public DoubleVector diagonalUnder(double[][] map) {
    return DoubleVector.generate(map.length, k -> quadraticForm(map[k]));
  }

  public double quadraticForm(double... vector) {
    double sum = 0;
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        sum += vector[i] * vector[j] * get(i, j);
      }
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SymmetricMatrix that && Arrays.equals(upper, that.upper);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(upper);
  }

  @Override
  public String toString() {
    return dimension + " x " + dimension + " " + Arrays.toString(upper);
  }
}
