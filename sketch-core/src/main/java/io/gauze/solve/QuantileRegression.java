package io.gauze.solve;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * Weighted quantile regression, and its median: least absolute deviations.
 *
 * <p>The objective is {@code sum w_i rho_tau(y_i - x_i'b)} with {@code rho_tau(u) = u (tau - [u <
 * 0])}: sums, no means. The interior point method of S. Portnoy and R. Koenker, <a
 * href="https://doi.org/10.1214/ss/1030037960">The Gaussian hare and the Laplacian tortoise</a>,
 * Statistical Science 12 (1997), finds the neighbourhood of the minimum; an exact search over
 * vertices of the linear program ends it, so that p rows are interpolated and the minimum is proved
 * by duality. Where the minimum is not unique, one of its vertices is returned.
 *
 * <p>Deterministic: the same rows give the same fit. About 15 iterations of O(n p^2) time and a few
 * exchanges of O(n p); needs about (p + 18) n doubles next to the rows.
 */
public final class QuantileRegression {
  /** The relative gap up to which a fit counts as solved. */
  public static final double TOLERANCE = 1e-9;

  /** Eigenvalues below this share of the largest are rounding errors. */
  private static final double NEGLIGIBLE = 1e-13;

  /** Mean residuals below this share of the mean response are rounding errors. */
  private static final double EXACT = 1e-13;

  private static final Limits USUAL = new Limits(100, 2_000);

  private final ScaledRows rows;
  private final double tau;
  private final Limits limits;

  private QuantileRegression(ScaledRows rows, double tau, Limits limits) {
    this.rows = rows;
    this.tau = tau;
    this.limits = limits;
  }

  /**
   * When to give up.
   *
   * @param iterations of the interior point method
   * @param pivots of the search over vertices
   */
  record Limits(int iterations, int pivots) {}

  /**
   * Fits the quantile tau of y given x.
   *
   * @param tau in (0, 1)
   * @return {@code Refused} if there are fewer rows of positive weight than columns, or the columns
   *     of those rows depend on each other linearly (the cross products, scaled to a unit diagonal,
   *     have an eigenvalue below {@code 1e-13 p} of the largest)
   * @throws IllegalArgumentException if {@code tau} is out of range
   */
  public static QuantileOutcome solve(WeightedRows rows, double tau) {
    return solve(rows, tau, USUAL);
  }

  /**
   * Fits by least absolute deviations: the median, with {@code sum w_i |y_i - x_i'b|} as objective.
   *
   * @return as for {@link #solve}
   */
  public static QuantileOutcome lad(WeightedRows rows) {
    QuantileOutcome outcome = solve(rows, 0.5);
    if (outcome instanceof QuantileOutcome.Solved solved) {
      return new QuantileOutcome.Solved(doubled(solved.fit()));
    }
    return outcome instanceof QuantileOutcome.Stalled stalled
        ? new QuantileOutcome.Stalled(doubled(stalled.fit()), stalled.reason())
        : outcome;
  }

  private static QuantileFit doubled(QuantileFit fit) {
    return new QuantileFit(
        fit.coefficients(),
        2.0 * fit.objective(),
        fit.relativeGap(),
        fit.iterations(),
        fit.pivots());
  }

  static QuantileOutcome solve(WeightedRows rows, double tau, Limits limits) {
    if (!(tau > 0.0 && tau < 1.0)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "tau must be in (0, 1). Provided value: %s", tau));
    }
    ScaledRows scaled = ScaledRows.of(rows);
    return new QuantileRegression(scaled, tau, limits).solve();
  }

  private QuantileOutcome solve() {
    if (rows.rows < rows.columns) {
      return new QuantileOutcome.Refused(
          String.format(
              Locale.ROOT,
              "there are %d rows of positive weight for %d coefficients; send more rows or drop"
                  + " columns",
              rows.rows,
              rows.columns));
    }
    double[] ones = new double[rows.rows];
    java.util.Arrays.fill(ones, 1.0);
    double[] gram = rows.gram(ones);
    for (int j = 0; j < rows.columns; j++) {
      if (gram[j * rows.columns + j] == 0.0) {
        return new QuantileOutcome.Refused(
            String.format(
                Locale.ROOT, "column %d is 0 in all rows of positive weight; drop it", j));
      }
    }
    Spectrum spectrum = Spectrum.of(PositiveSystem.unitDiagonal(rows.columns, gram));
    int open = spectrum.below(NEGLIGIBLE * rows.columns * spectrum.largest());
    return open > 0
        ? new QuantileOutcome.Refused(dependence(spectrum, open))
        : minimise(PositiveSystem.of(rows.columns, gram).orElseThrow());
  }

  private String dependence(Spectrum spectrum, int open) {
    double bound = NEGLIGIBLE * rows.columns * spectrum.largest();
    String involved =
        IntStream.range(0, rows.columns)
            .filter(
                j ->
                    IntStream.range(0, rows.columns)
                        .anyMatch(
                            k ->
                                spectrum.value(k) < bound
                                    && Math.abs(spectrum.vector(k).get(j)) > 1e-6))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "columns %s depend on each other linearly: %d of %d directions are open; drop %d of them",
        involved,
        open,
        rows.columns,
        open);
  }

  private QuantileOutcome minimise(PositiveSystem normal) {
    double[] start = normal.solve(rows.cross(rows.y));
    double[] residuals = new double[rows.rows];
    rows.residuals(rows.y, start, residuals);
    double total = weighted(residuals);
    double size = weighted(rows.y);
    double scale = total / weightSum();
    double[] b = start;
    double[] positions = new double[rows.rows];
    java.util.Arrays.setAll(positions, i -> (1.0 - tau) * rows.w[i]);
    double[] precisions = rows.w;
    int iterations = 0;
    if (total > EXACT * size) {
      FrischNewton interior = new FrischNewton(rows, tau, residuals, scale);
      interior.run(limits.iterations);
      double[] change = interior.coefficients();
      b = new double[start.length];
      for (int j = 0; j < b.length; j++) {
        b[j] = start[j] + change[j];
      }
      positions = interior.positions();
      precisions = interior.precisions();
      iterations = interior.iterations();
    }
    VertexSearch search = new VertexSearch(rows, tau, positions, scale, b);
    boolean proved = search.run(limits.pivots, precisions);
    double[] vertex = search.coefficients();
    rows.residuals(rows.y, b, residuals);
    double near = loss(residuals);
    rows.residuals(rows.y, vertex, residuals);
    double exact = loss(residuals);
    double objective = exact <= near || proved ? exact : near;
    double[] best = exact <= near || proved ? vertex : b;
    rows.residuals(rows.y, start, residuals);
    double[] a = search.positions();
    double dual = 0.0;
    for (int i = 0; i < a.length; i++) {
      dual += residuals[i] * (a[i] - (1.0 - tau) * rows.w[i]);
    }
    double gap = Math.max(0.0, objective - dual) / Math.max(objective, 1e-6 * size);
    QuantileFit fit = new QuantileFit(rows.coefficients(best), rows.loss(objective), gap, iterations, search.pivots());
    return gap <= TOLERANCE ? new QuantileOutcome.Solved(fit) : new QuantileOutcome.Stalled(fit, "");
  }

  private double loss(double... residuals) {
    double sum = 0.0;
    for (int i = 0; i < residuals.length; i++) {
      sum += rows.w[i] * residuals[i] * (residuals[i] < 0.0 ? tau - 1.0 : tau);
    }
    return sum;
  }

  private double weighted(double... values) {
    double sum = 0.0;
    for (int i = 0; i < values.length; i++) {
      sum += rows.w[i] * Math.abs(values[i]);
    }
    return sum;
  }

  private double weightSum() {
    double sum = 0.0;
    for (double w : rows.w) {
      sum += w;
    }
    return sum;
  }
}
