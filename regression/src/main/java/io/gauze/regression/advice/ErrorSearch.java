package io.gauze.regression.advice;

import io.gauze.internal.Bisection;
import io.gauze.internal.Checks;
import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.Loss;
import io.gauze.row.Grid;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;

/**
 * Finds the epsilon, or the number of rows, for which a mechanism's fit has a wanted predicted
 * excess. Needs public numbers only and costs no privacy.
 *
 * <p>The excess falls with both. Values are found within 5 %; where the row bound is planned anew,
 * its steps make the excess jump by some tens of percent.
 */
public final class ErrorSearch {
  /** The least epsilon that is looked at. */
  public static final double LEAST_EPSILON = 1e-3;

  /** The largest epsilon that is looked at: beyond it nobody is protected. */
  public static final double MOST_EPSILON = 32.0;

  private static final double TOLERANCE = 1.05;
  private static final double FIRST_STEP = 4.0;

  private final Planner planner;
  private final Loss loss;
  private final double explained;
  private final double wanted;

  /** Returns a stream's request for a budget and a number of rows. */
  @FunctionalInterface
  public interface Planner {
    /** Returns the request. */
    StreamRequest plan(double epsilon, long rows);
  }

  /**
   * Creates a search.
   *
   * @param loss the loss to fit
   * @param explained see {@link Advisor#of(StreamRequest, Loss, double)}
   * @param wanted the predicted excess, above 0
   * @throws IllegalArgumentException if an argument is out of range
   */
  public ErrorSearch(Planner planner, Loss loss, double explained, double wanted) {
    this.planner = planner;
    this.loss = loss;
    this.explained = Checks.inOpenUnit("explained", explained);
    this.wanted = Checks.positiveFinite("error", wanted);
  }

  /** Returns the least epsilon in [0.001, 32] for these rows; empty if none suffices. */
  public OptionalDouble epsilon(String mechanism, double start, long rows) {
    return least(start, LEAST_EPSILON, MOST_EPSILON, epsilon -> suffices(mechanism, epsilon, rows));
  }

  /**
   * Returns the least number of rows in [1, 2^33 - 2^20] for this epsilon; empty if none suffices.
   */
  public OptionalDouble rows(String mechanism, double epsilon, long start) {
    return least(
        (double) start,
        1.0,
        (double) Grid.MAX_ROWS,
        rows -> suffices(mechanism, epsilon, (long) Math.ceil(rows)));
  }

  private boolean suffices(String mechanism, double epsilon, long rows) {
    return Advisor.of(planner.plan(epsilon, rows), mechanism, loss, explained).stream()
        .flatMapToDouble(advice -> advice.predictedExcess().stream())
        .anyMatch(excess -> excess <= wanted);
  }

  // Growing steps from the start until the predicate changes, then bisection in the logarithm.
  private static OptionalDouble least(
      double start, double lowest, double highest, DoublePredicate suffices) {
    double few = Math.max(lowest, Math.min(highest, start));
    double enough = few;
    boolean down = suffices.test(few);
    for (double step = FIRST_STEP; suffices.test(down ? few : enough) == down; step *= step) {
      if (down) {
        enough = few;
        few = Math.max(lowest, few / step);
      } else {
        few = enough;
        enough = Math.min(highest, enough * step);
      }
      if (few == enough) { // at an end of the range
        return down ? OptionalDouble.of(lowest) : OptionalDouble.empty();
      }
    }
    return OptionalDouble.of(
        new Bisection(few, enough)
            .narrowLog(Bisection.MOST, ends -> ends.holds() > TOLERANCE * ends.fails(), suffices)
            .holds());
  }
}
