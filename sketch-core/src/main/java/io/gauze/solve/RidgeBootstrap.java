package io.gauze.solve;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Chooses the ridge for released moments by parametric bootstrap: takes the released moments for
 * the truth, adds fresh noise of the same law, and keeps the ridge whose coefficients have the
 * least mean excess risk on that truth.
 *
 * <p>The truth's eigenvalues are floored at half of the noise's size. Floored at 0 it would be
 * nearly singular wherever noise covers the signal, its own coefficients would be huge there, and
 * the ridge that finds them again far too small.
 */
final class RidgeBootstrap {
  /** Fresh releases that are drawn. */
  static final int DRAWS = 12;

  /** Candidates over the noise's size. */
  private static final double[] GRID = {
    0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 1, 1.25, 1.5, 2, 3, 5
  };

  private static final double TRUTH_FLOOR = 0.5;

  private RidgeBootstrap() {}

  /**
   * The ridge.
   *
   * @param joint released moments of features and response
   * @param spectrum of joint
   * @param law of the noise in joint
   * @param penalty what multiplies the ridge for each feature
   */
  static double choose(DMatrixRMaj joint, Spectrum spectrum, NoiseLaw law, double... penalty) {
    double unit = law.unit(joint.getNumRows());
    DMatrixRMaj truth = spectrum.map(value -> Math.max(value, TRUTH_FLOOR * unit));
    NormalEquations judge = new NormalEquations(truth, penalty);
    FitRandom random = FitRandom.seededBy(joint);
    double[] risk = new double[GRID.length];
    for (int draw = 0; draw < DRAWS; draw++) {
      DMatrixRMaj fresh = law.sample(truth, random);
      CommonOps_DDRM.addEquals(fresh, truth);
      DMatrixRMaj projected = Spectrum.of(fresh).map(value -> Math.max(value, 0.0));
      addRisks(new NormalEquations(projected, penalty), judge, unit, risk);
    }
    int best = 0;
    for (int k = 1; k < risk.length; k++) {
      best = risk[k] < risk[best] ? k : best;
    }
    return GRID[best] * unit;
  }

  private static void addRisks(
      NormalEquations equations, NormalEquations judge, double unit, double[] risk) {
    DMatrixRMaj b = new DMatrixRMaj(equations.features(), 1);
    for (int k = 0; k < GRID.length; k++) {
      DMatrixRMaj system = equations.system(GRID[k] * unit, LeastSquares.JITTER);
      boolean solved = equations.solveInto(system, b);
      risk[k] += solved ? judge.explained(b) : Double.POSITIVE_INFINITY;
    }
  }
}
