package io.gauze.solve;

import java.util.List;

/**
 * Coefficients in one scale.
 *
 * @param names what they belong to
 * @param estimates the coefficients
 * @param standardErrors of the distance to the law that the rows come from: sampling, and all that
 *     stands between the release and the rows
 * @param privacyStandardErrors of the distance to the non-private fit of the same problem on the
 *     same rows: noise, sketching and a ridge chosen for the noise; 0 on raw rows
 */
public record CoefficientTable(
    List<String> names,
    DoubleVector estimates,
    DoubleVector standardErrors,
    DoubleVector privacyStandardErrors) {
  /**
   * Checks that the sizes agree.
   *
   * @throws IllegalArgumentException if they do not
   */
  public CoefficientTable {
    names = List.copyOf(names);
    Checks.length("estimates", estimates.size(), names.size());
    Checks.length("standardErrors", standardErrors.size(), names.size());
    Checks.length("privacyStandardErrors", privacyStandardErrors.size(), names.size());
  }
}
