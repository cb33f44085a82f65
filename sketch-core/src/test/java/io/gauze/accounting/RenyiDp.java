package io.gauze.accounting;

import io.gauze.accounting.loss.LogGammaLaw;
import java.util.List;
import java.util.Objects;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * Composition by Renyi divergences: simple, but looser than {@link Composition}, which it is a
 * check of and nothing else. Right to rounding, absolutely: divergences below about 1e-14 per row
 * of a projection have no digits.
 *
 * <p>I. Mironov, <a href="https://doi.org/10.1109/CSF.2017.11">Renyi differential privacy</a>, CSF
 * 2017, propositions 1, 6 and 7; C. Canonne, G. Kamath and T. Steinke, <a
 * href="https://arxiv.org/abs/2004.00010">The discrete Gaussian for differential privacy</a>,
 * NeurIPS 2020, proposition 12. The curve of projections is our own.
 */
final class RenyiDp {
  private static final double GRID = 1.1;
  private static final double SMALLEST = 1e-4;
  private static final double LARGEST = 1e8;

  private RenyiDp() {}

  /**
   * The Renyi divergence of the worst neighbours.
   *
   * @param alpha the order, above 1, finite
   * @param neighbours the relation
   * @param cost any but {@link MechanismCost.Wishart} and {@link MechanismCost.Approximate}
   * @return at least 0; infinity from some order on for projections
   * @throws IllegalArgumentException if alpha or the kind of the cost is out of range
   */
  public static double divergence(double alpha, Neighbours neighbours, MechanismCost cost) {
    Objects.requireNonNull(neighbours, "neighbours");
    if (!(alpha > 1.0 && alpha < Double.POSITIVE_INFINITY)) { // NaN too
      throw new IllegalArgumentException("alpha must be > 1 and finite. Provided value: " + alpha);
    }
    if (cost instanceof MechanismCost.Gaussian gaussian) {
      return 0.5 * alpha * gaussian.mu() * gaussian.mu();
    }
    if (cost instanceof MechanismCost.Laplace laplace) {
      return laplace(alpha, laplace.epsilon());
    }
    if (cost instanceof MechanismCost.Projection projection) {
      double wide = 1.0 + 1.0 / projection.ridge();
      double present = 0.5 * projection.rows() * gaussians(alpha, wide, 1.0);
      double absent = 0.5 * projection.rows() * gaussians(alpha, 1.0, wide);
      return neighbours == Neighbours.ADD_REMOVE ? Math.max(present, absent) : present + absent;
    }
    throw new IllegalArgumentException(
        "cost must be Gaussian, Laplace or Projection. Provided value: " + cost);
  }

  // E e^((alpha - 1) L) = alpha/(2 alpha - 1) e^((alpha - 1) epsilon)
  //                     + (alpha - 1)/(2 alpha - 1) e^(-alpha epsilon).
  private static double laplace(double alpha, double epsilon) {
    double s = alpha - 1.0;
    if (alpha * epsilon < 1.0) { // what is left of e^x - 1 - x, as the linear terms cancel
      double rest = alpha * LogGammaLaw.phi(s * epsilon) + s * LogGammaLaw.phi(-alpha * epsilon);
      return Math.log1p(rest / (2.0 * alpha - 1.0)) / s;
    }
    double second = s / alpha * Math.exp(-(2.0 * alpha - 1.0) * epsilon);
    return epsilon + (Math.log(alpha / (2.0 * alpha - 1.0)) + Math.log1p(second)) / s;
  }

  /** Twice the divergence of N(0, s1) from N(0, s2). */
  private static double gaussians(double alpha, double s1, double s2) {
    double bracket = alpha * s2 + (1.0 - alpha) * s1;
    return bracket > 0.0
        ? Math.log(s2 / s1) + Math.log(s2 / bracket) / (alpha - 1.0)
        : Double.POSITIVE_INFINITY;
  }

  /**
   * An epsilon at which all mechanisms together are (epsilon, delta)-private: the least one over
   * the orders, {@code sum D_alpha + ln((alpha - 1) / alpha) - (ln delta + ln alpha) / (alpha -
   * 1)}.
   *
   * @param neighbours the relation of all of them
   * @param costs at least one; none {@link MechanismCost.Wishart} or {@link
   *     MechanismCost.Approximate}
   * @param delta in (0, 1)
   * @throws IllegalArgumentException if the costs or delta are out of range
   */
  public static double epsilon(Neighbours neighbours, List<MechanismCost> costs, double delta) {
    if (costs.isEmpty()) {
      throw new IllegalArgumentException("costs must not be empty. Provided value: []");
    }
    if (!(delta > 0.0 && delta < 1.0)) { // NaN too
      throw new IllegalArgumentException("delta must be in (0, 1). Provided value: " + delta);
    }
    // Every order gives a bound; the search need not find the best one.
    double best = Double.POSITIVE_INFINITY;
    double order = SMALLEST;
    for (double s = SMALLEST; s < LARGEST; s *= GRID) {
      double bound = bound(s, neighbours, costs, delta);
      if (bound < best) {
        best = bound;
        order = s;
      }
    }
    double refined =
        new BrentOptimizer(1e-9, 1e-9)
            .optimize(
                GoalType.MINIMIZE,
                new SearchInterval(Math.log(order / GRID), Math.log(order * GRID)),
                new MaxEval(200),
                new UnivariateObjectiveFunction(
                    x -> Math.min(1e9, bound(Math.exp(x), neighbours, costs, delta))))
            .getValue();
    return Math.max(0.0, Math.min(best, refined));
  }

  private static double bound(
      double s, Neighbours neighbours, List<MechanismCost> costs, double delta) {
    double alpha = 1.0 + s;
    double sum = 0.0;
    for (MechanismCost cost : costs) {
      sum += divergence(alpha, neighbours, cost);
    }
    return sum + Math.log(s / alpha) - (Math.log(delta) + Math.log(alpha)) / s;
  }
}
