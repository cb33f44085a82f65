package io.gauze.model;

import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import java.util.Locale;

/**
 * Releases one model of least squares in a ball, the minimiser of a randomly tilted objective, from
 * exact moments:
 *
 * <pre>
 *   theta = argmin over |theta| &lt;= R of
 *       sum_i (y_i - u_i'theta)^2 / 2 + lambda/2 |theta|^2 + b'theta
 * </pre>
 *
 * <p>Neighbours: add-remove or replace-one, unit row; under replace-one the row may also move to
 * another cell, whose model has the same spec. Sensitivity: the gradient of a row in the ball, L,
 * and its second derivative, beta; see {@link SquaresSpec}. Unit: encoded scale. Guarantee: the
 * budget of the spec; with pure noise delta covers samplers only.
 *
 * <p>After D. Kifer, A. Smith and A. Thakurta, <a
 * href="https://proceedings.mlr.press/v23/kifer12.html">Private convex empirical risk minimization
 * and high-dimensional regression</a>, COLT 2012, algorithm 1. Differs from it: the constants of
 * {@link ObjectiveNoiseCalibration}; a proof for the ball itself, where the minimiser has no
 * density on the boundary; a minimiser that is computed, not assumed.
 * PROOF-objective-perturbation.md has the proof.
 */
public final class SquaresPerturbation {
  /** The gradient that a solver may leave is beta times {@code 2^-30}. */
  private static final int TOLERANCE_BITS = 30;

  private static final double MOST_RIDGE = 0x1p62;

  private final SquaresSpec spec;
  private final ObjectiveNoiseCalibration term;
  private final long ridgeSteps;
  private final double tolerance;
  private final SolverErrorNoise hidden;

  private SquaresPerturbation(SquaresSpec spec) {
    this.spec = spec;
    term =
        new ObjectiveNoiseCalibration(
            spec.features(),
            spec.budget(),
            spec.noise(),
            SquaresSpec.DETERMINANT_SHARE,
            spec.gradientBound(),
            spec.curvatureBound());
    ridgeSteps = (long) Math.ceil(leastRidge());
    tolerance = Math.scalb(spec.curvatureBound(), -TOLERANCE_BITS);
    hidden =
        term.hidden(ObjectiveNoiseCalibration.ROUNDED_UP * (tolerance + term.error()) / lambda());
  }

  private double leastRidge() {
    double steps = term.leastRidge() / spec.momentUnit();
    if (!(steps <= MOST_RIDGE)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epsilon must be so large that the ridge is at most %s steps of the moments. Provided"
                  + " value: %s, with %s",
              MOST_RIDGE,
              spec.budget().epsilon(),
              steps));
    }
    return steps;
  }

  /**
   * Calibrates the mechanism.
   *
   * @throws IllegalArgumentException if delta does not pay for the samplers, or epsilon is so small
   *     that the ridge is beyond the range of the moments
   */
  public static SquaresPerturbation of(SquaresSpec spec) {
    return new SquaresPerturbation(spec);
  }

  /** The public numbers. */
  public SquaresSpec spec() {
    return spec;
  }

  /** The weight of the ridge, a whole number of steps of the moments. */
  public double lambda() {
    return ridgeSteps * spec.momentUnit();
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
   * Releases a model, once for its rows: a second release of the same rows spends the budget again.
   * O(p^3) time for each of some ten systems.
   *
   * @return the coefficients in whole steps of {@code 2^-outputBits}; they may be a little outside
   *     of the ball
   * @throws IllegalArgumentException if the moments are for another number of features
   */
  public long[] steps(ExactSquares squares, Entropy entropy) {
    BallMinimiser minimiser =
        new BallMinimiser(squares, ridgeSteps, spec.radius(), tolerance / spec.momentUnit());
    double[] linear = term.sample(entropy);
    for (int j = 0; j < linear.length; j++) {
      linear[j] /= spec.momentUnit(); // a power of two: exact
    }
    BallMinimiser.Point point = minimiser.minimise(linear);
    long[] released = new long[spec.features()];
    for (int j = 0; j < released.length; j++) {
      released[j] = hidden.released(point.theta(j), BallMinimiser.BITS, entropy);
    }
    return released;
  }
}
