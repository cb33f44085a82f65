package io.gauze.release;

import io.gauze.sketch.SecondMomentsSpec;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** Exact second moments on their way into a release. */
final class Moments {
  /** Noise on top of a sum that wraps is as private as ever; eigenvalues of one are not. */
  static final String NO_OVERFLOW =
      "sums that are kept without noise are of fewer than 2^33 - 2^20 rows, so that they cannot"
          + " overflow";

  private Moments() {}

  /** The upper triangle of {@code M + ridge I}, in the encoded scale. */
  static double[] ridged(SecondMomentsSpec spec, long[] state, double unit, double ridge) {
    double[] upper = new double[state.length];
    for (int i = 0; i < upper.length; i++) {
      upper[i] = state[i] * unit;
    }
    for (int i = 0; i < spec.dimension(); i++) {
      upper[spec.index(i, i)] += ridge;
    }
    return upper;
  }

  /**
   * The least eigenvalue of M without one column, or of all of it for -1, in steps of the state.
   */
  static double leastEigenvalue(SecondMomentsSpec spec, long[] state, int without) {
    int size = spec.dimension() - (without < 0 ? 0 : 1);
    DMatrixRMaj matrix = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        matrix.set(i, j, (double) state[spec.index(skip(i, without), skip(j, without))]);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size, false, true);
    if (!eigen.decompose(matrix)) {
      throw new IllegalStateException("no eigenvalues of a symmetric finite matrix");
    }
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < size; k++) {
      least = Math.min(least, eigen.getEigenvalue(k).getReal());
    }
    return least;
  }

  /** The index, of all columns, of one among those that are left. */
  static int skip(int index, int without) {
    return without >= 0 && index >= without ? index + 1 : index;
  }
}
