package io.gauze.regression;

import io.gauze.linalg.Spectrum;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * How far the coefficients from a release are from the non-private fit of the same problem on the
 * same rows, as a matrix of mean squares.
 */
final class ReleaseError {
  private final NoiseLaw law;
  private final DMatrixRMaj joint; // positive semidefinite
  private final NormalEquations equations;
  private final NormalEquations.Solution solution;
  private final double residual;

  /**
   * The parts of a fit.
   *
   * @param solution with the lambda of the ridge
   * @param residual an upper estimate of the rows' residual sum of squares
   */
  ReleaseError(
      NoiseLaw law,
      DMatrixRMaj joint,
      NormalEquations equations,
      NormalEquations.Solution solution,
      double residual) {
    this.law = law;
    this.joint = joint;
    this.equations = equations;
    this.solution = solution;
    this.residual = residual;
  }

  // Let S, s be blocks of G = M + E, A = S + lambda P, A b = s, and let b0 solve (M_xx + l P) b0 =
  // M_xy, l = lambda where the user gave it, and 0 where it was chosen here. Exactly
  //   b - b0 = A^-1 (s - A b0) = A^-1 [(E u)_x - (lambda - l) P b0],   u = (-b0, 1).
  // Noise: A^-1 Cov(E u) A^-1, at u = (-b, 1). The projection of G to positive semidefinite is not
  // counted: it moves G where noise exceeds signal, of which below. With an l1 penalty the same
  // holds for the coefficients that are not 0, the half slope t of the penalty added to P b0.
  DMatrixRMaj noise() {
    DMatrixRMaj covariance = law.covariance(joint, residualWeights(solution.b()), residual);
    DMatrixRMaj half = new DMatrixRMaj(covariance.getNumRows(), covariance.getNumCols());
    CommonOps_DDRM.mult(solution.inverse(), covariance, half);
    CommonOps_DDRM.mult(half, solution.inverse(), covariance);
    return covariance;
  }

  // Pull of the penalty: d d', d = K b0 + A^-1 t for K = lambda A^-1 P. Since b is about b0 - d, b0
  // is about b + K b + A^-1 t, which takes its place: K^2 b0 is missing from it, K b0 from b alone.
  // Its noise is that of b: where b is too small the pull is too, and large coefficients are inside
  // a little less often than others.
  /**
   * The square of the pull.
   *
   * @param slope t, a column
   */
  DMatrixRMaj pull(DMatrixRMaj slope) {
    DMatrixRMaj d = pulled(solution.b(), slope);
    CommonOps_DDRM.addEquals(d, solution.b());
    d = pulled(d, slope);
    DMatrixRMaj square = new DMatrixRMaj(equations.features(), equations.features());
    CommonOps_DDRM.multTransB(d, d, square);
    return square;
  }

  // Along a direction v where noise exceeds the signal, the pull above is too small: b has lost its
  // part of b0 there, and nothing in the release tells how large v'b0 is. What b has lost the
  // residual holds: (v'b0)^2 v'Mv <= rss, and v'Mv is taken for at least the size of the noise. So
  // each weak direction adds d d' for
  //   d = lambda A^-1 P v sqrt(rss / max(w, unit)),  w its eigenvalue:
  // an upper bound unless v'Mv is far below the noise, and no prediction.
  /** The most that the penalty can have taken unseen. */
  DMatrixRMaj unseen() {
    int features = equations.features();
    DMatrixRMaj bias = new DMatrixRMaj(features, features);
    Spectrum spectrum = Spectrum.of(equations.gram());
    double unit = law.unit(features + 1);
    double edge = law.edge(features);
    DMatrixRMaj none = new DMatrixRMaj(features, 1);
    for (int k = 0; k < features; k++) {
      if (spectrum.value(k) < edge) {
        DMatrixRMaj d = pulled(spectrum.vector(k), none);
        CommonOps_DDRM.multAddTransB(residual / Math.max(spectrum.value(k), unit), d, d, bias);
      }
    }
    return bias;
  }

  /** (-b, 1): weights of the columns in the residual. */
  static DMatrixRMaj residualWeights(DMatrixRMaj b) {
    int features = b.getNumRows();
    DMatrixRMaj weights = new DMatrixRMaj(features + 1, 1);
    for (int i = 0; i < features; i++) {
      weights.set(i, -b.get(i));
    }
    weights.set(features, 1.0);
    return weights;
  }

  /** A^-1 (lambda P v + t). */
  private DMatrixRMaj pulled(DMatrixRMaj v, DMatrixRMaj t) {
    DMatrixRMaj slope = t.copy();
    CommonOps_DDRM.addEquals(slope, solution.lambda(), equations.penalized(v));
    DMatrixRMaj image = new DMatrixRMaj(v.getNumRows(), 1);
    CommonOps_DDRM.mult(solution.inverse(), slope, image);
    return image;
  }
}
