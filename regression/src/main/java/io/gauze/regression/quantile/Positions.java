package io.gauze.regression.quantile;

import io.gauze.linalg.PositiveSystem;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;

/**
 * Positions a of rows in the dual of a quantile fit: 0 for a row under the fit, its weight w for
 * one above, between for one that is interpolated. If {@code X'a = (1 - tau) X'w}, a fit with rows
 * on these sides is a minimum.
 */
final class Positions {
  /** The result of {@link #balance} if no position is out of range. */
  static final int NONE = -1;

  /**
   * Positions may leave [0, w] by this share of w, or by {@link #OUTSIDE_OF_ALL} of all weights,
   * due to rounding errors.
   */
  private static final double OUTSIDE = 1e-12;

  private static final double OUTSIDE_OF_ALL = 1e-14;

  /** The least room of an interpolated row, as a share of w. */
  private static final double ROOM = 1e-3;

  private final ScaledRows rows;
  private final double tau;
  private final double weights; // the sum of the weights
  private final double[] position;
  private final double[] trial;
  private double excess;

  /** Creates positions from n positions in [0, w], copied. */
  Positions(ScaledRows rows, double tau, double... positions) {
    this.rows = rows;
    this.tau = tau;
    this.weights = DoubleStream.of(rows.w).sum();
    this.position = positions.clone();
    this.trial = new double[positions.length];
  }

  double tau() {
    return tau;
  }

  double get(int i) {
    return position[i];
  }

  /** Returns the distance of the position of row i from 0 and w. */
  double room(int i) {
    return Math.min(position[i], rows.w[i] - position[i]);
  }

  /** Returns by how much the worst position of the last {@link #balance} is above w, or below 0. */
  double excess() {
    return excess;
  }

  /**
   * Computes the positions of the basis from the sides of all other rows, and keeps them if they
   * prove the minimum. O(n p + p^3) time.
   *
   * @return the index in the basis of the row that is farthest out of range, or {@link #NONE}
   */
  int balance(Basis basis, double... residuals) {
    for (int i = 0; i < trial.length; i++) {
      trial[i] = (1.0 - tau) * rows.w[i] - (basis.contains(i) ? 0.0 : side(i, residuals));
    }
    double[] inside = basis.balance(rows.cross(trial));
    int worst = NONE;
    excess = 0.0;
    for (int k = 0; k < inside.length; k++) {
      double w = rows.w[basis.row(k)];
      double out = inside[k] < 0.0 ? inside[k] : Math.max(0.0, inside[k] - w);
      if (!(Math.abs(out) <= Math.max(tolerance(w), Math.abs(excess)))) { // also true for NaN
        worst = k;
        excess = out;
      }
    }
    if (worst == NONE) {
      for (int i = 0; i < trial.length; i++) {
        position[i] = side(i, residuals);
      }
      for (int k = 0; k < inside.length; k++) {
        position[basis.row(k)] = clamped(inside[k], rows.w[basis.row(k)]);
      }
    }
    return worst;
  }

  /**
   * Computes positions of all rows of residual 0 from the sides of the others: the least change of
   * their present positions, weighted by their room. Keeps them if they prove the minimum. O(n p^2)
   * time.
   *
   * @param zero tests whether a row has a residual of 0
   * @return true if they prove the minimum
   */
  boolean spread(Basis basis, double[] residuals, IntPredicate zero) {
    // least sum (da_i / room_i)^2 with X'da = e:  da_i = room_i^2 x_i'h,  (X' room^2 X) h = e
    double[] freedom = new double[trial.length];
    for (int i = 0; i < trial.length; i++) {
      boolean inBasis = basis.contains(i);
      double room = Math.max(room(i), inBasis ? ROOM * rows.w[i] : 0.0);
      boolean open = inBasis || zero.test(i);
      freedom[i] = open ? room * room : 0.0;
      trial[i] = open ? position[i] : side(i, residuals);
    }
    Optional<PositiveSystem> system = PositiveSystem.of(rows.columns, rows.gram(freedom));
    return system.isPresent() && change(freedom, system.get().solve(rows.missing(tau, trial)));
  }

  private boolean change(double[] freedom, double... h) {
    for (int i = 0; i < trial.length; i++) {
      if (freedom[i] > 0.0) {
        trial[i] += freedom[i] * rows.product(i, h);
        double margin = tolerance(rows.w[i]);
        if (!(trial[i] >= -margin && trial[i] <= rows.w[i] + margin)) { // also true for NaN
          return false;
        }
      }
    }
    for (int i = 0; i < trial.length; i++) {
      position[i] = clamped(trial[i], rows.w[i]);
    }
    return true;
  }

  private double side(int i, double... residuals) {
    return residuals[i] >= 0.0 ? rows.w[i] : 0.0;
  }

  private static double clamped(double value, double upper) {
    return Math.min(Math.max(value, 0.0), upper);
  }

  private double tolerance(double w) {
    return Math.max(OUTSIDE * w, OUTSIDE_OF_ALL * weights);
  }
}
