package io.gauze.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Least squares and ridge on raw rows and on releases.
 *
 * <p>On a release, the joint moments of features and response are projected to positive
 * semidefinite, and unless the problem names a ridge one is chosen by parametric bootstrap.
 * Deterministic: the same input gives the same fit.
 */
final class LeastSquares {
  /** Keeps projected systems positive definite; far below any noise. */
  static final double JITTER = 1e-10;

  private LeastSquares() {}

  /**
   * Fits. O(D^3) time: about a millisecond for a dozen columns.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static FitOutcome fit(MomentsInput input, RegressionProblem problem) {
    int[] columns = problem.columns(input.dimension());
    return input instanceof ExactMoments exact
        ? fitRows(exact, problem, columns)
        : new ReleaseFit(input, problem, columns).fit();
  }

  private static FitOutcome fitRows(ExactMoments exact, RegressionProblem problem, int[] columns) {
    if (exact.rows() <= 0) { // a sketch can hold more deletions than insertions
      return new FitOutcome.Refused("there are no rows; send some, or fit another epoch");
    }
    double[] penalty = problem.ridgeWeights(exact.intercept());
    NormalEquations equations = new NormalEquations(exact.moments().select(columns), penalty);
    NormalEquations.Solution solution = equations.solve(problem.lambda().orElse(0.0), 0.0);
    double residual = Math.max(0.0, equations.residual(solution.b()));
    List<String> warnings = new ArrayList<>();
    if (solution.missed() > 0) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the rows leave %d of %d directions open: features depend on each other linearly;"
                  + " drop some, or give a penalty",
              solution.missed(),
              penalty.length));
    }
    if (exact.rows() <= penalty.length) {
      warnings.add("there are no more rows than features: standard errors mean nothing");
    }
    return new FitOutcome.Fitted(
        new Fit(
            problem,
            exact.intercept(),
            DoubleVector.of(solution.b().getData()),
            sampling(equations, solution, residual, (double) exact.rows()),
            SymmetricMatrix.of(new DMatrixRMaj(penalty.length, penalty.length)),
            solution.lambda(),
            solution.condition(),
            (double) exact.rows(),
            0.0,
            Convergence.DIRECT,
            warnings));
  }

  // Cov(b) = A^-1 Cov(s) A^-1 with Cov(s) = s2 S for residuals of equal variance s2, A = S + lambda
  // P; s2 (X'X)^-1 without a ridge.
  static SymmetricMatrix sampling(
      NormalEquations equations, NormalEquations.Solution solution, double residual, double rows) {
    int features = equations.features();
    double variance = residual / Math.max(1.0, rows - features);
    DMatrixRMaj half = new DMatrixRMaj(features, features);
    DMatrixRMaj covariance = new DMatrixRMaj(features, features);
    CommonOps_DDRM.mult(variance, solution.inverse(), equations.gram(), half);
    CommonOps_DDRM.mult(half, solution.inverse(), covariance);
    return SymmetricMatrix.of(covariance);
  }
}
