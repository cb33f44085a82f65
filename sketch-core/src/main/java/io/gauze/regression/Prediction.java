package io.gauze.regression;

/**
 * What a fit predicts for a row: of the response in the encoded scale, or of the log odds of its
 * label.
 *
 * @param value the prediction
 * @param samplingError the part of its standard error that the rows are a sample; NaN if it is
 *     withheld
 * @param privacyError the part of noise, sketching and ridge; NaN if it is withheld
 */
public record Prediction(double value, double samplingError, double privacyError) {
  /** The standard error of the mean response: both parts; NaN if it is withheld. */
  public double standardError() {
    return Math.hypot(samplingError, privacyError);
  }
}
