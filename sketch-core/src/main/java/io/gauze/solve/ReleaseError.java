package io.gauze.solve;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * How far the coefficients from a release are from the non-private fit of the same problem on the
 * same rows, as a matrix of mean squares.
 */
final class ReleaseError {
  private static final int TERMS = 3;

  private final NoiseLaw law;
  private final DMatrixRMaj joint; // positive semidefinite
  private final NormalEquations equations;
  private final NormalEquations.Solution solution;
  private final double residual;

  /**
   * The parts of a fit.
   *
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
  // counted: it moves G where noise exceeds signal, of which below.
  DMatrixRMaj noise() {
    DMatrixRMaj covariance = law.covariance(joint, residualWeights(solution.b()));
    DMatrixRMaj half = new DMatrixRMaj(covariance.getNumRows(), covariance.getNumCols());
    CommonOps_DDRM.mult(solution.inverse(), covariance, half);
    CommonOps_DDRM.mult(half, solution.inverse(), covariance);
    return covariance;
  }

  // Pull of the ridge: d d', d = K b0 for K = lambda A^-1 P. Since b is about (I - K) b0, b0 is b +
  // K
  // b + K^2 b + ...; each term brings back more of what the ridge took, and more noise. Three are
  // taken: with the first alone intervals are too narrow where the pull is the larger part.
  DMatrixRMaj pull() {
    DMatrixRMaj term = solution.b();
    DMatrixRMaj restored = term.copy();
    for (int k = 1; k < TERMS; k++) {
      term = pulled(term);
      CommonOps_DDRM.addEquals(restored, term);
    }
    DMatrixRMaj bias = new DMatrixRMaj(equations.features(), equations.features());
    addSquare(bias, restored, 1.0);
    return bias;
  }

  // Along directions v where noise exceeds the signal, the pull above is too small: b has lost its
  // part of b0 there, and nothing in the release tells how large v'b0 is. But what the k weak
  // directions explain together cannot well exceed the residual: sum (v'b0)^2 v'Mv <= rss, and v'Mv
  // is taken for at least the size of the noise. With equal shares each of them adds d d' for
  //   d = lambda A^-1 P v sqrt(rss / k / max(w, unit)),  w its eigenvalue.
  // That is no prediction. It keeps the coverage of intervals, on average over the coefficients;
  // where one coefficient holds most of the signal its own interval is narrow.
  DMatrixRMaj unseen() {
    int features = equations.features();
    DMatrixRMaj bias = new DMatrixRMaj(features, features);
    Spectrum spectrum = Spectrum.of(equations.gram());
    double unit = law.unit(features + 1);
    double edge = law.edge(features);
    double share = residual / Math.max(1, spectrum.below(edge));
    for (int k = 0; k < features; k++) {
      if (spectrum.value(k) < edge) {
        addSquare(bias, spectrum.vector(k), share / Math.max(spectrum.value(k), unit));
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

  private void addSquare(DMatrixRMaj sum, DMatrixRMaj direction, double weight) {
    DMatrixRMaj bias = pulled(direction);
    CommonOps_DDRM.multAddTransB(weight, bias, bias, sum);
  }

  /** lambda A^-1 P v. */
  private DMatrixRMaj pulled(DMatrixRMaj v) {
    DMatrixRMaj image = new DMatrixRMaj(v.getNumRows(), 1);
    CommonOps_DDRM.mult(solution.lambda(), solution.inverse(), equations.penalized(v), image);
    return image;
  }
}
