package io.gauze.audit;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import java.util.Locale;
import java.util.Objects;

/**
 * The claim of a mechanism: {@code P(outcome) <= exp(epsilon) P'(outcome) + delta} for neighbours.
 *
 * @param epsilon in (0, 100]
 * @param delta in [0, 0.1]; 0 is pure differential privacy
 * @param neighbours the relation between the two data sets
 */
public record Claim(double epsilon, double delta, Neighbours neighbours) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if epsilon or delta is outside its range
   */
  public Claim {
    if (!(epsilon > 0.0 && epsilon <= 100.0)) { // also refuses NaN
      throw new IllegalArgumentException("epsilon must be in (0, 100]. Provided value: " + epsilon);
    }
    Checks.within("delta", delta, 0.0, 0.1);
    Objects.requireNonNull(neighbours, "neighbours");
  }

  /** Returns a text such as "(0.5, 0.05) replace-one". */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "(%s, %s) %s", epsilon, delta, neighbours.label());
  }

  /** Returns the budget for which a mechanism is calibrated; not for a delta of 0. */
  public Budget budget() {
    return new Budget(epsilon, delta, neighbours);
  }
}
