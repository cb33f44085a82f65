package io.gauze.regression.papers;

import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.rows.LeastSquares;
import io.gauze.regression.rows.NormalEquations;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** Compares rows, residuals and noise of a multilevel sketch, estimated from its level 0. */
final class L1Noise {
  private final L1Moments level0;
  private final int features;
  private final DMatrixRMaj gram; // positive semidefinite
  private final Spectrum spectrum;
  private final double residualSum;
  private final double rows;
  private final double bucket;

  /** Fits least squares with a ridge to the moments, which only serves these estimates. */
  L1Noise(L1Moments level0, int features, double sigma) {
    this.level0 = level0;
    this.features = features;
    this.rows = Math.max(1.0, level0.rows());
    Spectrum all = Spectrum.of(level0.moments());
    DMatrixRMaj joint = all.map(value -> Math.max(value, 0.0));
    double[] ones = new double[features];
    Arrays.fill(ones, 1.0);
    NormalEquations equations = new NormalEquations(joint, ones);
    DMatrixRMaj b =
        equations.solve(Tuning.RIDGE_OF_ESTIMATES * level0.edge(), LeastSquares.JITTER).b();
    this.gram = equations.gram();
    this.spectrum = Spectrum.of(gram);
    double least = Math.max(1e-12 * Math.abs(joint.get(features, features)), Double.MIN_NORMAL);
    this.residualSum = Math.max(equations.residual(b), least);
    this.bucket = sigma * sigma * (1.0 + CommonOps_DDRM.dot(b, b));
  }

  /** The variance of the residual of a row. */
  double residual() {
    return residualSum / rows;
  }

  /** The variance of the noise in the residual of a bucket. */
  double bucket() {
    return bucket;
  }

  /** Returns the number of directions in which noise covers the moments. */
  int weak() {
    return spectrum.below(level0.edge());
  }

  // The loss is s sqrt(2/pi) per row for normal residuals of standard deviation s, and its second
  // derivative sqrt(2/pi) / s x x'. The relative excess is tr(M E[d d']) / (2 n s^2) on average.
  double excess(DMatrixRMaj distance, double n) {
    DMatrixRMaj product = new DMatrixRMaj(features, features);
    CommonOps_DDRM.mult(gram, distance, product);
    return 0.5 * CommonOps_DDRM.trace(product) / (Math.max(1.0, n) * residual());
  }

  /**
   * Returns {@code factor s^2 M^-1}, the sampling covariance; the factor is pi / 2 for least
   * absolute deviations.
   */
  SymmetricMatrix sampling(double factor) {
    double floor = Math.max(level0.edge(), 1e-13 * Math.max(0.0, spectrum.largest()));
    double scale = factor * residual();
    return SymmetricMatrix.of(
        spectrum.map(value -> value > floor ? scale / value : floor > 0.0 ? scale / floor : 0.0));
  }

  /**
   * Returns the sum over weak directions v of v v' times the largest square that the release allows
   * there.
   */
  DMatrixRMaj unseen() {
    DMatrixRMaj sum = new DMatrixRMaj(features, features);
    for (int k = 0; k < features; k++) {
      if (spectrum.value(k) < level0.edge()) {
        DMatrixRMaj v = spectrum.vector(k);
        CommonOps_DDRM.multAddTransB(residualSum / level0.edge(), v, v, sum);
      }
    }
    return sum;
  }
}
