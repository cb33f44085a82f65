package io.gauze.regression.quantile;

import io.gauze.internal.Checks;

/**
 * Weighted quantile regression, and its median: least absolute deviations.
 *
 * <p>The objective is {@code sum w_i rho_tau(y_i - x_i'b)} with {@code rho_tau(u) = u (tau - [u <
 * 0])}: sums, no means. The interior point method of S. Portnoy and R. Koenker, <a
 * href="https://doi.org/10.1214/ss/1030037960">The Gaussian hare and the Laplacian tortoise</a>,
 * Statistical Science 12 (1997), finds the neighbourhood of the minimum. Differs from the paper: a
 * search over vertices of the linear program ends the fit, so that p rows are interpolated and
 * linear programming duality proves the minimum; all rows are used from the start.
 *
 * <p>If more than one b is a minimum, the fit is a vertex of their set. Deterministic: the same
 * rows give the same fit. Multiplying columns, responses or weights by powers of two changes only
 * the units of the result.
 *
 * <p>Cost: 10 to 30 iterations of O(n p^2) time, then seldom more than a few exchanges of O(n p);
 * about (p + 25) n doubles beside the rows. Single-threaded.
 */
public final class QuantileRegression {
  /** The relative gap up to which a fit counts as solved. */
  public static final double TOLERANCE = 1e-9;

  private static final Limits USUAL = new Limits(100, 2_000);

  private QuantileRegression() {}

  /**
   * The limits at which a fit gives up.
   *
   * @param iterations of the interior point method, at least 0
   * @param pivots exchanges of the search over vertices, at least 0
   */
  record Limits(int iterations, int pivots) {}

  /**
   * Fits the quantile tau of y given x.
   *
   * @param rows the rows
   * @param tau in (0, 1)
   * @return {@code Refused} if there are fewer rows of positive weight than columns, or if the
   *     columns of those rows are linearly dependent: their cross products, scaled to a diagonal of
   *     ones, have an eigenvalue below {@code 1e-13 p} times the largest. {@code Stalled} if a
   *     limit (100 iterations, 2,000 exchanges) or rounding ends the search before the relative gap
   *     is at most {@link #TOLERANCE}.
   * @throws IllegalArgumentException if {@code tau} is out of range
   */
  public static QuantileOutcome solve(WeightedRows rows, double tau) {
    return solve(rows, tau, USUAL);
  }

  static QuantileOutcome solve(WeightedRows rows, double tau, Limits limits) {
    Checks.inOpenUnit("tau", tau);
    return new QuantileSolver(ScaledRows.of(rows), tau, limits).solve();
  }

  /**
   * Fits by least absolute deviations: the median, with {@code sum w_i |y_i - x_i'b|} as objective.
   *
   * @return as for {@link #solve(WeightedRows, double)}
   */
  public static QuantileOutcome lad(WeightedRows rows) {
    return twice(solve(rows, 0.5));
  }

  /** Doubles the objective of an outcome: {@code rho_1/2(u) = |u| / 2}. */
  private static QuantileOutcome twice(QuantileOutcome outcome) {
    if (outcome instanceof QuantileOutcome.Solved solved) {
      return fits(solved.fit())
          ? new QuantileOutcome.Solved(doubled(solved.fit()))
          : QuantileSolver.outOfRange();
    }
    if (outcome instanceof QuantileOutcome.Stalled stalled) {
      return fits(stalled.fit())
          ? new QuantileOutcome.Stalled(doubled(stalled.fit()), stalled.reason())
          : QuantileSolver.outOfRange();
    }
    return outcome;
  }

  private static boolean fits(QuantileFit half) {
    return 2.0 * half.objective() < Double.POSITIVE_INFINITY;
  }

  private static QuantileFit doubled(QuantileFit fit) {
    return new QuantileFit(
        fit.coefficients(),
        2.0 * fit.objective(),
        fit.relativeGap(),
        fit.iterations(),
        fit.pivots());
  }
}
