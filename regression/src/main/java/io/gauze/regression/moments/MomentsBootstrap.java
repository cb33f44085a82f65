package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.regression.FitRandom;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ElasticNet;
import io.gauze.regression.rows.LeastSquares;
import io.gauze.regression.rows.NormalEquations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;

/** A parametric bootstrap: fits of fresh releases of moments that are taken for the truth. */
final class MomentsBootstrap {
  private final RegressionProblem problem;
  private final double[] ridge;
  private final double[] l1;
  private final NormalEquations truth;
  private final List<NormalEquations> draws = new ArrayList<>();

  /**
   * Draws the releases.
   *
   * @param moments of features and response, positive semidefinite
   * @param law of the noise
   * @param intercept the constant in column 0
   * @param count the number of releases
   */
  MomentsBootstrap(
      DMatrixRMaj moments,
      NoiseLaw law,
      RegressionProblem problem,
      double intercept,
      int count,
      FitRandom random) {
    this.problem = problem;
    this.ridge = problem.ridgeWeights(intercept);
    this.l1 = problem.l1Weights(intercept);
    this.truth = new NormalEquations(moments, ridge);
    for (int draw = 0; draw < count; draw++) {
      DMatrixRMaj fresh = law.sample(moments, random);
      CommonOps_DDRM.addEquals(fresh, moments);
      draws.add(new NormalEquations(positive(fresh), ridge));
    }
  }

  /**
   * Returns the nearest positive semidefinite matrix: most often the matrix itself, which is
   * checked first since that costs less.
   */
  private static DMatrixRMaj positive(DMatrixRMaj symmetric) {
    return DecompositionFactory_DDRM.chol(symmetric.getNumRows(), false).decompose(symmetric.copy())
        ? symmetric
        : Spectrum.of(symmetric).map(value -> Math.max(value, 0.0));
  }

  /** Returns the mean excess risk of a penalty, up to a constant. */
  double meanRisk(double lambda) {
    double risk = 0.0;
    for (NormalEquations draw : draws) {
      DMatrixRMaj b = new DMatrixRMaj(draw.features(), 1);
      risk += fit(draw, lambda, b) ? truth.explained(b) : Double.POSITIVE_INFINITY;
    }
    return risk / draws.size();
  }

  /**
   * Returns the median of d'M d, M the moments of the features and d the distance of coefficients
   * with the penalty lambda to those of the truth with the penalty {@code reference}.
   */
  double medianExcess(double lambda, double reference) {
    DMatrixRMaj exact = new DMatrixRMaj(truth.features(), 1);
    boolean known = fit(truth, reference, exact);
    double[] excess = new double[draws.size()];
    Arrays.fill(excess, Double.POSITIVE_INFINITY);
    for (int k = 0; k < excess.length && known; k++) {
      DMatrixRMaj b = new DMatrixRMaj(truth.features(), 1);
      if (fit(draws.get(k), lambda, b)) {
        CommonOps_DDRM.subtractEquals(b, exact);
        excess[k] = truth.quadratic(b);
      }
    }
    Arrays.sort(excess);
    return 0.5 * (excess[(excess.length - 1) / 2] + excess[excess.length / 2]);
  }

  /** Returns the sum of squares that the features explain on the truth. */
  double explained() {
    DMatrixRMaj exact = new DMatrixRMaj(truth.features(), 1);
    return fit(truth, 0.0, exact) ? -truth.explained(exact) : Double.POSITIVE_INFINITY;
  }

  /** Fits; returns false if the equations are not solved. */
  private boolean fit(NormalEquations equations, double lambda, DMatrixRMaj b) {
    double alpha = problem.penalty().alpha();
    if (alpha < 1.0 && lambda > 0.0) {
      b.setTo(ElasticNet.solve(equations, lambda, alpha, LeastSquares.JITTER, l1).solution().b());
      return true;
    }
    return equations.solveInto(equations.system(lambda, LeastSquares.JITTER), b);
  }
}
