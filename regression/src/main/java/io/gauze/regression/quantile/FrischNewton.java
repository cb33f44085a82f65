package io.gauze.regression.quantile;

import io.gauze.linalg.PositiveSystem;
import java.util.Arrays;
import java.util.Optional;

/**
 * Interior point iterations on the linear program of a quantile fit.
 *
 * <p>Implements the primal-dual method with Mehrotra's predictor and corrector of S. Portnoy and R.
 * Koenker, <a href="https://doi.org/10.1214/ss/1030037960">The Gaussian hare and the Laplacian
 * tortoise</a>, Statistical Science 12 (1997), for
 *
 * <pre>max y'a  such that  X'a = (1 - tau) X'w,  0 &lt;= a &lt;= w</pre>
 *
 * <p>whose multipliers of the equality are the coefficients b. Differs from the paper: weights are
 * the upper bounds of a, not factors of the rows; every step corrects the rounding error of the
 * equality; y is replaced by its residuals from a least-squares fit, whose positive and negative
 * parts, each with a tenth of a typical residual added, are the first multipliers; there is no
 * preprocessing by a subsample.
 *
 * <p>An iteration is O(n p^2) time; the state is 10 n doubles.
 */
final class FrischNewton {
  /**
   * The relative gap at which the iterations stop. It suffices to identify the interpolated rows.
   */
  private static final double ENOUGH = 1e-11;

  /** The share of the way to the nearest bound that a step goes. */
  private static final double DAMPING = 0.99995;

  private final ScaledRows rows;
  private final double tau;
  private final double[] a; // in (0, w)
  private final double[] s; // w - a
  private final double[] z; // multipliers of a >= 0: the negative part of the residuals
  private final double[] v; // multipliers of a <= w: the positive part
  private final double[] q;
  private final double[] g;
  private final double[] da;
  private final double[] dz;
  private final double[] dv;
  private final double[] image; // X db
  private final double[] b;
  private int iterations;

  /**
   * Creates the starting point.
   *
   * @param residuals n, from any coefficients; copied
   * @param scale a typical residual, above 0
   */
  FrischNewton(ScaledRows rows, double tau, double[] residuals, double scale) {
    int n = rows.rows;
    this.rows = rows;
    this.tau = tau;
    a = new double[n];
    s = new double[n];
    z = new double[n];
    v = new double[n];
    q = new double[n];
    g = new double[n];
    da = new double[n];
    dz = new double[n];
    dv = new double[n];
    image = new double[n];
    b = new double[rows.columns];
    double margin = 0.1 * scale;
    for (int i = 0; i < n; i++) {
      a[i] = (1.0 - tau) * rows.w[i];
      s[i] = tau * rows.w[i];
      z[i] = Math.max(-residuals[i], 0.0) + margin;
      v[i] = Math.max(residuals[i], 0.0) + margin;
    }
  }

  /**
   * Iterates until the gap is small, no progress is possible in doubles, or the limit is reached.
   */
  void run(int limit, double rounding) {
    double gap = gap(0.0, 0.0);
    while (iterations < limit && gap > Math.max(ENOUGH * loss(), rounding)) {
      if (!step(gap)) {
        return;
      }
      iterations++;
      gap = gap(0.0, 0.0);
    }
  }

  int iterations() {
    return iterations;
  }

  /** Returns the change of the coefficients from which the residuals were computed, p entries. */
  double[] coefficients() {
    return b.clone();
  }

  /**
   * Returns a, n entries: 0 for rows under the fit, w for rows above it, between for interpolated
   * rows.
   */
  double[] positions() {
    double[] positions = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      positions[i] = Math.min(a[i], rows.w[i]); // a weight can be below the least value of a
    }
    return positions;
  }

  /**
   * Returns the weight of each row in the next normal equations, which is large for interpolated
   * rows.
   */
  double[] precisions() {
    double[] precisions = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      precisions[i] = 1.0 / (z[i] / a[i] + v[i] / s[i]);
    }
    return precisions;
  }

  private double loss() {
    double sum = 0.0;
    for (int i = 0; i < a.length; i++) {
      double residual = v[i] - z[i];
      sum += rows.w[i] * residual * (residual < 0.0 ? tau - 1.0 : tau);
    }
    return sum;
  }

  private boolean step(double gap) {
    double[] missing = rows.missing(tau, a);
    for (int i = 0; i < a.length; i++) {
      q[i] = 1.0 / (z[i] / a[i] + v[i] / s[i]);
      g[i] = v[i] - z[i];
    }
    Optional<PositiveSystem> system = PositiveSystem.of(rows.columns, rows.gram(q));
    if (system.isEmpty()) {
      return false;
    }
    double[] db = solve(system.get(), missing);
    predict();
    double primal = primalStep();
    double dual = dualStep();
    if (Math.min(primal, dual) < 1.0) {
      double ratio = gap(primal, dual) / gap;
      double target = gap * ratio * ratio * ratio / (2.0 * a.length);
      correctRight(target);
      db = solve(system.get(), missing);
      correct(target);
      primal = primalStep();
      dual = dualStep();
    }
    return move(primal, dual, db);
  }

  // Newton for a z = m, s v = m, v - z = y - X b, X'(a + da) = (1 - tau) X'w, with ds = -da and
  // the predictor's products c_z = da dz, c_v = -da dv (both 0 in the predictor, where m = 0 too):
  //   dz = (m - c_z) / a - z - z da / a,   dv = (m - c_v) / s - v + v da / s
  //   dv - dz = -X db  gives  da = q (g - X db),   q = 1 / (z / a + v / s),
  //   g = (v - z) - (m - c_v) / s + (m - c_z) / a,   (X'qX) db = X'(q g) - missing.
  private double[] solve(PositiveSystem system, double... missing) {
    for (int i = 0; i < a.length; i++) {
      image[i] = q[i] * g[i];
    }
    double[] right = rows.cross(image);
    for (int j = 0; j < right.length; j++) {
      right[j] -= missing[j];
    }
    double[] db = system.solve(right);
    rows.products(db, image);
    return db;
  }

  private void predict() {
    for (int i = 0; i < a.length; i++) {
      double step = q[i] * (g[i] - image[i]);
      da[i] = step;
      dz[i] = -z[i] - z[i] * step / a[i];
      dv[i] = -v[i] + v[i] * step / s[i];
    }
  }

  private void correctRight(double m) {
    for (int i = 0; i < a.length; i++) {
      g[i] = v[i] - z[i] - (m + da[i] * dv[i]) / s[i] + (m - da[i] * dz[i]) / a[i];
    }
  }

  private void correct(double m) {
    for (int i = 0; i < a.length; i++) {
      double step = q[i] * (g[i] - image[i]);
      dz[i] = (m - da[i] * dz[i] - z[i] * step) / a[i] - z[i];
      dv[i] = (m + da[i] * dv[i] + v[i] * step) / s[i] - v[i];
      da[i] = step;
    }
  }

  private double primalStep() {
    double shrink = DAMPING;
    for (int i = 0; i < a.length; i++) {
      shrink = Math.max(shrink, Math.max(-da[i] / a[i], da[i] / s[i]));
    }
    return DAMPING / shrink;
  }

  private double dualStep() {
    double shrink = DAMPING;
    for (int i = 0; i < a.length; i++) {
      shrink = Math.max(shrink, Math.max(-dz[i] / z[i], -dv[i] / v[i]));
    }
    return DAMPING / shrink;
  }

  /** Returns z'a + v's after steps of these lengths. */
  private double gap(double primal, double dual) {
    double sum = 0.0;
    for (int i = 0; i < a.length; i++) {
      sum +=
          (z[i] + dual * dz[i]) * (a[i] + primal * da[i])
              + (v[i] + dual * dv[i]) * (s[i] - primal * da[i]);
    }
    return sum;
  }

  /**
   * Moves along the direction. Returns false, and moves nothing, if the direction is not valid in
   * doubles.
   */
  private boolean move(double primal, double dual, double... db) {
    boolean sound = primal > 1e-10 && dual > 1e-10 && Arrays.stream(db).allMatch(Double::isFinite);
    if (!sound) {
      return false;
    }
    for (int i = 0; i < a.length; i++) {
      a[i] = positive(a[i] + primal * da[i]);
      s[i] = positive(s[i] - primal * da[i]);
      z[i] = positive(z[i] + dual * dz[i]);
      v[i] = positive(v[i] + dual * dv[i]);
    }
    for (int j = 0; j < b.length; j++) {
      b[j] += dual * db[j];
    }
    return true;
  }

  private static double positive(double value) {
    return Math.max(value, 1e-100); // bounds are open, also after rounding
  }
}
