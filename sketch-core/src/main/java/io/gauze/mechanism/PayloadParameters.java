package io.gauze.mechanism;

import io.gauze.internal.Checks;
import io.gauze.row.RowSchema;
import java.util.Locale;
import java.util.Map;

/**
 * The public facts that decide what the numbers of a release are, of a plan or of a release.
 *
 * @param schema of the rows
 * @param parameters see {@link Mechanism#parameters}
 * @param settings see {@link Mechanism#settings}
 * @param stepSize what 1 in the payload is in the encoded scale
 * @param sigma of the widest noise, in steps
 */
record PayloadParameters(
    RowSchema schema,
    Map<String, Double> parameters,
    Map<String, String> settings,
    double stepSize,
    double sigma) {
  /** Those of a planned mechanism. */
  static PayloadParameters of(RowSchema schema, Mechanism mechanism) {
    return new PayloadParameters(
        schema,
        mechanism.parameters(),
        mechanism.settings(),
        mechanism.stepSize(),
        mechanism.sigma());
  }

  /** D. */
  int dimension() {
    return schema.dimension();
  }

  /** Sigma in the encoded scale. */
  double encodedSigma() {
    return sigma * stepSize;
  }

  /** In the encoded scale: a Laplace number of scale b has standard deviation {@code b sqrt 2}. */
  double laplaceScale() {
    return sigma * Math.sqrt(0.5) * stepSize;
  }

  /** A whole number among the parameters, within bounds. */
  int whole(String name, int least, int most) {
    double value = parameters.getOrDefault(name, Double.NaN);
    if (!(value >= least && value <= most && value == Math.rint(value))) { // NaN too
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be a whole number in [%d, %d]. Provided value: %s",
              name,
              least,
              most,
              value));
    }
    return (int) value;
  }

  /** A positive number among the parameters. */
  double positive(String name) {
    return Checks.positiveFinite(name, parameters.getOrDefault(name, Double.NaN));
  }
}
