package io.gauze.release;

import io.gauze.row.Neighbours;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What a mechanism is to be calibrated for.
 *
 * @param epsilon in (0, 100]
 * @param delta in (0, 0.1]; empty for mechanisms of pure epsilon
 * @param neighbours which data sets are neighbours
 * @param bound B, the l2 bound on a row in the encoded scale; for a plain {@code gaussian} or
 *     {@code laplace} query its sensitivity, in the norm of the mechanism; finite, above 0
 * @param columns D, the intercept included, in [1, 4096]
 * @param copies s, of the multilevel sketch, in [1, 16]
 */
public record CalibrationRequest(
    double epsilon,
    OptionalDouble delta,
    Neighbours neighbours,
    double bound,
    int columns,
    int copies) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public CalibrationRequest {
    require("epsilon", "(0, 100]", epsilon > 0.0 && epsilon <= 100.0, epsilon);
    delta.ifPresent(d -> require("delta", "(0, 0.1]", d > 0.0 && d <= 0.1, d));
    Objects.requireNonNull(neighbours, "neighbours");
    require("bound", "[1e-150, 1e150]", bound >= 1e-150 && bound <= 1e150, bound);
    require("columns", "[1, 4096]", columns >= 1 && columns <= 4096, columns);
    require("copies", "[1, 16]", copies >= 1 && copies <= 16, copies);
  }

  private static void require(String name, String range, boolean holds, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be in %s. Provided value: %s", name, range, value));
    }
  }

  double requireDelta(String mechanism) {
    return delta.orElseThrow(
        () -> new IllegalArgumentException("delta must be given for " + mechanism));
  }
}
