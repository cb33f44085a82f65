package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import io.gauze.row.Grid;
import java.util.Locale;

/**
 * The noise of an objective perturbation and what it costs, from public numbers alone. Immutable.
 *
 * <p>{@link ObjectiveNoiseCalibration} says what epsilon and delta pay for.
 */
public final class ObjectiveCalibration {
  /** Gradients are small if they are below beta 2^-30, or 2^-24 where a score has an error. */
  private static final int EXACT_BITS = 30;

  private static final int INEXACT_BITS = 24;
  private static final int FEWEST_ROWS = 1000;

  private final ObjectiveSpec spec;
  private final ObjectiveNoiseCalibration term;
  private final double lambda;
  private final double tolerance;
  private final int mostRows;
  private final SolverErrorNoise hidden;

  private ObjectiveCalibration(ObjectiveSpec spec) {
    this.spec = spec;
    Checks.within("slope of the loss", spec.loss().slope(), 0.0, largestSlope());
    double beta = spec.curvatureBound();
    term =
        new ObjectiveNoiseCalibration(
            spec.features(),
            spec.budget(),
            spec.noise(),
            spec.determinantShare(),
            spec.gradientBound(),
            beta);
    lambda = Math.ceil(term.leastRidge() * FixedPointScore.UNITS) / FixedPointScore.UNITS;
    FixedPointScore score = FixedPointScore.of(spec.loss());
    int bits = score.error() > 0.0 ? INEXACT_BITS : EXACT_BITS;
    tolerance = Math.scalb(beta, -bits);
    mostRows = atLeastFewest(solvableRows(lambda, centreNorm()));
    hidden = term.hidden(distanceFromMinimiser(score.error()));
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

  // Rounding theta to 2^-60 moves the gradient by at most (n beta + lambda) 2^-61 sqrt p, which is
  // to be half the tolerance. The minimiser must be where gradients can be evaluated: from
  //   lambda/2 |d|^2 + b'd <= sum of losses at theta_0 <= n times the largest for B_x |theta_0|;
  // d its distance from theta_0.
  private double solvableRows(double ridge, double centre) {
    double error = FixedPointScore.of(spec.loss()).error();
    double byRounding =
        Math.scalb(1.0, 60) * (tolerance / spec.curvatureBound()) / Math.sqrt(spec.features())
            - ridge / spec.curvatureBound();
    double byError =
        error > 0.0 ? tolerance / (error * spec.featureBound()) : Double.POSITIVE_INFINITY;
    double room = 0.9 * PerturbedObjective.LARGEST_NORM - centre - 2.0 * term.largest() / ridge;
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
    return spec.centre().norm();
  }

  /** How far the result of the solver may be from the minimiser for the exact b. */
  private double distanceFromMinimiser(double error) {
    double rounded = Math.scalb(1.0, -FixedVector.FRACTION_BITS) * Math.sqrt(spec.features());
    return ObjectiveNoiseCalibration.ROUNDED_UP
        * (tolerance + term.error() + rounded + mostRows * error * spec.featureBound())
        / lambda;
  }

  /** Draws b. */
  double[] linear(Entropy entropy) {
    return term.sample(entropy);
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
    return term.scale();
  }

  /** The standard deviation of an entry of b. */
  public double deviation() {
    return term.deviation();
  }

  /** The law of b in words. */
  public String law() {
    return term.law();
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
    return hidden.bits();
  }

  /** The noise of a released coefficient, in steps of its grid, which hides the solver. */
  public RoundedLaplace output() {
    return hidden.noise();
  }

  /** The scale of that noise in the unit of coefficients. */
  public double outputScale() {
    return hidden.scale();
  }

  /** The part of delta that pays for the distance of samplers from their laws. */
  public double samplerDelta() {
    return term.samplerDelta();
  }

  /**
   * Returns the delta of removing a row from a cell: for every event, the probability with the row
   * is at most {@code exp(epsilon)} times that without it, and this. A row that moves from a cell
   * to another one costs the removal of the first and the addition of the second.
   *
   * @param epsilon at least 0
   */
  public double removalDelta(double epsilon) {
    return term.removalDelta(epsilon);
  }

  /**
   * Returns the delta of adding a row to a cell, as {@link #removalDelta}.
   *
   * @param epsilon at least 0
   */
  public double additionDelta(double epsilon) {
    return term.additionDelta(epsilon);
  }

  /** Hides what the solver is off by. */
  SolverErrorNoise hidden() {
    return hidden;
  }

  /** Shows the public numbers. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ObjectiveCalibration[noise=%s, scale=%s, lambda=%s, output=%s steps of 2^-%d]",
        spec.noise().label(),
        term.scale(),
        lambda,
        hidden.noise().scale(),
        hidden.bits());
  }
}
