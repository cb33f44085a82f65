package io.gauze.model.track;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectiveNoiseCalibration;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import io.gauze.model.Tuning;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import java.util.Optional;

/**
 * Keeps one model up to date, an epoch after the other: a noisy number of rows, and an {@link
 * ObjectivePerturbation} whose ridge draws to the model that was published last. The weight of the
 * ridge is that of a Kalman filter with one gain for all coefficients.
 *
 * <p>Neighbours: add-remove or replace-one, unit row; under replace-one the row may also move to
 * another epoch or group. Sensitivity: 1 for the number of rows, and as {@link
 * ObjectivePerturbation}. Guarantee: the budget, over all epochs and groups; with pure noise delta
 * covers samplers only. PROOF-huber-track.md has the proof.
 *
 * <p>Centre and ridge are made from published numbers and the config alone. A model that has not
 * been published must not be a centre: after a crash its rows may be fitted again. Immutable.
 */
public final class ModelTrack {
  /** The part of epsilon for the number of rows. */
  public static final double COUNT_SHARE = Tuning.COUNT_SHARE;

  private static final double ROUNDED_DOWN = 1.0 - 0x1p-40;
  private static final double ROUNDED_UP = 1.0 + 0x1p-40;

  private final ObjectivePerturbation objective;
  private final ObjectiveCalibration calibration;
  private final RoundedLaplace count;
  private final TrackFilter filter;
  private final int mostRows;

  private ModelTrack(ObjectiveSpec spec, Budget budget, double square) {
    this.objective = ObjectivePerturbation.of(spec);
    this.calibration = objective.calibration();
    this.count = RoundedLaplace.of(countScale(budget));
    this.filter =
        new TrackFilter(
            spec.features(),
            spec.loss().slope(),
            spec.featureBound(),
            calibration.deviation(),
            calibration.lambda(),
            count.scale(),
            square);
    this.mostRows = mostRows(spec.features());
  }

  /**
   * Calibrates.
   *
   * @param loss of a row
   * @param featureBound B_x
   * @param features p, the intercept included
   * @param square the mean square of a feature, a public guess; in [2^-40, 2^16]
   * @param budget of the whole series
   * @throws IllegalArgumentException if a number is out of range, or delta does not pay for the
   *     samplers
   */
  public static ModelTrack of(
      ModelLoss.Huber loss, double featureBound, int features, double square, Budget budget) {
    return of(ObjectiveSpec.of(features, featureBound, loss, fitBudget(budget)), budget, square);
  }

  /**
   * Calibrates with the spec of a fit.
   *
   * @param spec its budget at most {@link #fitBudget}, its centre 0, its loss Huber's
   * @throws IllegalArgumentException as {@link #of(ModelLoss.Huber, double, int, double, Budget)},
   *     or if the spec is another one
   */
  public static ModelTrack of(ObjectiveSpec spec, Budget budget, double square) {
    if (spec.budget().neighbours() != budget.neighbours()
        || !(spec.loss() instanceof ModelLoss.Huber)
        || spec.centre().norm() != 0.0) {
      throw new IllegalArgumentException(
          "spec must have Huber's loss, the centre 0 and the neighbours of the budget. Provided"
              + " value: "
              + spec);
    }
    Checks.within("epsilon of the fit", spec.budget().epsilon(), 0.0, fitBudget(budget).epsilon());
    Checks.within("delta of the fit", spec.budget().delta(), 0.0, fitBudget(budget).delta());
    return new ModelTrack(spec, budget, square);
  }

  /**
   * Returns the part of a budget that is for the fit.
   *
   * @throws IllegalArgumentException if delta does not pay for the sampler of the number of rows
   */
  // Totals are over the cells that a row touches: the fit's own samplers are paid for at its own
  // epsilon, and here once more at the whole one.
  public static Budget fitBudget(Budget budget) {
    double samplers =
        cells(budget)
            * (1.0 + Math.exp(budget.epsilon()))
            * (ObjectiveNoiseCalibration.CELL_DISTANCE + RoundedLaplace.TOTAL_VARIATION);
    double left = budget.delta() - samplers;
    Checks.within("delta", budget.delta(), 2.0 * samplers, 1.0);
    return new Budget(
        (1.0 - COUNT_SHARE) * budget.epsilon() * ROUNDED_DOWN, left, budget.neighbours());
  }

  private static int cells(Budget budget) {
    return budget.neighbours() == Neighbours.REPLACE_ONE ? 2 : 1;
  }

  /** The scale of the noise in the number of rows: each cell that a row touches changes by 1. */
  static double countScale(Budget budget) {
    return ROUNDED_UP * cells(budget) / (COUNT_SHARE * budget.epsilon());
  }

  /**
   * Returns the delta of removing a row from a cell, with its number of rows: as {@link
   * ObjectiveCalibration#removalDelta}.
   */
  public double removalDelta(double epsilon) {
    double left = epsilon - 1.0 / count.scale();
    return left >= 0.0
        ? calibration.removalDelta(left)
        : Math.min(1.0, calibration.removalDelta(0.0) + Math.tanh(0.5 / count.scale()));
  }

  /** Returns the delta of adding a row to a cell, as {@link #removalDelta}. */
  public double additionDelta(double epsilon) {
    double left = epsilon - 1.0 / count.scale();
    return left >= 0.0
        ? calibration.additionDelta(left)
        : Math.min(1.0, calibration.additionDelta(0.0) + Math.tanh(0.5 / count.scale()));
  }

  /**
   * The noise of a fit and what it costs, without the number of rows, and but for the ridge, of
   * which this is the least.
   */
  public ObjectiveCalibration calibration() {
    return calibration;
  }

  /** The noise in the number of rows. */
  public RoundedLaplace count() {
    return count;
  }

  // What limits the rows rises with the ridge, or falls with it: both ends decide.
  private int mostRows(int features) {
    double norm = ObjectiveSpec.LARGEST_CENTRE * Math.sqrt(features);
    return Math.min(
        calibration.mostRows(calibration.lambda(), norm),
        calibration.mostRows(filter.largestRidge(), norm));
  }

  /**
   * Rows up to which the solver is known to end, whatever the ridge and the centre: one limit for
   * all epochs, since a limit that depends on noise would show it.
   */
  public int mostRows() {
    return mostRows;
  }

  /** Returns an empty list for the rows of one fit. */
  public ModelRows rows() {
    return objective.rows();
  }

  /**
   * Fits the model of an epoch, once for its rows.
   *
   * @param before a published model of an earlier epoch; empty if there is none
   * @throws IllegalArgumentException as {@link ObjectivePerturbation#fit}
   */
  public TrackedModel fit(
      ModelRows rows, Optional<PreviousModel<TrackedModel>> before, Entropy entropy) {
    ObjectivePerturbation.checkRows(rows, mostRows); // before there is noise
    TrackFilter.Start start = filter.start(before, calibration.outputBits());
    long noisy = rows.size() + count.sample(entropy);
    TrackFilter.Information information = filter.information((double) noisy);
    double ridge = filter.ridge(start.variance(), information);
    long[] steps = objective.steps(rows, start.centre(), ridge, entropy);
    double hidden = calibration.outputScale();
    TrackFilter.Output output =
        new TrackFilter.Output(calibration.outputBits(), 2.0 * hidden * hidden);
    return filter.next(start, information, noisy, ridge, output, steps);
  }
}
