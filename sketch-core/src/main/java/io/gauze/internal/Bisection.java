package io.gauze.internal;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;

/**
 * An interval in which a condition begins to hold, and its halving. The caller takes the end that
 * is on the safe side.
 *
 * @param fails an end at which the condition does not hold
 * @param holds the other end, below or above, at which it holds
 */
public record Bisection(double fails, double holds) {
  /** So many steps leave no double between the ends of any interval. */
  public static final int MOST = 2100;

  /** Returns the distance between the ends. */
  public double width() {
    return Math.abs(holds - fails);
  }

  /** Returns an interval that is halved so often, or until no double is between its ends. */
  public Bisection narrow(int steps, DoublePredicate condition) {
    return narrow(steps, ends -> true, condition);
  }

  /** Returns an interval that is halved as long as it is wide, and at most so often. */
  public Bisection narrow(int steps, Predicate<Bisection> isWide, DoublePredicate condition) {
    return narrow(steps, isWide, (low, high) -> 0.5 * (low + high), condition);
  }

  /** Returns an interval of positive ends that is halved in the logarithm while it is wide. */
  public Bisection narrowLog(int steps, Predicate<Bisection> isWide, DoublePredicate condition) {
    return narrow(steps, isWide, (low, high) -> Math.sqrt(low * high), condition);
  }

  private Bisection narrow(
      int steps,
      Predicate<Bisection> isWide,
      DoubleBinaryOperator middle,
      DoublePredicate condition) {
    Bisection ends = this;
    for (int step = 0; step < steps && isWide.test(ends); step++) {
      double between = middle.applyAsDouble(ends.fails, ends.holds);
      if (between == ends.fails || between == ends.holds) {
        return ends;
      }
      ends =
          condition.test(between)
              ? new Bisection(ends.fails, between)
              : new Bisection(between, ends.holds);
    }
    return ends;
  }
}
