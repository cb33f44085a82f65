package io.gauze.accounting;

import io.gauze.internal.Checks;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * Accounting of objective perturbation: the minimiser of {@code sum of losses + lambda/2 |theta -
 * theta_0|^2 + b'theta} with random b tells of one row as much as b does of its gradient, and a
 * determinant more.
 *
 * <p>Losses are functions of {@code u'theta} with {@code |gradient| <= L} and second derivatives
 * {@code phi'' |u|^2 <= beta}. The determinant costs {@code ln(1 + beta / lambda)}, and only the
 * data set that contains the row pays it. What is left, {@code epsilon} below, pays for the
 * gradient. With {@code ratio = L / sigma}, b of law N(0, sigma^2 I):
 *
 * <ul>
 *   <li>a row is added or removed: the privacy loss is at most {@code ratio |Z| + ratio^2 / 2}, Z
 *       standard normal, so delta is twice that of a Gaussian mechanism;
 *   <li>a row is replaced: it is at most {@code 2 ratio R + 2 ratio^2}, R the norm of two standard
 *       normal numbers; or removal and addition one after the other, by the triangle inequality.
 *       Both hold, also if the row moves to another cell.
 * </ul>
 *
 * <p>After D. Kifer, A. Smith and A. Thakurta, <a
 * href="https://proceedings.mlr.press/v23/kifer12.html">Private convex empirical risk minimization
 * and high-dimensional regression</a>, COLT 2012, theorem 2. Differs from the paper: exact
 * integrals instead of tail bounds, any share for the determinant, and replaced rows.
 * PROOF-perturbed-objective.md has the proof.
 */
public final class ObjectivePrivacy {
  private static final double SQRT_2 = Math.sqrt(2.0);
  private static final double SQRT_HALF_PI = Math.sqrt(Math.PI / 2.0);

  private ObjectivePrivacy() {}

  /**
   * Returns the least lambda over beta at which the determinant costs no more than this: {@code 1 /
   * (exp(epsilon) - 1)}, rounded up.
   *
   * @param epsilon above 0, finite
   * @throws IllegalArgumentException if it is not
   */
  public static double strength(double epsilon) {
    Checks.positiveFinite("epsilon", epsilon);
    return (1.0 + 0x1p-50) / Math.expm1(epsilon);
  }

  /**
   * Returns the delta of a row that is added or removed.
   *
   * @param epsilon left for the gradient; finite, at least 0
   * @param ratio L over sigma; finite, above 0
   * @return an upper bound, which is exact for a row alone of a linear loss beyond its threshold
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double changedDelta(double epsilon, double ratio) {
    Checks.nonNegativeFinite("epsilon", epsilon);
    Checks.positiveFinite("ratio", ratio);
    return Math.min(1.0, 2.0 * GaussianDp.largestDelta(epsilon, ratio));
  }

  /**
   * Returns the delta of a row that is replaced, in its cell or in two cells.
   *
   * @param epsilon left for the gradients; finite, at least 0
   * @param determinant the epsilon of the determinant; finite, at least 0
   * @param ratio L over sigma; finite, above 0
   * @return an upper bound
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double replacedDelta(double epsilon, double determinant, double ratio) {
    double half = epsilon / 2.0;
    double twice = (1.0 + Math.exp(half + determinant)) * changedDelta(half, ratio);
    return Math.min(1.0, Math.min(planeDelta(epsilon, ratio), twice));
  }

  // E[(1 - exp(epsilon - 2 m R - 2 m^2))+], R of density r exp(-r^2 / 2). With
  // t = max(0, (epsilon - 2 m^2) / 2m) it is
  //   exp(-t^2/2) - e^epsilon [exp(-(t + 2m)^2/2) - 2m sqrt(2 pi) Phi(-t - 2m)].
  // For t > 0, (t + 2m)^2 = t^2 + 2 epsilon, so both exponentials cancel and
  //   exp(-t^2/2) 2m R(t + 2m)
  // is left, with the Mills ratio R(x) = Phi(-x) / phi(x): nothing overflows or cancels.
  /** The delta of a gradient in a plane through the rows, of length at most 2 L. */
  static double planeDelta(double epsilon, double ratio) {
    double m = ratio;
    double t = (epsilon - 2.0 * m * m) / (2.0 * m);
    if (t > 0.0) {
      return Math.exp(-0.5 * t * t) * 2.0 * m * mills(t + 2.0 * m);
    }
    return 1.0 - Math.exp(epsilon - 2.0 * m * m) * (1.0 - 2.0 * m * mills(2.0 * m));
  }

  /**
   * Returns the least sigma over L of Gaussian noise, rounded to the safe side.
   *
   * @param epsilon left for the gradients, in (0, 100]
   * @param determinant the epsilon of the determinant; finite, at least 0
   * @param delta in (0, 0.1]
   * @param neighbours the relation
   * @return above 0; at most 1e-9 (relative) above the value that the formulas give
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double sigma(
      double epsilon, double determinant, double delta, Neighbours neighbours) {
    GaussianDp.checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    GaussianDp.checkRange("delta", delta, Budget.LARGEST_DELTA);
    Checks.nonNegativeFinite("determinant", determinant);
    double added = Math.nextUp(1.0 / GaussianDp.mu(epsilon, delta / 2.0));
    return neighbours == Neighbours.ADD_REMOVE
        ? added
        : ConservativeRootFinder.least(
            sigma -> replacedDelta(epsilon, determinant, 1.0 / sigma), delta, 2.0 * added);
  }

  private static double mills(double x) {
    return SQRT_HALF_PI * Erfcx.value(x / SQRT_2);
  }
}
