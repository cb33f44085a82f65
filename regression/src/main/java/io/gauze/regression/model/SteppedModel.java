package io.gauze.regression.model;

import io.gauze.regression.ExcessRange;
import io.gauze.regression.ReleasedNumbers;

/**
 * What a model that was made by noisy steps tells beside its coefficients. All of it comes from
 * noisy sums.
 *
 * @param likely the relative excess by noise, and by what is likely of what was cut off gradients
 * @param most the same, if all that was cut off pulled one way
 * @param response the variance of the response over that of residuals
 */
record SteppedModel(double likely, double most, double response) {
  /** Reads the numbers after the coefficients. */
  static SteppedModel of(int coefficients, ReleasedNumbers numbers) {
    double likely = Math.max(0.0, numbers.value(coefficients));
    return new SteppedModel(
        likely,
        Math.max(likely, numbers.value(coefficients + 1)),
        Math.max(1.0, numbers.value(coefficients + 2)));
  }

  // Steps from a poor first model may not arrive, which noise hides and simulated releases show.
  /**
   * The excess.
   *
   * @param simulated that of simulated releases
   */
  ExcessRange expected(double simulated) {
    return new ExcessRange(likely, likely, Math.max(most, simulated));
  }

  /** The relative excess of the best constant. */
  double ignorance() {
    return Math.sqrt(response) - 1.0;
  }
}
