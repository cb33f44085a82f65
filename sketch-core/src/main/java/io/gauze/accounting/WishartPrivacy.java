package io.gauze.accounting;

import io.gauze.accounting.loss.ShiftedChiSquare;
import io.gauze.internal.Checks;
import java.util.Objects;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Accounting of {@link WishartNoise} added to moments: exact for {@link Neighbours#ADD_REMOVE}, a
 * bound in two steps for {@link Neighbours#REPLACE_ONE}. The unit is one row of l2 norm at most B.
 *
 * <p>The mechanism is that of O. Sheffet, <a
 * href="https://proceedings.mlr.press/v98/sheffet19a.html">Old techniques in differentially private
 * linear regression</a>, ALT 2019, algorithm 2. The accounting is our own, where the paper bounds
 * it: at epsilon 1, delta 1e-6 and scale 1 it needs 42 (replace-one: 58) more degrees of freedom
 * than columns, the paper 425.
 */
// W and W + v v^T: the log-density of W_D(S, k) at W is (k - D - 1)/2 ln det W - tr(S^-1 W)/2 plus
// a constant, and det(W + v v^T) = det W (1 + v^T W^-1 v). For |v| = B and S = c B^2 I, v^T W^-1 v
// is 1 / (c tau), tau ~ chi-square_m, m = k - D + 1. So the loss depends on tau alone:
//   the row is present, W = X - v v^T:  L1 =  1/(2c) - (m - 2)/2 ln(1 + 1/(c tau));
//   the row is absent,  W = X:          L2 = -1/(2c) - (m - 2)/2 ln(1 - 1/(c tau)), infinite for
//                                       c tau <= 1, where W - v v^T is not positive.
// It is the loss of the pair tau + 1/c against tau; the density of tau is log-concave for m >= 2,
// so a longer shift is worse: rows of full norm are the worst, and delta falls with c. It falls
// with k, since one more degree of freedom is one more independent noise row.
public final class WishartPrivacy {
  private static final double SPREADS = 6.0;

  private WishartPrivacy() {}

  /**
   * Returns the delta at which moments with this noise are (epsilon, delta)-private: the smallest
   * one for add-remove, an upper bound of it for replace-one. Takes about 20 microseconds for
   * add-remove and a few tenths of a millisecond for replace-one.
   *
   * @param epsilon in [0, 100]
   * @param neighbours the relation; a row is of l2 norm at most B
   * @return in [0, 1]; relative error below 1e-11 for epsilon in [0.01, 20] and results above 1e-15
   * @throws IllegalArgumentException if epsilon is outside its range
   */
  public static double delta(double epsilon, Neighbours neighbours, WishartNoise noise) {
    Objects.requireNonNull(neighbours, "neighbours");
    Checks.within("epsilon", epsilon, 0.0, Budget.LARGEST_EPSILON);
    ShiftedChiSquare pair = new ShiftedChiSquare(noise.freedom(), noise.scale());
    double delta =
        neighbours == Neighbours.ADD_REMOVE
            ? Math.max(pair.present(epsilon), pair.absent(epsilon))
            : twoSteps(pair, epsilon, noise);
    return Math.min(1.0, delta);
  }

  /**
   * Returns the noise with the least degrees of freedom that keep a budget at a given scale. Takes
   * about a millisecond for add-remove and 25 for replace-one.
   *
   * @param budget the unit is one row of l2 norm at most B
   * @param columns D, in [1, 4096]
   * @param scale c, in [1e-18, 1e18]
   * @return {@code delta} of it is at most the budget's
   * @throws IllegalArgumentException if an argument is outside its range, or if the scale is so
   *     small that 10^6 degrees of freedom are too few
   */
  public static WishartNoise leastDegrees(Budget budget, int columns, double scale) {
    int low = columns + 1;
    int high = columns + 2;
    while (!keeps(budget, new WishartNoise(columns, high, scale))) {
      if (high == WishartNoise.MOST_DEGREES) {
        throw new IllegalArgumentException(
            "scale must be larger for this budget: 10^6 degrees of freedom are too few."
                + " Provided value: "
                + scale);
      }
      low = high;
      high = (int) Math.min(WishartNoise.MOST_DEGREES, columns + 2L * (high - columns));
    }
    while (high - low > 1) {
      int middle = low + (high - low) / 2;
      if (keeps(budget, new WishartNoise(columns, middle, scale))) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return new WishartNoise(columns, high, scale);
  }

  /**
   * Returns the noise with the least scale that keeps a budget with given degrees of freedom. The
   * scale is raised by the largest possible error of the arithmetic. Takes about a millisecond for
   * add-remove and 15 (few degrees of freedom: 90) for replace-one.
   *
   * @param budget the unit is one row of l2 norm at most B
   * @param columns D, in [1, 4096]
   * @param degrees k, in [columns + 2, 10^6]
   * @return {@code delta} of it is at most the budget's; the scale is above the least one by less
   *     than 1e-9 (relative) for epsilon in [0.01, 20] and delta at least 1e-12
   * @throws IllegalArgumentException if columns or degrees are outside their range, or if the least
   *     scale is outside [1e-18, 1e18]
   */
  public static WishartNoise leastScale(Budget budget, int columns, int degrees) {
    WishartNoise first = new WishartNoise(columns, degrees, 1.0);
    // For many degrees of freedom tau is Gaussian of variance 2 m: mu = 1 / (c sqrt(2 m)).
    double steps = budget.neighbours() == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    double sigma = GaussianDp.sigma(budget.epsilon(), budget.delta(), steps);
    // For few degrees of freedom P(c tau < 1) decides: (1/2c)^a / Gamma(a + 1) = delta, a = m/2.
    double a = 0.5 * first.freedom();
    double corner = 0.5 * Math.exp(-(Math.log(budget.delta()) + LogGamma.value(a + 1.0)) / a);
    double guess = Math.max(sigma / Math.sqrt(2.0 * first.freedom()), corner);
    double scale =
        ConservativeRootFinder.least(
            c ->
                delta(budget.epsilon(), budget.neighbours(), new WishartNoise(columns, degrees, c)),
            budget.delta(),
            guess);
    return new WishartNoise(columns, degrees, scale);
  }

  /**
   * Returns the noise of least {@link WishartNoise#spread} among those with at most some degrees of
   * freedom, over a grid of degrees of freedom in steps of two.
   *
   * <p>Without that limit there would be no least spread: on all budgets tried the spread falls as
   * the degrees of freedom rise, since the law of an entry approaches a Gaussian. Its limit is that
   * of analytic Gaussian noise on the moments, {@code sigma / sqrt(2)} off the diagonal with {@code
   * sigma} for sensitivity 1; for replace-one, where two steps are bounded, with sigma for
   * sensitivity 2 and not {@code sqrt(2)}. The {@link WishartNoise#mean} grows with the root of the
   * degrees. Takes about twice as long as {@link #leastScale}.
   *
   * @param budget the unit is one row of l2 norm at most B
   * @param columns D, in [1, 4096]
   * @param mostDegrees in [columns + 2, 10^6]
   * @return {@code delta} of it is at most the budget's
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WishartNoise leastSpread(Budget budget, int columns, int mostDegrees) {
    WishartNoise best = leastScale(budget, columns, mostDegrees);
    int degrees = columns + (mostDegrees - columns) / 2;
    while (degrees >= columns + 2) {
      WishartNoise next = leastScale(budget, columns, degrees);
      if (next.spread() >= best.spread()) {
        return best;
      }
      best = next;
      degrees = columns + (degrees - columns) / 2;
    }
    return best;
  }

  private static boolean keeps(Budget budget, WishartNoise noise) {
    return delta(budget.epsilon(), budget.neighbours(), noise)
            * (1.0 + ConservativeRootFinder.SLACK)
        <= budget.delta();
  }

  // Replacing u by v is removing u, then adding v: if P and R are (a, d1)-close and R and Q
  // (b, d2)-close,
  //   P(S) <= e^a R(S) + d1 <= e^(a + b) Q(S) + e^a d2 + d1.
  // Here P has the row that R lacks, and R lacks the row that Q has. Every a gives a bound, also
  // below 0 or above epsilon, and the bound is convex in e^a, since (1 - e^a R/P)+ and
  // (e^a - e^epsilon Q/R)+ are. From a = 1/(2c) on d1 is 0 and the bound only rises; the best a is
  // within a few standard deviations of the loss of [0, epsilon].
  private static double twoSteps(ShiftedChiSquare pair, double epsilon, WishartNoise noise) {
    double spread = SPREADS / (noise.scale() * Math.sqrt(2.0 * noise.freedom()));
    double last = Math.min(epsilon + spread, 0.5 / noise.scale());
    UnivariateFunction bound = a -> pair.present(a) + Math.exp(a) * pair.absent(epsilon - a);
    double ends = Math.min(bound.value(0.0), bound.value(Math.min(epsilon, last)));
    double inside =
        new BrentOptimizer(1e-6, 1e-9 * (last + spread))
            .optimize(
                GoalType.MINIMIZE,
                new SearchInterval(-spread, last),
                new MaxEval(200),
                new UnivariateObjectiveFunction(bound))
            .getValue();
    return Math.min(ends, inside);
  }
}
