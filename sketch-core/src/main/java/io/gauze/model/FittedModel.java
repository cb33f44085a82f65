package io.gauze.model;

import io.gauze.linalg.DoubleVector;
import java.util.Objects;

/**
 * A private model: what an objective perturbation releases. Holds nothing exact: no count of rows,
 * no size of residuals, no number of iterations. Who wants these pays for them with a budget of
 * their own.
 *
 * @param calibration the guarantee and the public numbers
 * @param coefficients of the features, in the encoded scale; whole steps of {@code 2^-outputBits}
 * @param isPrivate whether the randomness was fit for privacy; if not, nothing holds
 */
public record FittedModel(
    ObjectiveCalibration calibration, DoubleVector coefficients, boolean isPrivate) {
  /** Checks that nothing is missing. */
  public FittedModel {
    Objects.requireNonNull(calibration, "calibration");
    Objects.requireNonNull(coefficients, "coefficients");
  }
}
