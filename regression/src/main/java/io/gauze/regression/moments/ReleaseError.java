package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.rows.NormalEquations;
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
  // weak direction adds q d d' for
  //   d = lambda A^-1 P v,  q = rss / max(w, unit),  w its eigenvalue:
  // an upper bound unless v'Mv is far below the noise, and not a prediction. Where at most half of
  // the directions are weak, v'b0 is hardly larger than b0 along all others, which bounds q. Then
  // the noise of the eigenvalue, which matters up to three times the edge, counts as well:
  //   d = A^-1 (lambda P v + unit v).
  // From the edge on the release shows v'b0 itself, but for its noise, which bounds q once more.
  /**
   * Returns the largest pull of penalty and noise that the release may hide.
   *
   * @param isResidualKnown whether the residual stands out from its noise
   */
  DMatrixRMaj unseen(boolean isResidualKnown) {
    int features = equations.features();
    DMatrixRMaj bias = new DMatrixRMaj(features, features);
    Spectrum spectrum = Spectrum.of(equations.gram());
    double unit = law.unit(features + 1);
    double usual = isResidualKnown ? usual(spectrum) : Double.POSITIVE_INFINITY;
    double edge = law.edge(features) * (Double.isFinite(usual) ? Tuning.NEAR_EDGE : 1.0);
    for (int k = 0; k < features; k++) {
      if (spectrum.value(k) < edge) {
        DMatrixRMaj noise = spectrum.vector(k);
        CommonOps_DDRM.scale(Double.isFinite(usual) ? unit : 0.0, noise);
        DMatrixRMaj d = pulled(spectrum.vector(k), noise);
        double most = Math.min(residual / Math.max(spectrum.value(k), unit), usual);
        if (spectrum.value(k) >= law.edge(features)) {
          most = Math.min(most, along(spectrum.vector(k)));
        }
        CommonOps_DDRM.multAddTransB(most, d, d, bias);
      }
    }
    return bias;
  }

  /** Returns the square of v'b0 that a direction v shows, without its ridge, and with its noise. */
  private double along(DMatrixRMaj v) {
    DMatrixRMaj none = new DMatrixRMaj(v.getNumRows(), 1);
    double kept = 1.0 - CommonOps_DDRM.dot(v, pulled(v, none));
    double part = CommonOps_DDRM.dot(v, solution.b());
    double noise = SymmetricMatrix.of(noise()).quadraticForm(v.getData());
    return (part * part + noise) / (kept * kept);
  }

  /** Returns whether coefficients along weak directions can be compared with those along others. */
  boolean hasUsualSize() {
    return Double.isFinite(usual(Spectrum.of(equations.gram())));
  }

  // Least squares along strong directions, since a large ridge leaves nothing of b there either.
  // Noise alone is often beyond the edge of its spectrum and hardly ever beyond its reach, so what
  // is between them does not count as strong.
  /** Returns the squared norm of b0 along strong directions; infinite if few are strong. */
  private double usual(Spectrum spectrum) {
    int features = equations.features();
    if (2 * spectrum.below(law.reach(features)) > features) {
      return Double.POSITIVE_INFINITY;
    }
    double edge = law.edge(features);
    double square = 0.0;
    for (int k = 0; k < features; k++) {
      if (spectrum.value(k) >= edge) {
        double product = CommonOps_DDRM.dot(spectrum.vector(k), equations.cross());
        square += Math.pow(product / spectrum.value(k), 2.0);
      }
    }
    return square;
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
