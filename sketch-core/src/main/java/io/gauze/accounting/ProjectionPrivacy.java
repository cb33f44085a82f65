package io.gauze.accounting;

import io.gauze.accounting.loss.LogGammaLaw;
import io.gauze.internal.Checks;
import java.util.Objects;

/**
 * Exact accounting of Gaussian projections, which publish {@code r} independent samples of {@code
 * N(0, M + w^2 I)}. {@code M = A^T A} are the moments of rows of l2 norm at most B, and {@code w^2
 * I} is added whatever the data are.
 *
 * <p>The mechanism is that of O. Sheffet, <a href="https://arxiv.org/abs/1507.00056">Differentially
 * private ordinary least squares</a>, ICML 2017, and <a
 * href="https://proceedings.mlr.press/v98/sheffet19a.html">Old techniques in differentially private
 * linear regression</a>, ALT 2019. The accounting is our own and exact, where the papers bound it:
 * the {@code w^2} that it needs is five to ten times smaller.
 *
 * <p>The numbers also hold for inverse Wishart noise. A sample of the inverse Wishart law with
 * {@code nu} degrees of freedom and scale {@code M + psi I} is equivalent to {@code nu} samples of
 * {@code N(0, (M + psi I)^-1)}: the ratios of variances are inverted, and their interval is the
 * same, so {@code r = nu} and {@code w^2 = psi}. The number of columns, whether below or above
 * {@code r}, does not matter.
 *
 * <p>The unit is one row; both {@link Neighbours} relations are supported. {@code ridge} is {@code
 * w^2 / B^2}.
 */
// Let C be w^2 I plus the moments of the common rows, and u and v the rows that differ. Whitened
// by C, only the directions of u and v matter. The variance of a sample along a row of leverage
// s = u^T C^-1 u <= lambda = B^2 / w^2 is 1 + s in place of 1. A smaller ratio of variances is a
// post-processing of a larger one (scale, add independent Gaussian noise), so s = lambda is worst.
// - Add-remove: r samples of N(0, 1 + lambda) against N(0, 1), in both directions.
// - Replace-one: the eigenvalues of Q^-1/2 P Q^-1/2, P = N(0, C + u u^T), Q = N(0, C + v v^T), lie
//   in [1, 1 + lambda] and [1 / (1 + lambda), 1]; orthogonal u, v of full leverage attain both
//   ends, so the worst case is the product of both directions of add-remove.
public final class ProjectionPrivacy {
  /** The largest number of rows that may be published. */
  public static final int MOST_ROWS = 1 << 20;

  static final double SMALLEST_RIDGE = 1e-100;
  static final double LARGEST_RIDGE = 1e100;

  private ProjectionPrivacy() {}

  /**
   * Returns the smallest delta at which the rows are (epsilon, delta)-private for the worst data
   * set and the worst pair of neighbours. Takes about 10 microseconds for add-remove and a
   * millisecond for replace-one.
   *
   * @param epsilon in [0, 100]
   * @param neighbours the relation; a row is of l2 norm at most B
   * @param rows how many samples are published, in [1, 2^20]
   * @param ridge {@code w^2 / B^2}, in [1e-100, 1e100]
   * @return in [0, 1]; relative error below 1e-11 for epsilon in [0.01, 20] and results above 1e-15
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static double delta(double epsilon, Neighbours neighbours, int rows, double ridge) {
    Objects.requireNonNull(neighbours, "neighbours");
    Checks.within("epsilon", epsilon, 0.0, Budget.LARGEST_EPSILON);
    Checks.within("rows", rows, 1, MOST_ROWS);
    Checks.within("ridge", ridge, SMALLEST_RIDGE, LARGEST_RIDGE);
    LogGammaLaw law = new LogGammaLaw(0.5 * rows);
    double delta =
        neighbours == Neighbours.ADD_REMOVE
            ? Math.max(
                present(law, 0.5 * rows, epsilon, 1.0 / ridge),
                absent(law, 0.5 * rows, epsilon, 1.0 / ridge))
            : new ReplaceOneDelta(law, 0.5 * rows, epsilon, 1.0 / ridge).delta();
    return Math.min(1.0, delta);
  }

  /**
   * Returns the least {@code w^2 / B^2} that keeps the budget, raised by the largest possible error
   * of the arithmetic, so that {@link #delta} of it is at most the budget's. Takes about a
   * millisecond for add-remove and 20 for replace-one.
   *
   * @param budget the unit is one row of l2 norm at most B
   * @param rows how many samples are published, in [1, 2^20]
   * @return above 0; above the exact value by less than 1e-9 (relative) for epsilon in [0.01, 20]
   *     and delta at least 1e-12
   * @throws IllegalArgumentException if the rows are outside their range
   */
  public static double ridge(Budget budget, int rows) {
    Checks.within("rows", rows, 1, MOST_ROWS);
    // For many rows the loss is Gaussian: lambda sqrt(r / 2) is mu, sqrt(r) for replace-one.
    double directions = budget.neighbours() == Neighbours.ADD_REMOVE ? 2.0 : 1.0;
    double guess = Math.sqrt(rows / directions) / GaussianDp.mu(budget.epsilon(), budget.delta());
    return ConservativeRootFinder.least(
        ridge -> delta(budget.epsilon(), budget.neighbours(), rows, ridge), budget.delta(), guess);
  }

  // Let a = r/2, and let half the sum of squares be G ~ Gamma(a) times its variance. The
  // log-density ratio of the data with the row to those without is, where the row is present,
  //   L = lambda G - a ln(1 + lambda),
  //   above epsilon iff G/a > (epsilon/a + ln(1 + lambda)) / lambda;
  // where the row is absent it is the negative, with kappa = lambda / (1 + lambda),
  //   L = a ln(1 + lambda) - kappa G,
  //   above epsilon iff G/a < (ln(1 + lambda) - epsilon/a) / kappa.
  // delta = E[(1 - e^(epsilon - L))+]. With F, Fbar the distribution functions of chi-square_r
  // these are
  //   Fbar(t1 / (1 + lambda)) - e^epsilon Fbar(t1),
  //   F(t2) - e^epsilon F(t2 / (1 + lambda)),
  // which is how they are published. Computing these differences would lose the digits that the
  // terms share.

  private static double present(LogGammaLaw law, double a, double epsilon, double lambda) {
    double bound = (epsilon / a + Math.log1p(lambda)) / lambda;
    double start = log(bound, epsilon / (a * lambda) + log1pMinus(lambda) / lambda);
    double slope = epsilon + a * Math.log1p(lambda);
    return law.above(start, u -> slope * Math.expm1(u));
  }

  private static double absent(LogGammaLaw law, double a, double epsilon, double lambda) {
    double kappa = lambda / (1.0 + lambda);
    double bound = (Math.log1p(lambda) - epsilon / a) / kappa;
    if (bound <= 0.0) {
      return 0.0;
    }
    // ln(1 + lambda) - kappa, where lambda - kappa = lambda kappa.
    double gap = lambda > 0.5 ? Math.log1p(lambda) - kappa : log1pMinus(lambda) + lambda * kappa;
    double slope = kappa * a * bound;
    return law.below(log(bound, (gap - epsilon / a) / kappa), u -> -slope * Math.expm1(-u));
  }

  /**
   * Returns {@code ln(x)}, given x and x - 1, so that digits are lost neither near 0 nor near 1.
   */
  static double log(double x, double minusOne) {
    return x < 0.5 ? Math.log(x) : Math.log1p(minusOne);
  }

  /** Returns {@code ln(1 + x) - x} for x at least 0, to a few units in the last place. */
  static double log1pMinus(double x) {
    if (x > 0.5) {
      return Math.log1p(x) - x;
    }
    // ln(1 + x) = 2 artanh(y), y = x / (2 + x), and 2 y - x = -x y.
    double y = x / (2.0 + x);
    double square = y * y;
    double sum = 0.0;
    for (int k = 23; k >= 3; k -= 2) {
      sum = 1.0 / k + square * sum;
    }
    return y * (2.0 * square * sum - x);
  }
}
