package io.gauze.payload;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.RowSchema;
import java.util.Locale;
import java.util.Map;

/**
 * The public values of a plan or of a release from which its {@link Payload} is derived.
 *
 * @param schema of the rows
 * @param parameters of the mechanism, by name
 * @param settings of the mechanism, by name
 * @param stepSize one unit of the payload in the encoded scale
 * @param sigma the standard deviation of the widest noise, in steps
 * @param neighbours the data sets that cannot be told apart
 */
public record PayloadParameters(
    RowSchema schema,
    Map<String, Double> parameters,
    Map<String, String> settings,
    double stepSize,
    double sigma,
    Neighbours neighbours) {
  /** Far beyond what plans have, and far from where squares of it overflow. */
  private static final double LARGEST_DEVIATION = 0x1p100;

  /** D, the number of encoded columns. */
  public int dimension() {
    return schema.dimension();
  }

  /** The standard deviation of the widest noise in the encoded scale. */
  public double encodedSigma() {
    return sigma * stepSize;
  }

  /**
   * The scale of Laplace noise in the encoded scale. A Laplace variable of scale b has standard
   * deviation {@code b sqrt 2}.
   */
  public double laplaceScale() {
    return sigma * Math.sqrt(0.5) * stepSize;
  }

  /** Returns a parameter that must be a whole number within bounds. */
  public int whole(String name, int least, int most) {
    double value = parameters.getOrDefault(name, Double.NaN);
    if (!(value >= least && value <= most && value == Math.rint(value))) { // also refuses NaN
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

  /** Returns the deviation of noise, which must be a positive number that some plan may have. */
  public double deviation(String name) {
    double value = positive(name);
    if (!(value >= 1.0 / LARGEST_DEVIATION && value <= LARGEST_DEVIATION)) {
      throw new IllegalArgumentException(
          name
              + " must be in ["
              + 1.0 / LARGEST_DEVIATION
              + ", "
              + LARGEST_DEVIATION
              + "]. Provided value: "
              + value);
    }
    return value;
  }

  /** Returns a parameter that must be a positive number. */
  public double positive(String name) {
    return Checks.positiveFinite(name, parameters.getOrDefault(name, Double.NaN));
  }
}
