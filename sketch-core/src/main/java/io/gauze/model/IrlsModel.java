package io.gauze.model;

import io.gauze.linalg.DoubleVector;
import java.util.Objects;

/**
 * A private model: what a private iteratively reweighted fit releases. Holds nothing exact.
 *
 * @param calibration the promise and the public numbers
 * @param coefficients of the features, in the encoded scale
 * @param isPrivate whether the randomness was fit for privacy; if not, nothing holds
 */
public record IrlsModel(IrlsCalibration calibration, DoubleVector coefficients, boolean isPrivate) {
  /** Checks that nothing is missing. */
  public IrlsModel {
    Objects.requireNonNull(calibration, "calibration");
    Objects.requireNonNull(coefficients, "coefficients");
  }
}
