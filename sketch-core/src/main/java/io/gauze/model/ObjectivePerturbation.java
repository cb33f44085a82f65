package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;

/**
 * Releases one model, the minimiser of a randomly tilted objective:
 *
 * <pre>
 *   theta = argmin sum_i loss(u_i'theta, y_i) + lambda/2 |theta - theta_0|^2 + b'theta
 * </pre>
 *
 * <p>Neighbours: add-remove or replace-one, unit row; under replace-one the row may also move to
 * another cell, whose model has the same spec. Sensitivity: the gradient of a row, in Euclidean
 * norm, {@code L = slope B_x}, and its second derivative, {@code beta}; see {@link ModelLoss}.
 * Unit: encoded scale. Guarantee: the budget of the spec; with pure noise delta covers samplers
 * only.
 *
 * <p>After K. Chaudhuri, C. Monteleoni and A. Sarwate, <a
 * href="https://jmlr.org/papers/v12/chaudhuri11a.html">Differentially private empirical risk
 * minimization</a>, JMLR 12 (2011), and Kifer, Smith and Thakurta, see {@link
 * io.gauze.accounting.ObjectivePrivacy}. Differs from them: losses whose derivative has corners;
 * exact calibration; replaced rows, also across cells; a minimiser that is computed, not assumed.
 * The solver ends where the exact gradient is small, and the coefficients are released on a grid
 * with Laplace noise that hides the rest. PROOF-perturbed-objective.md has the proof.
 *
 * <p>The law of b is continuous; what its sampler is off by is part of what the Laplace noise
 * hides, and of delta. Not covered: how long a fit takes.
 */
public final class ObjectivePerturbation {
  private final ObjectiveCalibration calibration;

  private ObjectivePerturbation(ObjectiveCalibration calibration) {
    this.calibration = calibration;
  }

  /**
   * Calibrates the mechanism.
   *
   * @throws IllegalArgumentException as {@link ObjectiveCalibration#of}
   */
  public static ObjectivePerturbation of(ObjectiveSpec spec) {
    return new ObjectivePerturbation(ObjectiveCalibration.of(spec));
  }

  /** The noise and what it costs. */
  public ObjectiveCalibration calibration() {
    return calibration;
  }

  /** Returns an empty list for the rows of one fit. */
  public ModelRows rows() {
    ObjectiveSpec spec = calibration.spec();
    return ModelRows.create(spec.features(), spec.featureBound());
  }

  /**
   * Fits a model, once for its rows: a second fit of the same rows spends the budget again. O(n
   * p^2) time for each of some ten iterations, far more for degenerate rows; a million rows of 12
   * features take a second.
   *
   * @param rows as {@link #rows()} makes them, at most {@link ObjectiveCalibration#mostRows()}:
   *     more is an error, and so visible
   * @param randomness the source of noise
   * @param purpose names the model among others of the same source
   * @throws TooManyRowsException if there are too many
   * @throws IllegalArgumentException if the rows are for another number of features or another
   *     bound
   */
  public FittedModel fit(ModelRows rows, Randomness randomness, String purpose) {
    return new FittedModel(
        calibration, fit(rows, randomness.entropy(purpose)), randomness.isPrivate());
  }

  /** The coefficients that are released. */
  DoubleVector fit(ModelRows rows, Entropy entropy) {
    long[] steps = steps(rows, entropy);
    return DoubleVector.generate(
        steps.length, i -> Math.scalb((double) steps[i], -calibration.outputBits()));
  }

  /**
   * Fits a model, as {@link #fit}.
   *
   * @return the coefficients in whole steps of {@code 2^-outputBits}
   * @throws TooManyRowsException as {@link #fit}
   * @throws IllegalArgumentException as {@link #fit}
   */
  public long[] steps(ModelRows rows, Entropy entropy) {
    checkRows(rows, calibration.mostRows());
    return steps(rows, calibration.spec().centre(), calibration.lambda(), entropy);
  }

  /** Checks the number of rows against a limit that must not depend on them, nor on noise. */
  public static void checkRows(ModelRows rows, int most) {
    if (rows.size() > most) {
      throw new TooManyRowsException(
          "rows must be at most "
              + most
              + ", for which the solver is known to end; split the rows into more epochs");
    }
  }

  /**
   * Fits a model, as {@link #fit}, whose ridge has another weight and centre. Both must be public:
   * made from the config and from what has been published. The caller has checked the number of
   * rows, by a limit for every ridge and centre that there may be.
   *
   * @param centre theta_0, p entries of size at most 64
   * @param ridge its weight, at least that of the calibration; rounded up to a multiple of 2^-30
   * @return the coefficients in whole steps of {@code 2^-outputBits}
   * @throws IllegalArgumentException as {@link #fit}
   */
  // The calibrated ridge is the smallest that pays for the determinant, and the solver's error is
  // the larger the smaller the ridge: a larger one keeps the promise with the same noise.
  public long[] steps(ModelRows rows, DoubleVector centre, double ridge, Entropy entropy) {
    ObjectiveSpec spec = calibration.spec().withCentre(centre);
    Checks.length("features of rows", rows.features(), spec.features());
    Checks.within(
        "featureBound of rows", rows.featureBound(), spec.featureBound(), spec.featureBound());
    calibration.checkRidge(ridge);
    FixedVector theta = minimiser(rows, centre, ridge, calibration.linear(entropy)).theta();
    long[] released = new long[theta.size()];
    for (int i = 0; i < released.length; i++) {
      released[i] =
          calibration.hidden().released(theta.units(i), FixedVector.FRACTION_BITS, entropy);
    }
    return released;
  }

  /** Solves for one b. */
  ObjectiveSolver minimiser(ModelRows rows, double... linear) {
    return minimiser(rows, calibration.spec().centre(), calibration.lambda(), linear);
  }

  private ObjectiveSolver minimiser(
      ModelRows rows, DoubleVector centre, double ridge, double... linear) {
    double onGrid = Math.ceil(ridge * FixedPointScore.UNITS) / FixedPointScore.UNITS;
    PerturbedObjective objective =
        new PerturbedObjective(
            rows, FixedPointScore.of(calibration.spec().loss()), onGrid, centre.toArray(), linear);
    return ObjectiveSolver.solve(objective, objective.centre(), calibration.tolerance());
  }
}
