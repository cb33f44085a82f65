package io.gauze.regression.strata;

import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** The sampling covariance over draws of the rows, from the Hessian at a minimum. */
final class StrataSampling {
  private static final double NEGLIGIBLE = 1e-13;

  private final Spectrum spectrum;

  StrataSampling(StrataObjective.Around around) {
    this.spectrum = around.spectrum();
  }

  /**
   * Returns {@code H^-1 V H^-1} for the covariance V of the gradient; directions without curvature
   * get 0.
   */
  SymmetricMatrix covariance(DMatrixRMaj scores) {
    double least = NEGLIGIBLE * Math.max(0.0, spectrum.largest());
    DMatrixRMaj inverse = spectrum.map(value -> value > least ? 1.0 / value : 0.0);
    DMatrixRMaj half = new DMatrixRMaj(inverse.getNumRows(), inverse.getNumCols());
    DMatrixRMaj covariance = new DMatrixRMaj(inverse.getNumRows(), inverse.getNumCols());
    CommonOps_DDRM.mult(inverse, scores, half);
    CommonOps_DDRM.mult(half, inverse, covariance);
    return SymmetricMatrix.of(covariance);
  }

  /**
   * Returns the largest over the smallest eigenvalue; infinite if there is a direction without
   * curvature.
   */
  double condition() {
    double smallest = spectrum.smallest();
    return smallest > NEGLIGIBLE * spectrum.largest()
        ? spectrum.largest() / smallest
        : Double.POSITIVE_INFINITY;
  }
}
