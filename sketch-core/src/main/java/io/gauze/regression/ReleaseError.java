package io.gauze.regression;

import io.gauze.linalg.Spectrum;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The distance of the coefficients from a release to the non-private fit of the same problem on the
 * same rows, as a matrix of mean squares.
 */
final class ReleaseError {
  private final NoiseLaw law;
  private final DMatrixRMaj joint; // positive semidefinite
  private final NormalEquations equations;
  private final NormalEquations.Solution solution;
  private final double residual;

  /**
   * Creates the error of a fit from its parts.
   *
   * @param solution with the lambda of the ridge
   * @param residual an upper estimate of the residual sum of squares of the rows
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

  // Let S, s be blocks of G = M + E, A = S + lambda P, A b = s, and let b0 solve
  //   (M_xx + l P) b0 = M_xy,
  // where l = lambda if the user gave it, and 0 if it was chosen here. Exactly
  //   b - b0 = A^-1 (s - A b0) = A^-1 [(E u)_x - (lambda - l) P b0],   u = (-b0, 1).
  // Noise: A^-1 Cov(E u) A^-1, at u = (-b, 1). This does not include the projection of G to
  // positive semidefinite, which changes G where noise exceeds signal, see unseen(). With an l1
  // penalty the formula holds for the coefficients that are not 0, with the half slope t of the
  // penalty added to P b0.
  DMatrixRMaj noise() {
    DMatrixRMaj covariance = law.covariance(joint, residualWeights(solution.b()), residual);
    DMatrixRMaj half = new DMatrixRMaj(covariance.getNumRows(), covariance.getNumCols());
    CommonOps_DDRM.mult(solution.inverse(), covariance, half);
    CommonOps_DDRM.mult(half, solution.inverse(), covariance);
    return covariance;
  }

  // The pull of the penalty is d d', d = K b0 + A^-1 t for K = lambda A^-1 P. As b is about b0 - d,
  // b0 is about b + K b + A^-1 t, which takes its place: K^2 b0 is missing from it, while with b
  // alone K b0 would be. Its noise is that of b: where b is too small the pull is too, and
  // intervals contain large coefficients slightly less often than others.
  /**
   * Returns the square of the pull.
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
  // part of b0 there, and nothing in the release determines v'b0. The residual contains what b has
  // lost: (v'b0)^2 v'Mv <= rss, where v'Mv is treated as at least the size of the noise. So each
  // weak direction adds d d' for
  //   d = lambda A^-1 P v sqrt(rss / max(w, unit)),  w its eigenvalue:
  // an upper bound unless v'Mv is far below the noise, and not a prediction.
  /** Returns the largest pull of the penalty that the release may hide. */
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

  /** Returns (-b, 1), the weights of the columns in the residual. */
  static DMatrixRMaj residualWeights(DMatrixRMaj b) {
    int features = b.getNumRows();
    DMatrixRMaj weights = new DMatrixRMaj(features + 1, 1);
    for (int i = 0; i < features; i++) {
      weights.set(i, -b.get(i));
    }
    weights.set(features, 1.0);
    return weights;
  }

  /** Returns A^-1 (lambda P v + t). */
  private DMatrixRMaj pulled(DMatrixRMaj v, DMatrixRMaj t) {
    DMatrixRMaj slope = t.copy();
    CommonOps_DDRM.addEquals(slope, solution.lambda(), equations.penalized(v));
    DMatrixRMaj image = new DMatrixRMaj(v.getNumRows(), 1);
    CommonOps_DDRM.mult(solution.inverse(), slope, image);
    return image;
  }
}
