package io.gauze.mechanism;

import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.noise.RoundedGaussian;
import io.gauze.noise.RoundedLaplace;
import io.gauze.sketch.SketchSpec;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * A mechanism with its sizes, before its share of the budget is known exactly.
 *
 * @param spec the sketch whose state is kept
 * @param family decides how its cost depends on its share
 * @param samplerDistance the total variation between the noise of one release as it is sampled and
 *     as it is proved; 0 for idealised mechanisms
 * @param calibrate returns the mechanism for a cost of this family; throws IllegalArgumentException
 *     if the noise is outside of a sampler's range
 */
public record UncalibratedMechanism(
    SketchSpec spec,
    BudgetSplit.Family family,
    double samplerDistance,
    Function<MechanismCost, Mechanism> calibrate) {
  /**
   * Returns a mechanism with {@code samples} numbers from the Gaussian sampler; calibrated by mu.
   */
  public static UncalibratedMechanism gaussian(
      SketchSpec spec, int samples, DoubleFunction<Mechanism> calibrate) {
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Gaussian(),
        samples * RoundedGaussian.TOTAL_VARIATION,
        cost -> calibrate.apply(((MechanismCost.Gaussian) cost).mu()));
  }

  /**
   * Returns a mechanism with a number from the Laplace sampler in each entry; calibrated by
   * epsilon.
   */
  public static UncalibratedMechanism laplace(
      SketchSpec spec, DoubleFunction<Mechanism> calibrate) {
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Laplace(),
        spec.stateLength() * RoundedLaplace.TOTAL_VARIATION,
        cost -> calibrate.apply(((MechanismCost.Laplace) cost).epsilon()));
  }

  /**
   * Returns a mechanism whose ridge hides a row in {@code rows} rows N(0, M + ridge I); idealised.
   */
  public static UncalibratedMechanism projection(
      SketchSpec spec, int rows, Function<MechanismCost.Projection, Mechanism> calibrate) {
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Projection(rows),
        0.0,
        cost -> calibrate.apply((MechanismCost.Projection) cost));
  }
}
