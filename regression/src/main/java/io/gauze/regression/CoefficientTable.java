package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.InverseErf;

/**
 * Coefficients in one scale.
 *
 * <p>Intervals have their level over all coefficients of a fit together. Those of the largest
 * coefficients contain the true value slightly less often, those of coefficients near 0 more often.
 * Simulated at 95 %, they contain it in 92 to 98 % over all coefficients and in at least 90 % for
 * any one, for noisy moments, for Gaussian projections, and for CountSketches of {@code n v /
 * sigma^2 >= 30 d}: n rows of d features, v the mean square of a column, sigma the noise of a
 * bucket's entry. If the fit warns that noise exceeds signal, as most fits of smaller CountSketches
 * do, standard errors that the release does not bound are withheld, see {@link Fit#withheld}.
 *
 * <p>For least squares from moments with added noise, intervals and tests are those of Anderson and
 * Rubin: they allow for what noise hides, need not be around the estimate, and are not bounded
 * where the release cannot rule out that a hidden direction moves every coefficient. Others are
 * those of the standard error.
 *
 * @param names the names of the coefficients
 * @param estimates the coefficients
 * @param standardErrors of the distance to the law of the rows: sampling, and everything between
 *     the release and the rows; NaN if it is withheld, see {@link Fit#withheld}
 * @param privacyStandardErrors of the distance to the non-private fit of the same problem on the
 *     same rows: noise, sketching and a ridge chosen for the noise; 0 on raw rows, NaN if it is
 *     withheld
 * @param sets the tests; empty if they are those of the standard errors
 */
public record CoefficientTable(
    List<String> names,
    DoubleVector estimates,
    DoubleVector standardErrors,
    DoubleVector privacyStandardErrors,
    Optional<ConfidenceSets> sets) {
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

  /** Creates a table whose intervals are those of the standard errors. */
  public CoefficientTable(
      List<String> names,
      DoubleVector estimates,
      DoubleVector standardErrors,
      DoubleVector privacyStandardErrors) {
    this(names, estimates, standardErrors, privacyStandardErrors, Optional.empty());
  }

  /**
   * Returns some of the coefficients, each in another unit.
   *
   * @param indexes of the coefficients, in [0, number of names)
   * @param factors the size of the present unit in the new one, one of each index
   */
  public CoefficientTable scaled(int[] indexes, double... factors) {
    Checks.length("factors", factors.length, indexes.length);
    return new CoefficientTable(
        IntStream.of(indexes).mapToObj(names::get).toList(),
        scaled(estimates, indexes, factors),
        scaled(standardErrors, indexes, factors),
        scaled(privacyStandardErrors, indexes, factors),
        sets.map(each -> each.scaled(indexes, factors)));
  }

  private static DoubleVector scaled(DoubleVector values, int[] indexes, double... factors) {
    return DoubleVector.generate(indexes.length, k -> values.get(indexes[k]) * factors[k]);
  }

  /** Returns the part of the standard errors that the rows are a sample; NaN if it is withheld. */
  public DoubleVector samplingErrors() {
    return DoubleVector.generate(
        names.size(),
        k -> {
          double all = standardErrors.get(k);
          double privacy = privacyStandardErrors.get(k);
          return Math.sqrt(Math.max(0.0, (all - privacy) * (all + privacy)));
        });
  }

  /**
   * Returns the intervals that contain the coefficients of the law of the rows with the given
   * probability each; of NaN where they are withheld or not bounded. O(p^3) time for p
   * coefficients, however many are read.
   *
   * @param level the probability, in (0, 1)
   * @throws IllegalArgumentException if it is out of range
   */
  public List<Interval> intervals(double level) {
    Checks.inOpenUnit("level", level);
    return sets.map(each -> each.all().intervals(each.combinations(), level))
        .orElseGet(() -> normal(level, standardErrors));
  }

  /**
   * Returns the intervals that contain the coefficients of the non-private fit of the same rows
   * with the given probability each; on raw rows the estimates themselves.
   *
   * @param level the probability, in (0, 1)
   * @throws IllegalArgumentException if it is out of range
   */
  public List<Interval> privacyIntervals(double level) {
    Checks.inOpenUnit("level", level);
    return sets.map(each -> each.privacy().intervals(each.combinations(), level))
        .orElseGet(() -> normal(level, privacyStandardErrors));
  }

  // estimate +- z standard error, z = 1.96 at 0.95
  private List<Interval> normal(double level, DoubleVector errors) {
    double z = Math.sqrt(2.0) * InverseErf.value(level);
    return IntStream.range(0, names.size())
        .mapToObj(
            k ->
                new Interval(
                    estimates.get(k) - z * errors.get(k), estimates.get(k) + z * errors.get(k)))
        .toList();
  }

  /**
   * Returns how far the coefficients are from 0: normal variables of variance 1 if the coefficient
   * of the law of the rows is 0; NaN if there is no error, or the standard error is withheld.
   */
  public DoubleVector statistics() {
    return sets.map(each -> each.all().distancesFromZero(each.combinations()))
        .map(
            distances ->
                DoubleVector.generate(
                    distances.size(), k -> Math.copySign(distances.get(k), estimates.get(k))))
        .orElseGet(
            () ->
                DoubleVector.generate(
                    names.size(), k -> ratio(estimates.get(k), standardErrors.get(k))));
  }

  private static double ratio(double estimate, double error) {
    return error == 0.0 ? Double.NaN : estimate / error;
  }

  /**
   * An interval.
   *
   * @param lower its lower end
   * @param upper its upper end, at least lower
   */
  public record Interval(double lower, double upper) {
    /** Checks whether a value is inside, ends included. */
    public boolean contains(double value) {
      return lower <= value && value <= upper;
    }
  }
}
