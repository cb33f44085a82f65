package io.gauze.linalg;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** Eigenvalues and orthonormal eigenvectors of a symmetric matrix. */
public final class Spectrum {
  private final double[] values;
  private final DMatrixRMaj vectors; // one in each row

  private Spectrum(double[] values, DMatrixRMaj vectors) {
    this.values = values;
    this.vectors = vectors;
  }

  /** Decomposes a finite symmetric matrix, which is not changed. O(n^3) time. */
  public static Spectrum of(DMatrixRMaj symmetric) {
    int size = symmetric.getNumRows();
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size, true, true);
    if (!eigen.decompose(symmetric.copy())) {
      throw new IllegalStateException("no eigenvalues of a symmetric finite matrix");
    }
    double[] values = new double[size];
    DMatrixRMaj vectors = new DMatrixRMaj(size, size);
    for (int k = 0; k < size; k++) {
      values[k] = eigen.getEigenvalue(k).getReal();
      DMatrixRMaj vector = eigen.getEigenVector(k);
      for (int i = 0; i < size; i++) {
        vectors.set(k, i, vector.get(i));
      }
    }
    return new Spectrum(values, vectors);
  }

  /** Returns the symmetric square root of a positive semidefinite matrix, which is not changed. */
  public static DMatrixRMaj root(DMatrixRMaj matrix) {
    return of(matrix).map(value -> Math.sqrt(Math.max(0.0, value)));
  }

  /** Returns the eigenvalues alone, ascending, in less than half the time of {@link #of}. */
  public static double[] values(DMatrixRMaj symmetric) {
    int size = symmetric.getNumRows();
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size, false, true);
    if (!eigen.decompose(symmetric.copy())) {
      throw new IllegalStateException("no eigenvalues of a symmetric finite matrix");
    }
    return IntStream.range(0, size)
        .mapToDouble(k -> eigen.getEigenvalue(k).getReal())
        .sorted()
        .toArray();
  }

  int size() {
    return values.length;
  }

  public double value(int k) {
    return values[k];
  }

  /** Returns eigenvector k, a column. */
  public DMatrixRMaj vector(int k) {
    DMatrixRMaj column = new DMatrixRMaj(values.length, 1);
    for (int i = 0; i < values.length; i++) {
      column.set(i, vectors.get(k, i));
    }
    return column;
  }

  public double largest() {
    return Arrays.stream(values).max().orElseThrow();
  }

  public double smallest() {
    return Arrays.stream(values).min().orElseThrow();
  }

  /** Returns the number of eigenvalues below {@code bound}. */
  public int below(double bound) {
    return (int) Arrays.stream(values).filter(value -> value < bound).count();
  }

  /** Returns the matrix with the same eigenvectors, and with f of the eigenvalues. */
  public DMatrixRMaj map(DoubleUnaryOperator f) {
    DMatrixRMaj scaled = vectors.copy();
    for (int k = 0; k < values.length; k++) {
      double value = f.applyAsDouble(values[k]);
      for (int i = 0; i < values.length; i++) {
        scaled.set(k, i, value * vectors.get(k, i));
      }
    }
    DMatrixRMaj mapped = new DMatrixRMaj(values.length, values.length);
    CommonOps_DDRM.multTransA(vectors, scaled, mapped);
    return mapped;
  }
}
