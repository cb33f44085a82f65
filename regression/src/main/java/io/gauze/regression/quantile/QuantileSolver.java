package io.gauze.regression.quantile;

import io.gauze.linalg.PositiveSystem;
import io.gauze.linalg.Spectrum;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Solves one quantile fit: checks the rank, then runs least squares, the interior point method and
 * the vertex search, and computes the gap.
 */
final class QuantileSolver {
  /** Eigenvalues below this share of the largest, times p, are treated as rounding errors. */
  private static final double NEGLIGIBLE = 1e-13;

  /** The part of a column in an eigenvector below which it is treated as a rounding error. */
  private static final double UNINVOLVED = 1e-4;

  /** Sums of residuals below this share of the terms whose differences they are count as 0. */
  private static final double EXACT = 1e-14;

  /**
   * Gaps are relative to at least this share of the terms of residuals, if the objective is
   * smaller.
   */
  private static final double FLOOR = 1e-5;

  private final ScaledRows rows;
  private final double tau;
  private final QuantileRegression.Limits limits;

  QuantileSolver(ScaledRows rows, double tau, QuantileRegression.Limits limits) {
    this.rows = rows;
    this.tau = tau;
    this.limits = limits;
  }

  QuantileOutcome solve() {
    if (rows.rows < rows.columns) {
      return refused(
          "there %s of positive weight for %d coefficients; send more, or drop columns",
          rows.rows == 1 ? "is 1 row" : "are " + rows.rows + " rows", rows.columns);
    }
    double[] gram = rows.gram(ones());
    for (int j = 0; j < rows.columns; j++) {
      if (gram[j * rows.columns + j] == 0.0) {
        return refused("column %d is 0 in all rows of positive weight; drop it", j);
      }
    }
    Optional<String> dependence = dependence(gram);
    return dependence.isPresent()
        ? new QuantileOutcome.Refused(dependence.get())
        : minimise(PositiveSystem.of(rows.columns, gram).orElseThrow());
  }

  static QuantileOutcome outOfRange() {
    return refused("the fit exceeds the range of doubles; use other units");
  }

  private static QuantileOutcome refused(String format, Object... values) {
    return new QuantileOutcome.Refused(String.format(Locale.ROOT, format, values));
  }

  /** Describes which columns are linearly dependent; empty if none are. */
  private Optional<String> dependence(double... gram) {
    Spectrum spectrum = Spectrum.of(PositiveSystem.unitDiagonal(rows.columns, gram));
    double bound = NEGLIGIBLE * rows.columns * spectrum.largest();
    int open = spectrum.below(bound);
    if (open == 0) {
      return Optional.empty();
    }
    int[] directions =
        IntStream.range(0, rows.columns).filter(k -> spectrum.value(k) < bound).toArray();
    String involved =
        IntStream.range(0, rows.columns)
            .filter(
                j ->
                    IntStream.of(directions)
                        .anyMatch(k -> Math.abs(spectrum.vector(k).get(j)) > UNINVOLVED))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    return Optional.of(
        String.format(
            Locale.ROOT,
            "columns %s depend on each other linearly; drop %d of them",
            involved,
            open));
  }

  private QuantileOutcome minimise(PositiveSystem normal) {
    double[] start = leastSquares(normal);
    double[] residuals = rows.residuals(rows.y, start);
    double terms = terms(start);
    double rounding = EXACT * terms;
    double total = weighted(residuals);
    double scale = Math.max(Math.max(total, rounding) / weighted(ones()), 1e-200);
    FrischNewton interior = new FrischNewton(rows, tau, residuals, scale);
    if (total > rounding) {
      interior.run(limits.iterations(), rounding);
    }
    double[] near = sum(start, interior.coefficients());
    Positions positions = new Positions(rows, tau, interior.positions());
    VertexSearch search = new VertexSearch(rows, positions, scale, near);
    boolean proved = search.run(limits.pivots(), interior.precisions());
    double[] vertex = search.coefficients();
    double[] best = proved || loss(vertex) <= loss(near) ? vertex : near;
    double objective = loss(best);
    double gap = gap(positions, best);
    if (!representable(objective, best)) {
      return outOfRange();
    }
    return outcome(
        new QuantileFit(
            rows.coefficients(best),
            rows.loss(objective),
            gap == 0.0 ? 0.0 : gap / Math.max(objective, FLOOR * terms),
            interior.iterations(),
            search.pivots()));
  }

  private boolean representable(double objective, double... b) {
    return Double.isFinite(rows.loss(objective))
        && Arrays.stream(rows.coefficients(b).toArray()).allMatch(Double::isFinite);
  }

  private QuantileOutcome outcome(QuantileFit fit) {
    if (fit.relativeGap() <= QuantileRegression.TOLERANCE) {
      return new QuantileOutcome.Solved(fit);
    }
    return new QuantileOutcome.Stalled(
        fit,
        String.format(
            Locale.ROOT,
            "the minimum is not proved after %d iterations (limit %d) and %d exchanges (limit %d):"
                + " the objective can be above it by a share of %.1e; columns of similar size and"
                + " less correlation help",
            fit.iterations(),
            limits.iterations(),
            fit.pivots(),
            limits.pivots(),
            fit.relativeGap()));
  }

  private double[] ones() {
    double[] ones = new double[rows.rows];
    Arrays.fill(ones, 1.0);
    return ones;
  }

  private double weighted(double... values) {
    double sum = 0.0;
    for (int i = 0; i < values.length; i++) {
      sum += rows.w[i] * Math.abs(values[i]);
    }
    return sum;
  }

  /**
   * Returns the least-squares fit without weights, which is only a starting point. Refined once,
   * since normal equations square the condition number.
   */
  private double[] leastSquares(PositiveSystem normal) {
    double[] b = normal.solve(rows.cross(rows.y));
    return sum(b, normal.solve(rows.cross(rows.residuals(rows.y, b))));
  }

  private static double[] sum(double[] left, double[] right) {
    double[] sum = left.clone();
    for (int j = 0; j < sum.length; j++) {
      sum[j] += right[j];
    }
    return sum;
  }

  /**
   * Returns sum w_i (|y_i| + sum_j |x_ij b_j|), to which rounding errors of the objective are
   * proportional.
   */
  private double terms(double... b) {
    double sum = 0.0;
    for (int i = 0; i < rows.rows; i++) {
      sum += rows.w[i] * (Math.abs(rows.y[i]) + rows.magnitude(i, b));
    }
    return sum;
  }

  private double loss(double... b) {
    double[] residuals = rows.residuals(rows.y, b);
    double sum = 0.0;
    for (int i = 0; i < residuals.length; i++) {
      sum += rows.w[i] * residuals[i] * (residuals[i] < 0.0 ? tau - 1.0 : tau);
    }
    return sum;
  }

  // Duality: for a in [0, w] with X'a = (1 - tau) X'w and u = y - X b of any b,
  //   sum w rho(u) >= u'(a - (1 - tau) w) = y'(a - (1 - tau) w), which does not depend on b.
  // At our b the two sides differ by sum u_i ([u_i > 0] w_i - a_i): no term is negative.
  private double gap(Positions positions, double... b) {
    double[] residuals = rows.residuals(rows.y, b);
    double sum = 0.0;
    for (int i = 0; i < residuals.length; i++) {
      double position = residuals[i] > 0.0 ? rows.w[i] - positions.get(i) : positions.get(i);
      sum += Math.abs(residuals[i]) * position;
    }
    return sum;
  }
}
