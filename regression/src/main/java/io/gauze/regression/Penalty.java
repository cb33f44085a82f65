package io.gauze.regression;

import io.gauze.internal.Checks;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A penalty on coefficients: {@code lambda (alpha ||b||_2^2 + (1 - alpha) ||b||_1)} in the encoded
 * scale, where columns are in [-1, 1] and the intercept's is 1. The terms are sums, without factors
 * of one half.
 *
 * @param lambda at least 0; empty: none on raw rows, chosen from the noise on releases
 * @param alpha in [0, 1]: 1 is ridge, 0 is LASSO, elastic net between
 * @param freeIntercept whether the penalty leaves the intercept out
 */
public record Penalty(OptionalDouble lambda, double alpha, boolean freeIntercept) {
  /** The largest lambda of a question: its products are finite, and it holds every slope at 0. */
  public static final double LARGEST = 1e100;

  /** The default penalty: none on raw rows, a ridge chosen from the noise on releases. */
  public static final Penalty AUTO = new Penalty(OptionalDouble.empty(), 1.0, false);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public Penalty {
    Objects.requireNonNull(lambda, "lambda");
    lambda.ifPresent(value -> Checks.nonNegativeFinite("lambda", value));
    Checks.within("alpha", alpha, 0.0, 1.0);
  }

  public static final String L1_OF_SQUARES =
      "an l1 penalty goes with the squared loss only; use a ridge: alpha 1";

  /**
   * Returns this penalty, or a ridge if it is left open: losses that are not squared have no other.
   */
  public Penalty ridgeIfOpen() {
    return lambda.isEmpty() ? new Penalty(lambda, 1.0, freeIntercept) : this;
  }

  /** Checks whether there is an l1 penalty. */
  public boolean hasL1() {
    return alpha < 1.0 && lambda.orElse(0.0) > 0.0;
  }
}
