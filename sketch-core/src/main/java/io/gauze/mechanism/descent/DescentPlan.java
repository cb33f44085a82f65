package io.gauze.mechanism.descent;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.twostage.SumsNoise;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.Grid;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What each part of a release spends, and its noise. The shares of mu^2 are those of {@link
 * Tuning}; what is left is spent by the steps, all alike.
 *
 * @param mu that a release spends
 * @param first the moments of encoded rows
 * @param second the moments of the second round, if there is one
 * @param norms the noise of counts, in units of 2^-16
 * @param countings the times that rows are counted after the last round
 * @param steps the noise of an entry of a sum of gradients, in units of {@link #UNIT}: after one
 *     round, and after two
 * @param rowSensitivity of counts, and of moments of rows of norm 1
 * @param gradientSensitivity of a sum of gradients of norm 1
 */
public record DescentPlan(
    double mu,
    TwoStagePlan.Part first,
    TwoStagePlan.Part second,
    RoundedGaussian norms,
    int countings,
    List<RoundedGaussian> steps,
    double rowSensitivity,
    double gradientSensitivity)
    implements SumsNoise {
  /** The norm to which gradients are shortened, in the unit that was chosen for them. */
  static final double BOUND = 1.0;

  /** The step of the grid of gradients: 2^-15. */
  public static final double UNIT = Grid.forRowBound(BOUND).rowUnit();

  /** The most rounds before the steps. */
  static final int ROUNDS = 2;

  /** The most times that rows are counted after the last round. */
  static final int MOST_COUNTINGS = 3;

  /** A part of mu^2 that nothing spends: shares are rounded. */
  private static final double SLACK = 0x1p-40;

  /**
   * Checks that no release spends more than mu.
   *
   * @throws IllegalArgumentException if one would
   */
  public DescentPlan {
    steps = List.copyOf(steps);
    Checks.length("noises of steps", steps.size(), ROUNDS);
    double ofCount = rowSensitivity / TwoStagePlan.countDeviation(norms);
    Checks.within("countings", countings, 1, MOST_COUNTINGS);
    double before = (countings - 1) * ofCount * ofCount;
    for (int round = 1; round <= ROUNDS; round++) {
      before += ofCount * ofCount + (round == 1 ? first : second).spent();
      double each = gradientSensitivity / (steps.get(round - 1).sigma() * UNIT);
      double all = before + Tuning.STEPS * each * each;
      if (!(all <= mu * mu)) { // also refuses NaN
        throw new IllegalArgumentException(
            "parts must spend at most mu^2 = " + mu * mu + ". Provided value: " + all);
      }
    }
  }

  /**
   * Returns the plan of a budget.
   *
   * @param name of the mechanism, for messages
   * @param dimension the number of features, with the constant, and the response
   * @param countings the times that rows are counted after the last round
   * @param sensitivity of the moments of encoded rows
   * @param unit of these moments
   * @param rowSensitivity of counts, and of moments of rows of norm 1
   * @param gradientSensitivity of a sum of gradients of norm 1
   */
  static DescentPlan of(
      String name,
      int dimension,
      double mu,
      int countings,
      double sensitivity,
      double unit,
      double rowSensitivity,
      double gradientSensitivity) {
    double one = 1.0 - SLACK - Tuning.FIRST - countings * Tuning.COUNTS;
    List<RoundedGaussian> steps =
        DoubleStream.of(one, one - Tuning.SECOND - Tuning.COUNTS)
            .mapToObj(
                left -> {
                  double each = TwoStagePlan.share(mu, left / Tuning.STEPS);
                  return RoundedGaussian.of(
                      Noise.sigma(name, gradientSensitivity / each, UNIT, 1.0));
                })
            .toList();
    return new DescentPlan(
        mu,
        TwoStagePlan.Part.of(
            name, dimension, sensitivity, TwoStagePlan.share(mu, Tuning.FIRST), unit),
        TwoStagePlan.Part.of(
            name,
            dimension,
            rowSensitivity,
            TwoStagePlan.share(mu, Tuning.SECOND),
            TwoStageRelease.UNIT),
        TwoStagePlan.countNoise(rowSensitivity, TwoStagePlan.share(mu, Tuning.COUNTS)),
        countings,
        steps,
        rowSensitivity,
        gradientSensitivity);
  }

  @Override
  public TwoStagePlan.Part part(int round, boolean isLast) {
    return second;
  }

  /** The number of steps of every release. */
  public static int stepCount() {
    return Tuning.STEPS;
  }

  /** Returns the largest distance between sums of gradients of norm 1. */
  static double gradientSensitivity(Neighbours neighbours) {
    return neighbours == Neighbours.REPLACE_ONE ? 2.0 : 1.0;
  }

  /** The noise of an entry of a sum of gradients after so many rounds, in units. */
  public RoundedGaussian step(int rounds) {
    return steps.get(rounds - 1);
  }

  /** The deviation of that noise. */
  public double stepDeviation(int rounds) {
    return step(rounds).sigma() * UNIT;
  }

  /** The deviation of a count. */
  public double countDeviation() {
    return TwoStagePlan.countDeviation(norms);
  }
}
