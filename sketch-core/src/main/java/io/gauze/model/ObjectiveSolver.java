package io.gauze.model;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.PositiveSystem;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/**
 * Minimises a {@link PerturbedObjective} by Newton's method with an exact line search, until the
 * exact gradient is small enough. It does not end before: an unfinished fit would say something
 * about the rows that nothing pays for.
 *
 * <p>A full step is taken if it halves the smallest gradient so far, which can happen only so many
 * times. Otherwise the length is searched for at which the slope along the step is still below 0
 * and at most half of what it was: the objective then falls by a share that depends on the ridge
 * alone (the slope is monotone, since the objective is convex).
 */
final class ObjectiveSolver {
  private static final double FLATTER = 0.5;
  private static final double NARROW = 0x1p-40;

  private final PerturbedObjective objective;
  private final double tolerance;
  private FixedVector theta;
  private PerturbedObjective.Derivatives here; // at theta
  private double smallest;
  private int passes;

  private ObjectiveSolver(PerturbedObjective objective, FixedVector start, double tolerance) {
    this.objective = objective;
    this.tolerance = tolerance;
    this.theta = start;
    this.here = objective.derivatives(start);
    this.passes = 1;
    this.smallest = here.gradient().norm();
  }

  /**
   * Returns a point at which the exact norm of the gradient is at most {@code tolerance}.
   *
   * @param start any point; a good one saves time
   * @throws CancellationException if the thread is interrupted
   */
  static ObjectiveSolver solve(PerturbedObjective objective, FixedVector start, double tolerance) {
    ObjectiveSolver solver = new ObjectiveSolver(objective, start, tolerance);
    while (!solver.here.gradient().isWithin(tolerance)) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("the thread was interrupted");
      }
      solver.step();
    }
    return solver;
  }

  FixedVector theta() {
    return theta;
  }

  /** How often the rows were read for a gradient. */
  int passes() {
    return passes;
  }

  private void step() {
    PerturbedObjective.Gradient gradient = here.gradient();
    double[] hessian = here.hessian().get();
    int p = theta.size();
    Optional<PositiveSystem> system = PositiveSystem.of(p, hessian);
    double[] step =
        system.isPresent() ? system.get().solve(gradient.negative()) : downhill(hessian, p);
    double slope = gradient.dot(step);
    if (!(slope < 0.0)) { // rounding, with a very small ridge
      step = downhill(hessian, p);
      slope = gradient.dot(step);
    }
    double length = Math.min(1.0, 0.5 * PerturbedObjective.LARGEST_NORM / DoubleVector.norm(step));
    Trial full = trial(length, objective::derivatives, step);
    if (full.isInside() && full.gradient().norm() <= FLATTER * smallest) {
      move(full);
    } else {
      search(step, slope, full);
    }
  }

  /** A point along a step; its slope counts as above 0 if it is too far to be evaluated. */
  private record Trial(
      double length, FixedVector at, PerturbedObjective.Derivatives there, double slope) {
    PerturbedObjective.Gradient gradient() {
      return there.gradient();
    }

    boolean isInside() {
      return slope < Double.POSITIVE_INFINITY;
    }
  }

  private Trial trial(
      double length,
      Function<FixedVector, PerturbedObjective.Derivatives> derivatives,
      double... step) {
    FixedVector at = theta.plus(length, step);
    if (!(at.norm() <= PerturbedObjective.LARGEST_NORM)) {
      return new Trial(length, at, here, Double.POSITIVE_INFINITY);
    }
    passes++;
    PerturbedObjective.Derivatives there = derivatives.apply(at);
    return new Trial(length, at, there, there.gradient().dot(step));
  }

  /** A step against the gradient, so short that it lowers the objective where it is smooth. */
  private double[] downhill(double[] hessian, int p) {
    double trace = 0.0;
    for (int j = 0; j < p; j++) {
      trace += hessian[j * p + j];
    }
    double[] step = here.gradient().negative();
    for (int j = 0; j < p; j++) {
      step[j] /= trace;
    }
    return step;
  }

  private void move(Trial trial) {
    theta = trial.at;
    here = trial.there;
    smallest = Math.min(smallest, here.gradient().norm());
  }

  /**
   * Searches for a length whose slope is in [FLATTER slope, 0]; the slope rises with the length.
   */
  private void search(double[] step, double slope, Trial first) {
    Trial low = new Trial(0.0, theta, here, slope); // its slope is too steep
    Trial high = new Trial(Double.POSITIVE_INFINITY, theta, here, 0.0); // its slope is above 0
    Trial trial = first;
    while (high.length - low.length > NARROW * high.length
        || high.length == Double.POSITIVE_INFINITY) {
      boolean flat = trial.slope <= 0.0 && trial.slope >= FLATTER * slope;
      if (flat || (trial.isInside() && trial.gradient().isWithin(tolerance))) {
        move(trial);
        return;
      }
      if (trial.slope > 0.0) {
        high = trial;
      } else {
        low = trial;
      }
      trial = trial(between(low, high), objective::gradientFirst, step);
    }
    move(high.isInside() ? high : low); // what is left is the rounding of theta
  }

  /** A length where the slope may be a quarter of the lower one, never near the ends. */
  private static double between(Trial low, Trial high) {
    if (high.length == Double.POSITIVE_INFINITY) {
      return 2.0 * low.length;
    }
    double share = high.isInside() ? low.slope / (low.slope - high.slope) : 0.5;
    return low.length + (high.length - low.length) * Math.max(0.1, Math.min(0.9, 0.75 * share));
  }
}
