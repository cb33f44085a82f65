package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ObjectivePrivacy;
import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import io.gauze.noise.SphericalLaplace;
import io.gauze.noise.StandardNormal;
import io.gauze.row.Grid;
import java.util.Locale;

/**
 * The noise of an objective perturbation and what it costs, from public numbers alone. Immutable.
 *
 * <p>Epsilon pays for three things. The determinant of the change of variables has its share; a
 * hundredth is for the solver, whose result is near the minimiser only; the rest pays for the
 * gradient of the row. Under replace-one the row may leave one cell and enter another: removal pays
 * for the determinant, half of the gradient and one solver, addition for the other half and a
 * second solver. So the solver's hundredth is halved.
 *
 * <p>Delta pays for Gaussian noise, and in any case for the distance of samplers from their laws.
 */
public final class ObjectiveCalibration {
  /** The part of epsilon for the solver. */
  private static final double SOLVER_SHARE = 0.01;

  private static final double ROUNDED_DOWN = 1.0 - 0x1p-40;
  private static final double ROUNDED_UP = 1.0 + 0x1p-40;
  private static final double LEAST_STRENGTH = 0x1p-10;

  /** Of the samplers of one cell: b, and the noise of up to 4096 entries at 2^-100 each. */
  static final double CELL_DISTANCE = SphericalLaplace.TOTAL_VARIATION + 0x1p-88;

  /** Gradients are small if they are below beta 2^-30, or 2^-24 where a score has an error. */
  private static final int EXACT_BITS = 30;

  private static final int INEXACT_BITS = 24;
  private static final int FEWEST_ROWS = 1000;
  private static final double LARGEST_NORMAL = 13.0;

  private final ObjectiveSpec spec;
  private final int cells;
  private final double gradientEpsilon;
  private final double determinantEpsilon;
  private final double solverEpsilon;
  private final double lambda;
  private final double scale;
  private final double tolerance;
  private final int mostRows;
  private final int outputBits;
  private final RoundedLaplace output;

  private ObjectiveCalibration(ObjectiveSpec spec) {
    this.spec = spec;
    Budget budget = spec.budget();
    cells = budget.neighbours() == Neighbours.REPLACE_ONE ? 2 : 1;
    double epsilon = budget.epsilon() * ROUNDED_DOWN;
    determinantEpsilon = spec.determinantShare() * epsilon;
    solverEpsilon = SOLVER_SHARE * epsilon / cells;
    gradientEpsilon = (1.0 - SOLVER_SHARE - spec.determinantShare()) * epsilon;
    Checks.within("slope of the loss", spec.loss().slope(), 0.0, largestSlope());
    double delta = noiseDelta();
    double beta = spec.curvatureBound();
    double strength = Math.max(LEAST_STRENGTH, ObjectivePrivacy.strength(determinantEpsilon));
    lambda = Math.ceil(beta * strength * ROUNDED_UP * Score.UNITS) / Score.UNITS;
    scale =
        ROUNDED_UP
            * spec.gradientBound()
            * (spec.noise() == ObjectiveNoise.PURE
                ? cells / gradientEpsilon
                : ObjectivePrivacy.sigma(
                    gradientEpsilon, determinantEpsilon, delta, budget.neighbours()));
    Score score = Score.of(spec.loss());
    int bits = score.error() > 0.0 ? INEXACT_BITS : EXACT_BITS;
    tolerance = Math.scalb(beta, -bits);
    mostRows = atLeastFewest(solvableRows(lambda, centreNorm()));
    double away = distanceFromMinimiser(score.error());
    double root = Math.sqrt(spec.features());
    outputBits = -Math.getExponent(away / (8.0 * root));
    double step = Math.scalb(1.0, -outputBits);
    output =
        RoundedLaplace.of(ROUNDED_UP * 2.0 * root * (away / step + 0.5 * root) / solverEpsilon);
  }

  /**
   * Calibrates.
   *
   * @throws IllegalArgumentException if delta does not pay for the samplers, or the loss is too
   *     steep for the grid of the features
   */
  public static ObjectiveCalibration of(ObjectiveSpec spec) {
    return new ObjectiveCalibration(spec);
  }

  /** The largest score that the integers of {@link PerturbedObjective} hold. */
  private double largestSlope() {
    return largestSlope(spec.featureBound());
  }

  /** Returns the largest slope of a loss for features of this bound, in the encoded scale. */
  public static double largestSlope(double featureBound) {
    return Math.scalb(1.0, 17 - Grid.forRowBound(featureBound).fractionBits());
  }

  private double noiseDelta() {
    double distance = samplerDelta();
    double left = spec.budget().delta() - distance;
    if (!(left > 0.0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "delta must be above %s, which the samplers of an objective perturbation take at this"
                  + " epsilon. Provided value: %s",
              distance,
              spec.budget().delta()));
    }
    return left;
  }

  // Rounding theta to 2^-60 moves the gradient by at most (n beta + lambda) 2^-61 sqrt p, which is
  // to be half the tolerance. The minimiser must be where gradients can be evaluated: from
  //   lambda/2 |d|^2 + b'd <= sum of losses at theta_0 <= n times the largest for B_x |theta_0|;
  // d its distance from theta_0. A quantile loss can be negative, at least -tilt^2 / 2: the margin
  // of the norm covers it.
  private double solvableRows(double ridge, double centre) {
    double error = Score.of(spec.loss()).error();
    double byRounding =
        Math.scalb(1.0, 60) * (tolerance / spec.curvatureBound()) / Math.sqrt(spec.features())
            - ridge / spec.curvatureBound();
    double byError =
        error > 0.0 ? tolerance / (error * spec.featureBound()) : Double.POSITIVE_INFINITY;
    double room = 0.9 * PerturbedObjective.LARGEST_NORM - centre - 2.0 * largestLinear() / ridge;
    double loss = spec.loss().largest(spec.featureBound() * centre);
    double byNorm = room > 0.0 ? room * room * ridge / (2.0 * loss) : 0.0;
    return Math.min(Math.min(byRounding, byError), Math.min(byNorm, Integer.MAX_VALUE));
  }

  private static int atLeastFewest(double most) {
    if (!(most >= FEWEST_ROWS)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epsilon, features and loss must allow %d rows and more; take a smaller share of the"
                  + " determinant, fewer features or a smaller threshold. Provided value: %s rows",
              FEWEST_ROWS,
              most));
    }
    return (int) most;
  }

  private double centreNorm() {
    return norm(spec.centre());
  }

  static double norm(DoubleVector vector) {
    double square = 0.0;
    for (int i = 0; i < vector.size(); i++) {
      square += vector.get(i) * vector.get(i);
    }
    return Math.sqrt(square);
  }

  /** How far the result of the solver may be from the minimiser for the exact b. */
  private double distanceFromMinimiser(double error) {
    double rounded = Math.scalb(1.0, -FixedVector.FRACTION_BITS) * Math.sqrt(spec.features());
    return ROUNDED_UP
        * (tolerance + linearError() + rounded + mostRows * error * spec.featureBound())
        / lambda;
  }

  /** Draws b. */
  double[] linear(Entropy entropy) {
    if (spec.noise() == ObjectiveNoise.PURE) {
      return SphericalLaplace.of(spec.features(), scale).sample(entropy);
    }
    double[] linear = new double[spec.features()];
    for (int i = 0; i < linear.length; i++) {
      linear[i] = entropy.noiseFree() ? 0.0 : scale * StandardNormal.sample(entropy);
    }
    return linear;
  }

  private double largestLinear() {
    return spec.noise() == ObjectiveNoise.PURE
        ? SphericalLaplace.of(spec.features(), scale).largest()
        : LARGEST_NORMAL * scale * Math.sqrt(spec.features());
  }

  // A standard normal number below 13 is off by 2^-53 of itself and 2^-104, its multiple by 2^-53.
  private double linearError() {
    return spec.noise() == ObjectiveNoise.PURE
        ? SphericalLaplace.of(spec.features(), scale).error()
        : Math.scalb(largestLinear(), -51);
  }

  /** The public numbers. */
  public ObjectiveSpec spec() {
    return spec;
  }

  /** The weight of the ridge. */
  public double lambda() {
    return lambda;
  }

  /** The scale s of pure noise, whose mean norm is p s, or the deviation of an entry. */
  public double scale() {
    return scale;
  }

  /** The standard deviation of an entry of b. */
  // A vector of density exp(-|b| / s) in p dimensions has a norm of mean square p (p + 1) s^2.
  public double deviation() {
    boolean pure = spec.noise() == ObjectiveNoise.PURE;
    return pure ? scale * Math.sqrt(spec.features() + 1.0) : scale;
  }

  /** The norm of the gradient at which the solver ends. */
  public double tolerance() {
    return tolerance;
  }

  /** Rows up to which the solver is known to end. */
  public int mostRows() {
    return mostRows;
  }

  /**
   * Returns the rows up to which the solver is known to end with another ridge and centre.
   *
   * @param ridge its weight, at least {@link #lambda()}
   * @param centreNorm the largest norm of the centre
   * @throws IllegalArgumentException if the ridge is smaller, or the rows are fewer than 1000
   */
  public int mostRows(double ridge, double centreNorm) {
    checkRidge(ridge);
    return atLeastFewest(solvableRows(ridge, centreNorm));
  }

  /** Checks that a ridge keeps the promise: a larger one costs less. */
  void checkRidge(double ridge) {
    Checks.within("ridge", ridge, lambda, Double.MAX_VALUE);
  }

  /** The step of the grid of released coefficients is {@code 2^-outputBits}. */
  public int outputBits() {
    return outputBits;
  }

  /** The noise of a released coefficient, in steps of its grid, which hides the solver. */
  public RoundedLaplace output() {
    return output;
  }

  /** The part of delta that pays for the distance of samplers from their laws. */
  public double samplerDelta() {
    return (1.0 + Math.exp(spec.budget().epsilon())) * cells * CELL_DISTANCE;
  }

  /**
   * Returns the delta of removing a row from a cell: for every event, the probability with the row
   * is at most {@code exp(epsilon)} times that without it, and this. A row that moves from a cell
   * to another one costs the removal of the first and the addition of the second.
   *
   * @param epsilon at least 0
   */
  public double removalDelta(double epsilon) {
    return cellDelta(epsilon, determinantEpsilon + solverEpsilon, solverEpsilon);
  }

  /**
   * Returns the delta of adding a row to a cell, as {@link #removalDelta}.
   *
   * @param epsilon at least 0
   */
  public double additionDelta(double epsilon) {
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
    if (spec.noise() == ObjectiveNoise.GAUSSIAN) {
      double left = Math.max(0.0, epsilon - other);
      double solver = epsilon < solverEpsilon ? Math.tanh(0.5 * solverEpsilon) : 0.0;
      delta = ObjectivePrivacy.changedDelta(left, spec.gradientBound() / scale) + solver;
    } else {
      double there = gradientEpsilon / cells + other;
      double back = gradientEpsilon / cells + otherBack;
      delta =
          Math.max(0.0, -Math.expm1(epsilon - there))
              * (Math.expm1(-back) / Math.expm1(-there - back));
    }
    return Math.min(1.0, delta + samplers);
  }

  /** Shows the public numbers. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ObjectiveCalibration[noise=%s, scale=%s, lambda=%s, output=%s steps of 2^-%d]",
        spec.noise().label(),
        scale,
        lambda,
        output.scale(),
        outputBits);
  }
}
