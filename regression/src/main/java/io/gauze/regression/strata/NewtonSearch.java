package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.PositiveSystem;
import java.util.Optional;

/**
 * Newton's method with a line search on a {@link StrataObjective}. Each step lowers the value; the
 * Newton decrement ends the search.
 */
final class NewtonSearch {
  /** The largest gap of a search that counts as solved. */
  private static final double SOLVED = 1e-8;

  private static final int MOST = 100;
  private static final double DECREASE = 1e-4;
  private static final double SHORTEST = 1e-10;
  private static final double JITTER = 1e-13;

  private NewtonSearch() {}

  /**
   * The end of the search.
   *
   * @param b the coefficients
   * @param around the objective there
   * @param iterations steps taken
   * @param gap the squared Newton decrement over the value: twice the distance to its minimum of a
   *     quadratic function of this gradient and Hessian
   */
  record Minimum(DoubleVector b, StrataObjective.Around around, int iterations, double gap) {
    /**
     * Checks whether the search reached the minimum; it may stall where the loss has no curvature.
     */
    boolean isSolved() {
      return gap <= SOLVED;
    }
  }

  /**
   * Minimises the objective.
   *
   * @param tolerance the gap at which to stop
   * @param start any point
   */
  static Minimum minimise(
      StrataObjective objective, double lambda, double tolerance, double... start) {
    double[] b = start.clone();
    StrataObjective.Around around = objective.around(lambda, b);
    for (int iteration = 0; ; iteration++) {
      Optional<PositiveSystem> system = factored(around);
      if (system.isEmpty()) {
        return new Minimum(DoubleVector.of(b), around, iteration, Double.MAX_VALUE);
      }
      double[] step = step(system.get(), around);
      double decrement = decrement(around, step);
      double gap = decrement / Math.max(Math.abs(around.value()), Double.MIN_NORMAL);
      StrataObjective.Around next = null;
      double length = gap > tolerance && iteration < MOST ? 1.0 : 0.0;
      for (; length > SHORTEST; length *= 0.5) {
        next = objective.around(lambda, moved(b, length, step));
        if (next.value() <= around.value() - DECREASE * length * decrement) {
          break;
        }
      }
      if (next == null || !(length > SHORTEST)) {
        return new Minimum(DoubleVector.of(b), around, iteration, finite(gap));
      }
      b = moved(b, length, step);
      around = next;
    }
  }

  /**
   * Returns the gap, or the largest double for NaN, which occurs far from the minimum where the
   * Hessian is 0.
   */
  private static double finite(double gap) {
    return gap < Double.MAX_VALUE ? Math.max(0.0, gap) : Double.MAX_VALUE;
  }

  private static double[] moved(double[] from, double length, double... step) {
    double[] to = from.clone();
    for (int k = 0; k < to.length; k++) {
      to[k] += length * step[k];
    }
    return to;
  }

  private static double decrement(StrataObjective.Around around, double... step) {
    double sum = 0.0;
    for (int k = 0; k < step.length; k++) {
      sum -= around.gradient().get(k) * step[k];
    }
    return sum;
  }

  private static double[] step(PositiveSystem system, StrataObjective.Around around) {
    double[] right = around.gradient().toArray();
    for (int k = 0; k < right.length; k++) {
      right[k] = -right[k];
    }
    return system.solve(right);
  }

  /**
   * Returns the factored Hessian, with a small number on the diagonal if columns are linearly
   * dependent; empty if sums are so large that rounding leaves no positive one.
   */
  private static Optional<PositiveSystem> factored(StrataObjective.Around around) {
    int p = around.gradient().size();
    double[] hessian = around.hessian().toArray();
    double largest = 0.0;
    for (int k = 0; k < p; k++) {
      largest = Math.max(largest, hessian[k * p + k]);
    }
    double jitter = JITTER;
    while (jitter < Double.POSITIVE_INFINITY) {
      double[] system = hessian.clone();
      for (int k = 0; k < p; k++) {
        system[k * p + k] += jitter * Math.max(largest, Double.MIN_NORMAL);
      }
      Optional<PositiveSystem> result = PositiveSystem.of(p, system);
      if (result.isPresent()) {
        return result;
      }
      jitter *= 100.0;
    }
    return Optional.empty();
  }
}
