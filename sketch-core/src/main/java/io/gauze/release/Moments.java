package io.gauze.release;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.OutputGrid;
import io.gauze.privacy.RoundedGaussian;
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

  /** The noise that fills the grid. */
  private static final RoundedGaussian FILLING = RoundedGaussian.of(0x1p20);

  /** Rows in whole steps of the grid, with a narrow noise of 2^20 steps on top. */
  // Normal numbers are whole multiples of 2^-40: the first column of a row is a multiple of 2^-40
  // u, u the root of its moment. Where that is not far below a step, which whole numbers come out,
  // or how often, depends on u, and for the intercept u tells the number of rows. Sums of 2^33 rows
  // have 2^-40 u below 2^7 steps, and an independent noise that wide leaves ripples of e^(-2 pi^2
  // 2^26) only. It is a function of the rows, and adds 2^-20 of the ridge at most.
  static long[] filled(double[] rows, OutputGrid grid, Entropy entropy) {
    long[] steps = steps(rows, grid);
    for (int i = 0; i < steps.length; i++) {
      steps[i] += FILLING.sample(entropy);
    }
    return steps;
  }

  /** Whole steps of the grid. */
  static long[] steps(double[] values, OutputGrid grid) {
    long[] steps = new long[values.length];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = Math.round(values[i] / grid.step());
    }
    return steps;
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
