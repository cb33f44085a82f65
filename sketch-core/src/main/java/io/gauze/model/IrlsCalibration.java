package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.Composition;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.PureComposition;
import io.gauze.accounting.WishartNoise;
import io.gauze.internal.Checks;
import io.gauze.noise.RoundedGaussian;
import io.gauze.noise.RoundedLaplace;
import io.gauze.row.Grid;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The noise of a private iteratively reweighted fit and what it costs, from public numbers alone.
 * All rounds have the same noise. Immutable.
 */
public final class IrlsCalibration {
  private static final double ROUNDED_UP = 1.0 + 0x1p-48;
  private static final double ROUNDED_DOWN = 1.0 - 0x1p-48;

  /** Noise is at most this many steps. */
  private static final int LARGEST_BITS = 40;

  /** Rows are 2^14 to 2^15 steps long, or shorter by up to so many bits where noise is wide. */
  private static final int COARSEST_BITS = 8;

  private final IrlsSpec spec;
  private final WeightedSensitivity sensitivity;
  private final MechanismCost cost;
  private final RoundNoise noise;
  private final int gridBits;

  private IrlsCalibration(IrlsSpec spec) {
    this.spec = spec;
    sensitivity = WeightedSensitivity.of(spec);
    cost = cost();
    noise = noise();
    int finest = Grid.forRowBound(Math.sqrt(sensitivity.squaredRow())).fractionBits();
    int free = Math.floorDiv(LARGEST_BITS - 1 - Math.getExponent(noise.largest()), 2);
    gridBits = Math.min(finest, free);
    if (gridBits < finest - COARSEST_BITS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "promise must be weaker or features and rounds fewer: noise must be at most 2^28"
                  + " times a squared row. Provided value: %s",
              noise));
    }
  }

  /**
   * Calibrates. Takes a moment for Wishart noise, under a millisecond otherwise.
   *
   * @throws IllegalArgumentException if delta does not pay for the samplers, if the noise is too
   *     wide for the grid, or if Wishart noise has too few degrees of freedom
   */
  public static IrlsCalibration of(IrlsSpec spec) {
    return new IrlsCalibration(spec);
  }

  private MechanismCost cost() {
    IrlsNoise law = spec.noise();
    int rounds = spec.rounds();
    if (law instanceof IrlsNoise.Pure pure) {
      paid(pure.budget()); // delta has no other use
      return approximate(PureComposition.basicEach(pure.budget().epsilon(), rounds));
    }
    if (law instanceof IrlsNoise.Composed composed) {
      Budget left = paid(composed.budget());
      return approximate(PureComposition.largestEach(left.epsilon(), left.delta(), rounds));
    }
    if (law instanceof IrlsNoise.Gaussian gaussian) {
      Budget left = paid(gaussian.budget());
      double mu = GaussianDp.mu(left.epsilon(), left.delta());
      return new MechanismCost.Gaussian(mu / Math.sqrt(rounds) * ROUNDED_DOWN);
    }
    if (law instanceof IrlsNoise.Wishart wishart) {
      BudgetSplit.Wishart family = new BudgetSplit.Wishart(columns(), wishart.degrees());
      List<BudgetSplit.Part> one = List.of(new BudgetSplit.Part(family, 1.0));
      return BudgetSplit.of(wishart.budget(), one, rounds).get(0);
    }
    IrlsNoise.Concentrated concentrated = (IrlsNoise.Concentrated) law;
    double size = Math.sqrt(2.0 * concentrated.rho() / rounds) * ROUNDED_DOWN;
    return concentrated.law() == IrlsNoise.Concentrated.Law.GAUSSIAN
        ? new MechanismCost.Gaussian(size)
        : approximate(size);
  }

  private static MechanismCost approximate(double epsilon) {
    return new MechanismCost.Approximate(epsilon, 0.0);
  }

  private RoundNoise noise() {
    Neighbours neighbours = spec.noise().neighbours();
    if (cost instanceof MechanismCost.Gaussian gaussian) {
      return new RoundNoise.Gaussian(
          ROUNDED_UP * sensitivity.euclidean(neighbours) / gaussian.mu());
    }
    if (cost instanceof MechanismCost.Approximate pure) {
      return new RoundNoise.Laplace(
          LaplaceDp.scale(pure.epsilon(), sensitivity.absolute(neighbours)));
    }
    WishartNoise wishart = ((MechanismCost.Wishart) cost).noise();
    return new RoundNoise.Wishart(
        wishart.degrees(), ROUNDED_UP * wishart.scale() * sensitivity.squaredRow());
  }

  /** Returns the budget without what the samplers' distance from their laws takes of delta. */
  private Budget paid(Budget budget) {
    double left = budget.delta() - samplerDelta(budget.epsilon());
    if (!(left > 0.0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "delta must be above %s, which the samplers of a private iteratively reweighted fit"
                  + " take at this epsilon. Provided value: %s",
              samplerDelta(budget.epsilon()),
              budget.delta()));
    }
    return new Budget(budget.epsilon(), left, budget.neighbours());
  }

  /** The public numbers. */
  public IrlsSpec spec() {
    return spec;
  }

  /** D: the features and the response. */
  int columns() {
    return spec.features() + 1;
  }

  /** The cost of one round; there are {@link IrlsSpec#rounds()} equal ones, one after the other. */
  public MechanismCost roundCost() {
    return cost;
  }

  /**
   * The scale of a round's noise in the encoded scale: Laplace's scale, the standard deviation of a
   * Gaussian on the diagonal, or the variance of an entry of Wishart's noise rows.
   */
  public double scale() {
    return noise instanceof RoundNoise.Wishart wishart ? wishart.variance() : noise.largest();
  }

  /** The noise of a round in the encoded scale. */
  RoundNoise noise(int bits) {
    return noise.times(Math.scalb(1.0, 2 * bits));
  }

  /** Weighted rows are whole steps of {@code 2^-gridBits}, moments of {@code 4^-gridBits}. */
  public int gridBits() {
    return gridBits;
  }

  /**
   * The deviation of a Gaussian matrix with as much noise off its diagonal, where the deviation on
   * the diagonal is meant; in the encoded scale squared.
   */
  public double deviation() {
    return noise.deviation();
  }

  /** The ridge that solutions have, in the encoded scale. */
  public double ridge() {
    return Tuning.IRLS_RIDGE * noise.deviation() * Math.sqrt(spec.features());
  }

  /** What noise adds to each entry of the diagonal on average, which solutions subtract. */
  double mean() {
    return noise.mean();
  }

  /**
   * A bound on the total variation distance between a fit's noise and its law, over all cells that
   * one row may touch; 0 for Wishart noise, which is idealised.
   */
  public double samplerDistance() {
    if (spec.noise() instanceof IrlsNoise.Wishart) {
      return 0.0;
    }
    double cells = spec.noise().neighbours() == Neighbours.REPLACE_ONE ? 2.0 : 1.0;
    double numbers = 0.5 * columns() * (columns() + 1.0) - 1.0;
    double each = Math.max(RoundedGaussian.TOTAL_VARIATION, RoundedLaplace.TOTAL_VARIATION);
    return cells * spec.rounds() * numbers * each;
  }

  private double samplerDelta(double epsilon) {
    return (1.0 + Math.exp(epsilon)) * samplerDistance() * ROUNDED_UP;
  }

  /**
   * Returns a delta at which a fit is (epsilon, delta)-private, samplers included.
   *
   * @param epsilon in [0, 100]
   */
  public double delta(double epsilon) {
    Checks.within("epsilon", epsilon, 0.0, Budget.LARGEST_EPSILON);
    return Math.min(1.0, roundsDelta(epsilon) + samplerDelta(epsilon));
  }

  private double roundsDelta(double epsilon) {
    int rounds = spec.rounds();
    return cost instanceof MechanismCost.Approximate pure
        ? PureComposition.delta(epsilon, pure.epsilon(), rounds)
        : Composition.of(spec.noise().neighbours(), Map.of(cost, rounds)).delta(epsilon);
  }

  /** Shows the public numbers. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "IrlsCalibration[noise=%s, rounds=%d, scale=%s, ridge=%s, grid=2^-%d]",
        spec.noise().label(),
        spec.rounds(),
        scale(),
        ridge(),
        gridBits);
  }
}
