package io.gauze.linalg;

import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/** A positive definite system of p equations, scaled to a unit diagonal and factored. */
public final class PositiveSystem {
  private final double[] scale;
  private final LinearSolverDense<DMatrixRMaj> cholesky;

  private PositiveSystem(double[] scale, LinearSolverDense<DMatrixRMaj> cholesky) {
    this.scale = scale;
    this.cholesky = cholesky;
  }

  /**
   * Factors a matrix. O(p^3) time.
   *
   * @param size p
   * @param upper p x p row-major; only the upper triangle is read
   * @return empty if the matrix is not positive definite in double precision
   */
  public static Optional<PositiveSystem> of(int size, double... upper) {
    double[] scale = scale(size, upper);
    DMatrixRMaj matrix = unitDiagonal(size, upper);
    LinearSolverDense<DMatrixRMaj> cholesky = LinearSolverFactory_DDRM.chol(size);
    for (double value : matrix.getData()) {
      if (!Double.isFinite(value)) {
        return Optional.empty();
      }
    }
    return cholesky.setA(matrix)
        ? Optional.of(new PositiveSystem(scale, cholesky))
        : Optional.empty();
  }

  private static double[] scale(int size, double... upper) {
    double[] scale = new double[size];
    for (int i = 0; i < size; i++) {
      scale[i] = 1.0 / Math.sqrt(upper[i * size + i]);
    }
    return scale;
  }

  /**
   * Returns the matrix with rows and columns scaled so that the diagonal is 1; not finite if the
   * diagonal contains 0.
   */
  public static DMatrixRMaj unitDiagonal(int size, double... upper) {
    double[] scale = scale(size, upper);
    DMatrixRMaj matrix = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        double value = upper[i * size + j] * scale[i] * scale[j];
        matrix.set(i, j, value);
        matrix.set(j, i, value);
      }
    }
    return matrix;
  }

  /** Returns the solution for one right-hand side of p entries. O(p^2) time. */
  public double[] solve(double... right) {
    DMatrixRMaj scaled = new DMatrixRMaj(scale.length, 1);
    DMatrixRMaj solution = new DMatrixRMaj(scale.length, 1);
    for (int i = 0; i < scale.length; i++) {
      scaled.set(i, scale[i] * right[i]);
    }
    cholesky.solve(scaled, solution);
    double[] result = new double[scale.length];
    for (int i = 0; i < scale.length; i++) {
      result[i] = scale[i] * solution.get(i);
    }
    return result;
  }
}
