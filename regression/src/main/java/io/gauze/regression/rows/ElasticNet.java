package io.gauze.regression.rows;

import io.gauze.regression.Convergence;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * LASSO and elastic net on moments: the minimum of
 *
 * <pre>b'S b - 2 b's + lambda (alpha sum p_j b_j^2 + (1 - alpha) sum v_j |b_j|)</pre>
 *
 * <p>Each round has two parts. One sweep of coordinate descent, as in J. Friedman, T. Hastie and R.
 * Tibshirani, <a href="https://doi.org/10.18637/jss.v033.i01">Regularization paths for generalized
 * linear models</a>, J. Stat. Softw. 33 (2010), section 2, finds coefficients that become non-zero.
 * Exact minimisation with the present signs drops coefficients whose sign would change, one by one,
 * as in C. Lawson and R. Hanson's non-negative least squares. No round raises the objective, and
 * each ends at the minimum for its signs, so that the number of rounds is finite and in practice
 * small. The last round solves the optimality conditions up to rounding.
 *
 * <p>A round takes O(p^3) time. If columns are linearly dependent, so that the minimum is not
 * unique, the result is one of the minima.
 */
public final class ElasticNet {
  private static final int ROUNDS = 1_000;

  /** Parts of a gradient below this share of its terms are rounding errors. */
  private static final double ROUNDING = 1e-13;

  /**
   * The share of its mean that is added to the diagonal of the equations of a step, not of the
   * problem. The equations are then solvable even if columns are linearly dependent, at the price
   * of a few more steps.
   */
  private static final double PROXIMAL = 1e-12;

  /**
   * Gaps are relative to at least this share of the squares of responses, if the objective is
   * smaller.
   */
  private static final double FLOOR = 1e-9;

  private static final int REFINEMENTS = 3;

  private final int size;
  private final double[] system; // S + lambda alpha P, row-major
  private final double[] cross; // s
  private final double[] threshold; // half of the factor of |b_j|
  private final double[] b;
  private final double[] slope; // s - (S + lambda alpha P) b: minus half the smooth gradient
  private final double shift;

  private ElasticNet(DMatrixRMaj system, DMatrixRMaj cross, double... threshold) {
    this.size = threshold.length;
    this.system = system.getData();
    this.cross = cross.getData();
    this.threshold = threshold;
    this.b = new double[size];
    this.slope = this.cross.clone();
    double trace = 0.0;
    for (int j = 0; j < size; j++) {
      trace += this.system[j * size + j];
    }
    this.shift = Math.max(PROXIMAL * trace / size, Double.MIN_NORMAL);
  }

  /**
   * The result.
   *
   * @param solution the coefficients; its inverse and condition are those of the system of the
   *     coefficients that are not 0, with zeros elsewhere
   * @param active the number of coefficients that are not 0, or not penalised
   * @param solved whether the optimality conditions hold up to rounding
   * @param convergence rounds, and the duality gap
   */
  public record Solution(
      NormalEquations.Solution solution, int active, boolean solved, Convergence convergence) {}

  /**
   * Minimises the objective.
   *
   * @param equations S, s and the p_j; the joint moments must be positive semidefinite
   * @param lambda at least 0
   * @param alpha in [0, 1]
   * @param jitter the share of its mean that is added to the diagonal of S
   * @param l1Weights the v_j, at least 0; 0 leaves a coefficient out of the l1 norm
   */
  public static Solution solve(
      NormalEquations equations, double lambda, double alpha, double jitter, double... l1Weights) {
    double half = 0.5 * lambda * (1.0 - alpha);
    double[] threshold = Arrays.stream(l1Weights).map(v -> half * v).toArray();
    if (Arrays.stream(threshold).allMatch(t -> t == 0.0)) {
      NormalEquations.Solution direct = equations.solve(lambda * alpha, jitter);
      return new Solution(direct.withLambda(lambda), l1Weights.length, true, Convergence.DIRECT);
    }
    DMatrixRMaj system = equations.system(lambda * alpha, jitter);
    ElasticNet net = new ElasticNet(system, equations.cross(), threshold);
    int rounds = 1;
    while (!net.round() && rounds < ROUNDS) {
      rounds++;
    }
    int[] active = net.active();
    DMatrixRMaj b = DMatrixRMaj.wrap(net.size, 1, net.b);
    return new Solution(
        NormalEquations.restricted(system, b, lambda, active),
        active.length,
        net.optimal(),
        new Convergence(rounds, net.relativeGap(equations.square())));
  }

  /** Runs one round; returns true if the minimum is found. */
  private boolean round() {
    sweep();
    minimiseWithSigns();
    return optimal();
  }

  private void sweep() {
    for (int j = 0; j < size; j++) {
      double diagonal = system[j * size + j];
      if (diagonal > 0.0) { // an empty column keeps its 0
        double target = slope[j] + diagonal * b[j];
        move(j, soft(target, threshold[j]) / diagonal - b[j]);
      }
    }
  }

  private static double soft(double value, double threshold) {
    return Math.signum(value) * Math.max(0.0, Math.abs(value) - threshold);
  }

  private void move(int j, double by) {
    if (by != 0.0) {
      b[j] += by;
      for (int k = 0; k < size; k++) {
        slope[k] -= by * system[j * size + k];
      }
    }
  }

  private void minimiseWithSigns() {
    boolean turned = true;
    while (turned) { // each turn sets a coefficient to 0
      int[] face = active();
      LinearSolverDense<DMatrixRMaj> cholesky = factor(face);
      turned = false;
      for (int k = 0; k < REFINEMENTS && !turned; k++) {
        turned = face.length > 0 && step(face, direction(cholesky, face));
      }
    }
  }

  /** Returns the coefficients that are not 0, or not penalised. */
  private int[] active() {
    return IntStream.range(0, size).filter(j -> b[j] != 0.0 || threshold[j] == 0.0).toArray();
  }

  private LinearSolverDense<DMatrixRMaj> factor(int... face) {
    DMatrixRMaj block = new DMatrixRMaj(face.length, face.length);
    for (int i = 0; i < face.length; i++) {
      for (int k = 0; k < face.length; k++) {
        block.set(i, k, system[face[i] * size + face[k]]);
      }
      block.add(i, i, shift);
    }
    LinearSolverDense<DMatrixRMaj> cholesky = LinearSolverFactory_DDRM.chol(face.length);
    // rounding can make the block indefinite
    for (double more = shift; !cholesky.setA(block.copy()); more *= 10.0) {
      for (int i = 0; i < face.length; i++) {
        block.add(i, i, more);
      }
    }
    return cholesky;
  }

  /** Returns Newton's step for the present signs. */
  private double[] direction(LinearSolverDense<DMatrixRMaj> cholesky, int... face) {
    DMatrixRMaj right = new DMatrixRMaj(face.length, 1);
    DMatrixRMaj direction = new DMatrixRMaj(face.length, 1);
    for (int i = 0; i < face.length; i++) {
      right.set(i, slope[face[i]] - Math.signum(b[face[i]]) * threshold[face[i]]);
    }
    cholesky.solve(right, direction);
    return direction.getData();
  }

  /** Steps to the end, or to the first change of a sign; returns true if a sign changes. */
  private boolean step(int[] face, double... direction) {
    double length = 1.0;
    int turning = -1;
    for (int i = 0; i < face.length; i++) {
      double value = b[face[i]];
      boolean turns = threshold[face[i]] > 0.0 && value * (value + length * direction[i]) <= 0.0;
      if (turns) {
        length = -value / direction[i];
        turning = i;
      }
    }
    for (int i = 0; i < face.length; i++) {
      b[face[i]] = i == turning ? 0.0 : b[face[i]] + length * direction[i];
    }
    for (int j = 0; j < size; j++) {
      slope[j] = cross[j] - product(j);
    }
    return turning >= 0;
  }

  private double product(int j) {
    double sum = 0.0;
    for (int k = 0; k < size; k++) {
      sum += system[j * size + k] * b[k];
    }
    return sum;
  }

  /** Checks the conditions of Karush, Kuhn and Tucker. */
  private boolean optimal() {
    for (int j = 0; j < size; j++) {
      double violation =
          b[j] == 0.0
              ? Math.abs(slope[j]) - threshold[j]
              : Math.abs(slope[j] - Math.signum(b[j]) * threshold[j]);
      if (!(violation <= rounding(j))) {
        return false;
      }
    }
    return true;
  }

  private double rounding(int j) {
    double terms = Math.abs(cross[j]);
    for (int k = 0; k < size; k++) {
      terms += Math.abs(system[j * size + k] * b[k]);
    }
    return ROUNDING * terms;
  }

  // With rows [X; sqrt(lambda alpha P)], responses [y; 0] and residuals r, and t_j = 2 threshold_j,
  //   |r|^2 + sum t_j |b_j| >= D(c) = 2 c r'y - c^2 |r|^2 for all c with |2 c x_j'r| <= t_j;
  // x_j'r is the slope g_j, r'y = |y|^2 - b's, |r|^2 = r'y - b'g. The left side less D(1) is
  // sum t_j |b_j| - 2 g_j b_j, and D(1) - D(c) = (1 - c) (2 r'y - (1 + c) |r|^2).
  private double relativeGap(double square) {
    double c = 1.0;
    double image = square;
    double residual = square;
    double l1 = 0.0;
    double gap = 0.0;
    for (int j = 0; j < size; j++) {
      double part = 2.0 * threshold[j] * Math.abs(b[j]);
      if (threshold[j] > 0.0) { // other slopes are 0 up to rounding
        c = Math.min(c, threshold[j] / Math.abs(slope[j]));
        gap += part - 2.0 * slope[j] * b[j];
      }
      image -= b[j] * cross[j];
      residual -= b[j] * (cross[j] + slope[j]);
      l1 += part;
    }
    gap += (1.0 - c) * (2.0 * image - (1.0 + c) * residual);
    double primal = Math.max(0.0, residual) + l1;
    return Math.max(0.0, gap) / Math.max(primal, Math.max(FLOOR * square, Double.MIN_NORMAL));
  }
}
