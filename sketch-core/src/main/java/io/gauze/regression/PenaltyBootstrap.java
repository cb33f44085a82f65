package io.gauze.regression;

import io.gauze.linalg.Spectrum;
import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;

/**
 * Chooses lambda for released moments by parametric bootstrap. It treats the released moments as
 * the truth, adds fresh noise of the same law, and keeps the ridge whose coefficients have the
 * least mean excess risk on that truth.
 *
 * <p>The truth's eigenvalues are floored at half of the noise's size. With a floor of 0 the truth
 * would be nearly singular wherever noise covers the signal, its own coefficients would be huge
 * there, and the ridge that recovers them far too small.
 */
final class PenaltyBootstrap {
  /** The number of fresh releases that are drawn. */
  static final int DRAWS = 12;

  /** The candidates, in units of the noise's size. */
  static final double[] GRID = {
    0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 1, 1.25, 1.5, 2, 3, 5
  };

  private static final double TRUTH_FLOOR = 0.5;

  /** The number of consecutive worse candidates after which larger penalties are not tried. */
  private static final int RISES = 4;

  private final RegressionProblem problem;
  private final double[] ridge;
  private final double[] l1;
  private final double unit;

  private PenaltyBootstrap(RegressionProblem problem, double intercept, double unit) {
    this.problem = problem;
    this.ridge = problem.ridgeWeights(intercept);
    this.l1 = problem.l1Weights(intercept);
    this.unit = unit;
  }

  /**
   * Returns lambda.
   *
   * @param joint released moments of features and response
   * @param spectrum of joint
   * @param law of the noise in joint
   * @param problem the problem to fit
   * @param intercept the constant in column 0
   */
  static double choose(
      DMatrixRMaj joint,
      Spectrum spectrum,
      NoiseLaw law,
      RegressionProblem problem,
      double intercept) {
    double unit = law.unit(joint.getNumRows());
    return unit * new PenaltyBootstrap(problem, intercept, unit).best(joint, spectrum, law);
  }

  private double best(DMatrixRMaj joint, Spectrum spectrum, NoiseLaw law) {
    DMatrixRMaj truth = spectrum.map(value -> Math.max(value, TRUTH_FLOOR * unit));
    NormalEquations judge = new NormalEquations(truth, ridge);
    FitRandom random = FitRandom.seededBy(joint);
    List<NormalEquations> draws = new ArrayList<>();
    for (int draw = 0; draw < DRAWS; draw++) {
      DMatrixRMaj fresh = law.sample(truth, random);
      CommonOps_DDRM.addEquals(fresh, truth);
      draws.add(new NormalEquations(positive(fresh), ridge));
    }
    return GRID[least(draws, judge)];
  }

  /**
   * Returns the index of the first value of the grid after which the mean risk rises {@link #RISES}
   * times.
   */
  private int least(List<NormalEquations> draws, NormalEquations judge) {
    int best = 0;
    double leastRisk = Double.POSITIVE_INFINITY;
    for (int k = 0; k < GRID.length && k - best <= RISES; k++) {
      double risk = 0.0;
      for (NormalEquations equations : draws) {
        risk += risk(equations, judge, GRID[k] * unit);
      }
      if (risk < leastRisk) {
        best = k;
        leastRisk = risk;
      }
    }
    return best;
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

  private double risk(NormalEquations equations, NormalEquations judge, double lambda) {
    double alpha = problem.penalty().alpha();
    if (alpha < 1.0) {
      ElasticNet.Solution net = ElasticNet.solve(equations, lambda, alpha, LeastSquares.JITTER, l1);
      return judge.explained(net.solution().b());
    }
    DMatrixRMaj b = new DMatrixRMaj(equations.features(), 1);
    boolean solved = equations.solveInto(equations.system(lambda, LeastSquares.JITTER), b);
    return solved ? judge.explained(b) : Double.POSITIVE_INFINITY;
  }
}
