package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ObjectivePrivacy;
import io.gauze.internal.Checks;
import io.gauze.noise.Entropy;
import io.gauze.noise.SphericalLaplace;
import io.gauze.noise.StandardNormal;
import java.util.Locale;

/**
 * The random linear term b of an objective of sums over rows, and what it costs together with the
 * least ridge, from public numbers alone. Immutable.
 *
 * <p>Neighbours: add-remove or replace-one, unit row. Sensitivity: the gradient of a row, at most L
 * in Euclidean norm, and the second derivative of its loss, at most beta. Encoded scale.
 *
 * <p>Epsilon pays for three things. The determinant of the change of variables has its share; a
 * hundredth is for the solver, whose result is near the minimiser only; the rest pays for the
 * gradient of the row. Under replace-one the row may leave one cell and enter another: removal pays
 * for the determinant, half of the gradient and one solver, addition for the other half and a
 * second solver. So the solver's hundredth is halved.
 *
 * <p>Delta pays for Gaussian noise, and in any case for the distance of samplers from their laws.
 */
public final class ObjectiveNoiseCalibration {
  static final double ROUNDED_UP = 1.0 + 0x1p-40;

  /** Of the samplers of one cell: b, and the noise of up to 4096 entries at 2^-100 each. */
  public static final double CELL_DISTANCE = SphericalLaplace.TOTAL_VARIATION + 0x1p-88;

  private static final double ROUNDED_DOWN = 1.0 - 0x1p-40;
  private static final double LEAST_STRENGTH = 0x1p-10;
  private static final double LARGEST_NORMAL = 13.0;

  private final int features;
  private final Budget budget;
  private final ObjectiveNoise noise;
  private final double gradientBound;
  private final int cells;
  private final double gradientEpsilon;
  private final double determinantEpsilon;
  private final double solverEpsilon;
  private final double leastRidge;
  private final double scale;

  /**
   * Calibrates.
   *
   * @param features p, the intercept included
   * @param determinantShare the part of epsilon that pays for the determinant, in [0.01, 0.9]
   * @param gradientBound L
   * @param curvatureBound beta
   * @throws IllegalArgumentException if delta does not pay for the samplers
   */
  ObjectiveNoiseCalibration(
      int features,
      Budget budget,
      ObjectiveNoise noise,
      double determinantShare,
      double gradientBound,
      double curvatureBound) {
    this.features = features;
    this.budget = budget;
    this.noise = noise;
    this.gradientBound = gradientBound;
    cells = budget.neighbours() == Neighbours.REPLACE_ONE ? 2 : 1;
    double epsilon = budget.epsilon() * ROUNDED_DOWN;
    determinantEpsilon = determinantShare * epsilon;
    solverEpsilon = Tuning.SOLVER_SHARE * epsilon / cells;
    gradientEpsilon = (1.0 - Tuning.SOLVER_SHARE - determinantShare) * epsilon;
    double delta = noiseDelta();
    double strength = Math.max(LEAST_STRENGTH, ObjectivePrivacy.strength(determinantEpsilon));
    leastRidge = curvatureBound * strength * ROUNDED_UP;
    scale =
        ROUNDED_UP
            * gradientBound
            * (noise == ObjectiveNoise.PURE
                ? cells / gradientEpsilon
                : ObjectivePrivacy.sigma(
                    gradientEpsilon, determinantEpsilon, delta, budget.neighbours()));
  }

  private double noiseDelta() {
    double distance = samplerDelta();
    double left = budget.delta() - distance;
    if (!(left > 0.0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "delta must be above %s, which the samplers of an objective perturbation take at this"
                  + " epsilon. Provided value: %s",
              distance,
              budget.delta()));
    }
    return left;
  }

  /** Draws b. */
  double[] sample(Entropy entropy) {
    if (noise == ObjectiveNoise.PURE) {
      return SphericalLaplace.of(features, scale).sample(entropy);
    }
    double[] linear = new double[features];
    for (int i = 0; i < linear.length; i++) {
      linear[i] = entropy.noiseFree() ? 0.0 : scale * StandardNormal.sample(entropy);
    }
    return linear;
  }

  /** The norm of b is at most this. */
  double largest() {
    return noise == ObjectiveNoise.PURE
        ? SphericalLaplace.of(features, scale).largest()
        : LARGEST_NORMAL * scale * Math.sqrt(features);
  }

  /** How far what is drawn may be from a draw of the exact law. */
  // A standard normal number below 13 is off by 2^-53 of itself and 2^-104, its multiple by 2^-53.
  double error() {
    return noise == ObjectiveNoise.PURE
        ? SphericalLaplace.of(features, scale).error()
        : Math.scalb(largest(), -51);
  }

  /** Lambda must be at least this. */
  double leastRidge() {
    return leastRidge;
  }

  /** The scale s of pure noise, whose mean norm is p s, or the deviation of an entry. */
  double scale() {
    return scale;
  }

  /** The standard deviation of an entry of b. */
  // A vector of density exp(-|b| / s) in p dimensions has a norm of mean square p (p + 1) s^2.
  double deviation() {
    return noise == ObjectiveNoise.PURE ? scale * Math.sqrt(features + 1.0) : scale;
  }

  /** The law of b in words. */
  String law() {
    return noise == ObjectiveNoise.PURE
        ? "of density proportional to exp(-|b| / " + scale + ")"
        : "Gaussian with standard deviation " + scale;
  }

  /**
   * Returns noise that hides what a solver is off by.
   *
   * @param away a bound on the distance of what is computed from the minimiser
   */
  SolverErrorNoise hidden(double away) {
    return SolverErrorNoise.of(features, away, solverEpsilon);
  }

  /** The part of delta that pays for the distance of samplers from their laws. */
  double samplerDelta() {
    return (1.0 + Math.exp(budget.epsilon())) * cells * CELL_DISTANCE;
  }

  /** The delta of removing a row from a cell, see {@link ObjectiveCalibration#removalDelta}. */
  double removalDelta(double epsilon) {
    return cellDelta(epsilon, determinantEpsilon + solverEpsilon, solverEpsilon);
  }

  /** The delta of adding a row to a cell, see {@link ObjectiveCalibration#additionDelta}. */
  double additionDelta(double epsilon) {
    return cellDelta(epsilon, solverEpsilon, determinantEpsilon + solverEpsilon);
  }

  // Gaussian, below the share of the determinant: along u the law of t + s(t) is that of b, s rises
  // from -L to L. G(t) = Phi(t + s(t)) - Phi(t) has a rising variation of at most changedDelta(0),
  // whatever s' is; that bounds the total variation. The solver adds tanh(e_s / 2) to it.
  // Pure: P <= exp(there) P' and P' <= exp(back) P. The largest P(E) with P(E) = exp(there) P'(E)
  // and 1 - P'(E) = exp(back) (1 - P(E)) is (1 - exp(-back)) / (1 - exp(-there - back)).
  private double cellDelta(double epsilon, double other, double otherBack) {
    Checks.nonNegativeFinite("epsilon", epsilon);
    double samplers = (1.0 + Math.exp(epsilon)) * CELL_DISTANCE;
    double delta;
    if (noise == ObjectiveNoise.GAUSSIAN) {
      double left = Math.max(0.0, epsilon - other);
      double solver = epsilon < solverEpsilon ? Math.tanh(0.5 * solverEpsilon) : 0.0;
      delta = ObjectivePrivacy.changedDelta(left, gradientBound / scale) + solver;
    } else {
      double there = gradientEpsilon / cells + other;
      double back = gradientEpsilon / cells + otherBack;
      delta =
          Math.max(0.0, -Math.expm1(epsilon - there))
              * (Math.expm1(-back) / Math.expm1(-there - back));
    }
    return Math.min(1.0, delta + samplers);
  }
}
