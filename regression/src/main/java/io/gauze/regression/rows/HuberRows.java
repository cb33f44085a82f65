package io.gauze.regression.rows;

import io.gauze.message.FitMessage;
import io.gauze.regression.Convergence;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;

/**
 * Fits Huber's loss on raw rows, with any penalty.
 *
 * <p>Newton's method on the piecewise quadratic objective, as in K. Madsen and H. B. Nielsen, <a
 * href="https://doi.org/10.1137/0803010">A finite smoothing algorithm for linear l1 estimation</a>,
 * SIAM J. Optim. 3 (1993): a step that does not leave the piece ends at the minimum, which is then
 * proved. A step that does not lower the objective enough is replaced by one of P. J. Huber's
 * reweighted least squares, which always lowers it; the gap is then the decrease that the last
 * quadratic predicts. Differs from the paper: the threshold descends to the requested one from the
 * size of the residuals of least squares; penalties are part of the quadratic. Standard errors are
 * Huber's sandwich.
 *
 * <p>An iteration takes O(n p^2) time.
 */
final class HuberRows {
  private static final int ITERATIONS = 200;

  /** The factor from one threshold to the next. */
  private static final double DESCENT = 0.25;

  /** Predicted decreases below this share of the objective are rounding errors. */
  private static final double ENOUGH = 1e-13;

  /** The least decrease of a sufficient step, as a share of the predicted decrease. */
  private static final double SUFFICIENT = 0.1;

  /** The shortest step, as a share of Newton's step. */
  private static final double SHORTEST = 1e-3;

  private final RowsFit fit;
  private final double threshold;
  private final WeightedRows rows;
  private double[] b;
  private int iterations;
  // the largest relative decrease of the objective that the last quadratic predicts
  private double gap;

  HuberRows(RowsFit fit, double threshold) {
    this.fit = fit;
    this.threshold = threshold;
    this.rows = fit.input.select(fit.problem);
  }

  FitOutcome fit() {
    ElasticNet.Solution start = minimum(weighted(new double[fit.features], Double.MAX_VALUE));
    if (start.solution().missed() > 0) {
      return RowsFit.refused(
          "the rows leave %d of %d directions open: these features depend on each other linearly:"
              + " %s; drop some, or give a penalty",
          start.solution().missed(),
          fit.features,
          fit.problem.named(weighted(new double[fit.features], Double.MAX_VALUE).open()));
    }
    b = start.solution().b().getData();
    double typical = Math.sqrt(2.0 * loss(b, Double.MAX_VALUE) / rows.rows());
    boolean solved = false;
    for (double k = Math.max(typical, threshold); !solved; k *= DESCENT) {
      run(Math.max(k, threshold));
      solved = k <= threshold;
    }
    return fitted();
  }

  private void run(double k) {
    gap = 1.0; // nothing is proved for this threshold yet
    boolean moving = true;
    while (moving && iterations < ITERATIONS) {
      iterations++;
      moving = step(k);
    }
  }

  /** Lowers the objective; returns false if the iteration is finished. */
  private boolean step(double k) {
    NormalEquations quadratic = newton(k);
    ElasticNet.Solution newton = minimum(quadratic);
    double before = objective(b, k);
    if (newton.solution().missed() > 0 || !newton.solved()) {
      return reweighted(before, k);
    }
    double[] next = newton.solution().b().getData();
    double predicted = model(quadratic, b) - model(quadratic, next);
    gap = share(predicted, before);
    if (samePiece(next, k)) {
      b = next;
      gap = 0.0;
      return false;
    }
    if (gap <= ENOUGH) {
      return false;
    }
    for (double length = 1.0; length > SHORTEST; length *= 0.25) {
      double[] shorter = towards(next, length);
      if (objective(shorter, k) <= before - SUFFICIENT * length * predicted) {
        b = shorter;
        return true;
      }
    }
    return reweighted(before, k);
  }

  private double[] towards(double[] next, double length) {
    double[] between = b.clone();
    for (int j = 0; j < between.length; j++) {
      between[j] = length == 1.0 ? next[j] : between[j] + length * (next[j] - between[j]);
    }
    return between;
  }

  private boolean reweighted(double before, double k) {
    NormalEquations majorant = weighted(b, k);
    double[] next = minimum(majorant).solution().b().getData();
    gap = share(model(majorant, b) - model(majorant, next), before);
    boolean lower = objective(next, k) < before;
    b = lower ? next : b;
    return lower && gap > ENOUGH;
  }

  private static double share(double decrease, double objective) {
    return Math.max(0.0, decrease) / Math.max(objective, Double.MIN_NORMAL);
  }

  /** Returns the minimum. Twice the objective is a quadratic with twice the penalty. */
  private ElasticNet.Solution minimum(NormalEquations equations) {
    return ElasticNet.solve(
        equations,
        2.0 * fit.lambda,
        fit.problem.penalty().alpha(),
        0.0,
        fit.problem.l1Weights(fit.input.intercept()));
  }

  private double model(NormalEquations quadratic, double... at) {
    double square = quadratic.explained(DMatrixRMaj.wrap(at.length, 1, at));
    return 0.5 * square + fit.problem.penaltyOf(fit.lambda, fit.input.intercept(), at);
  }

  private double objective(double[] at, double k) {
    return loss(at, k) + fit.problem.penaltyOf(fit.lambda, fit.input.intercept(), at);
  }

  private double loss(double[] at, double k) {
    Loss.Huber huber = new Loss.Huber(k);
    return Arrays.stream(rows.residuals(at)).map(huber::of).sum();
  }

  private boolean samePiece(double[] next, double k) {
    double[] before = rows.residuals(b);
    double[] after = rows.residuals(next);
    for (int i = 0; i < before.length; i++) {
      if (side(before[i], k) != side(after[i], k)) {
        return false;
      }
    }
    return true;
  }

  private static int side(double residual, double k) {
    return residual > k ? 1 : residual < -k ? -1 : 0;
  }

  // Twice the loss, from the present pieces: sum_in (y - x'b)^2 + sum_out 2 k sign (y - x'b) + ...
  private NormalEquations newton(double k) {
    double[] residuals = rows.residuals(b);
    double[] inside = Arrays.stream(residuals).map(u -> side(u, k) == 0 ? 1.0 : 0.0).toArray();
    DMatrixRMaj joint = rows.joint(inside);
    int p = fit.features;
    for (int i = 0; i < residuals.length; i++) {
      int side = side(residuals[i], k);
      for (int j = 0; side != 0 && j < p; j++) {
        joint.add(j, p, side * k * rows.feature(i, j));
      }
    }
    return new NormalEquations(joint, penalty());
  }

  private NormalEquations weighted(double[] at, double k) {
    double[] weights =
        Arrays.stream(rows.residuals(at))
            .map(u -> Math.abs(u) <= k ? 1.0 : k / Math.abs(u))
            .toArray();
    return new NormalEquations(rows.joint(weights), penalty());
  }

  private double[] penalty() {
    return fit.problem.ridgeWeights(fit.input.intercept());
  }

  // A^-1 X'diag(psi^2) X A^-1 n / (n - p), A the second derivative
  private FitOutcome fitted() {
    int[] active = fit.active(b);
    fit.warnAboutStandardErrors(b);
    if (gap > QuantileRegression.TOLERANCE) {
      fit.warnings.add(FitMessage.GAP.of(iterations, gap));
    }
    double ridge = 2.0 * fit.lambda * fit.problem.penalty().alpha();
    DMatrixRMaj system = newton(threshold).system(ridge, 0.0);
    NormalEquations.Solution solution =
        NormalEquations.restricted(system, new DMatrixRMaj(fit.features, 1), ridge, active);
    double[] scores =
        Arrays.stream(rows.residuals(b)).map(u -> Math.min(u * u, threshold * threshold)).toArray();
    double n = rows.rows();
    return fit.fitted(
        b,
        RowsFit.sandwich(
            solution.inverse(), rows.gram(scores), n / Math.max(1.0, n - active.length)),
        solution.condition(),
        new Convergence(iterations, gap));
  }
}
