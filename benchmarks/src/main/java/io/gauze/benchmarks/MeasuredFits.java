package io.gauze.benchmarks;

import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactRows;
import io.gauze.release.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The same question put to many releases of the same rows.
 *
 * <p>Medians take a refused fit for infinitely bad. Intervals are compared with the coefficients of
 * the fit without privacy, since both fits share the sample of the rows: so of a standard error the
 * part that is noise counts, {@link CoefficientTable#privacyStandardErrors}. If a release says how
 * it shortened its rows, these are the rows of that fit.
 */
final class MeasuredFits {
  private static final double LEVEL = 0.95;
  private static final double PERCENT = 100.0;

  private final ExactRows rows;
  private final Fit best;
  private final double bestError;
  private final double constantError;
  private final List<Fit> fits = new ArrayList<>();
  private final List<Fit> exact = new ArrayList<>(); // of the rows as each release has them
  private final List<Double> overExact = new ArrayList<>();
  private final List<Boolean> isGood = new ArrayList<>(); // as the fits are called
  private final int releases;

  MeasuredFits(AccuracySample sample, AccuracyQuestion question, int releases) {
    this.rows = sample.rows();
    this.releases = releases;
    RegressionProblem problem = question.of(sample.problem());
    this.best = fitted(Regression.fit(rows, problem.withLambda(0.0)));
    this.bestError = error(best);
    this.constantError =
        error(fitted(Regression.fit(rows, question.of(sample.constant()).withLambda(0.0))));
    for (int k = 0; k < releases; k++) {
      Release release = sample.nextRelease();
      FitInput input = FitInput.of(release);
      FitOutcome outcome = Regression.fit(input, problem);
      if (outcome instanceof FitOutcome.Fitted one) {
        add(one.fit(), sample.shortened(release));
        isGood.add(FitQuality.of(input, one.fit()) == FitQuality.GOOD);
      }
    }
  }

  private void add(Fit fit, Optional<ExactRows> shortened) {
    Fit least =
        shortened
            .map(of -> fitted(Regression.fit(of, best.problem().withLambda(0.0))))
            .orElse(best);
    ExactRows of = shortened.orElse(rows);
    fits.add(fit);
    exact.add(least);
    overExact.add(error(of, fit) / error(of, least) - 1.0);
  }

  private double error(Fit fit) {
    return error(rows, fit);
  }

  private static double error(ExactRows of, Fit fit) {
    double loss = of.meanLoss(fit);
    return fit.problem().loss().isSquared() ? Math.sqrt(loss) : loss;
  }

  private static Fit fitted(FitOutcome outcome) {
    return ((FitOutcome.Fitted) outcome).fit();
  }

  /** The median excess over the fit without privacy, as a share. */
  double excess() {
    return median(fit -> error(fit) / bestError - 1.0);
  }

  /** The share of releases whose fit is called good. */
  double calledGood() {
    return isGood.stream().filter(good -> good).count() / (double) releases;
  }

  /** The share of releases whose fit is called good and is not, by its excess. */
  double wronglyGood() {
    return IntStream.range(0, fits.size())
            .filter(k -> isGood.get(k) && quality(fits.get(k)) != FitQuality.GOOD)
            .count()
        / (double) releases;
  }

  private FitQuality quality(Fit fit) {
    return FitQuality.of(error(fit) / bestError - 1.0, excessOfConstant());
  }

  /** The median excess over the fit without privacy of the rows as the releases shortened them. */
  double excessOfShortened() {
    double[] values = new double[releases];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    for (int k = 0; k < overExact.size(); k++) {
      values[k] = overExact.get(k);
    }
    return median(values);
  }

  /** The median of what the fits themselves expect; NaN if more than half of them do not know. */
  double expected() {
    return median(Fit::predictedExcess);
  }

  /** The median excess and what the fits expect, in percent, as two cells of a table. */
  String cells() {
    return cell("%.3g", excess()) + " | " + cell("%.3g", expected());
  }

  /** These, how often intervals hold, and how many are given, in percent, as four cells. */
  String cellsWithIntervals() {
    return String.join(" | ", cells(), cell("%.1f", coverage()), cell("%.0f", given()));
  }

  private static String cell(String format, double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, format, PERCENT * share);
  }

  /** The excess of the best constant. */
  double excessOfConstant() {
    return constantError / bestError - 1.0;
  }

  /** The median excess over the best constant; negative where something was learnt. */
  double overConstant() {
    return median(fit -> error(fit) / constantError - 1.0);
  }

  double refused() {
    return 1.0 - fits.size() / (double) releases;
  }

  /** The mean number of warnings. */
  double warnings() {
    return fits.stream().mapToInt(fit -> fit.warnings().size()).average().orElse(Double.NaN);
  }

  /** The share of intervals that contain the coefficient; NaN if there are no intervals. */
  double coverage() {
    return coefficients().flatMap(this::contains).average().orElse(Double.NaN);
  }

  /**
   * The least share over single coefficients that have an interval in at least a tenth of the
   * releases; NaN if there are none.
   */
  double leastCoverage() {
    return coefficients()
        .filter(k -> given(k).size() >= Math.max(1, releases / 10))
        .mapToDouble(k -> contains(k).average().orElseThrow())
        .min()
        .orElse(Double.NaN);
  }

  /** The share of releases whose fit has at least one interval. */
  double withIntervals() {
    return fits.stream()
            .filter(fit -> coefficients().anyMatch(k -> isGiven(fit.encoded(), k)))
            .count()
        / (double) releases;
  }

  /** The median width of an interval in the encoded scale; NaN if there are none. */
  double intervalWidth() {
    double[] widths =
        coefficients()
            .boxed()
            .flatMap(k -> given(k).stream().map(table -> table.privacyIntervals(LEVEL).get(k)))
            .mapToDouble(interval -> interval.upper() - interval.lower())
            .toArray();
    return widths.length == 0 ? Double.NaN : median(widths);
  }

  /** Whether each interval of a coefficient contains it. */
  private IntStream contains(int k) {
    return IntStream.range(0, fits.size())
        .filter(i -> isGiven(fits.get(i).encoded(), k))
        .map(i -> contains(fits.get(i), k, exact.get(i)));
  }

  private static int contains(Fit fit, int k, Fit exact) {
    double value = exact.encoded().estimates().get(k);
    return fit.encoded().privacyIntervals(LEVEL).get(k).contains(value) ? 1 : 0;
  }

  /** The median over coefficients of the median standard error over the real one; NaN if none. */
  double width() {
    double[] widths =
        coefficients().mapToDouble(this::width).filter(width -> !Double.isNaN(width)).toArray();
    return widths.length == 0 ? Double.NaN : median(widths);
  }

  private double width(int k) {
    List<CoefficientTable> tables = given(k);
    if (tables.isEmpty()) {
      return Double.NaN;
    }
    double square =
        IntStream.range(0, fits.size())
            .filter(i -> isGiven(fits.get(i).encoded(), k))
            .mapToDouble(i -> distance(fits.get(i), k, exact.get(i)))
            .map(distance -> distance * distance)
            .average()
            .orElseThrow();
    double[] errors = tables.stream().mapToDouble(t -> t.privacyStandardErrors().get(k)).toArray();
    return median(errors) / Math.sqrt(square);
  }

  private static double distance(Fit fit, int k, Fit exact) {
    return fit.encoded().estimates().get(k) - exact.encoded().estimates().get(k);
  }

  /** The share of coefficients that have an interval. */
  double given() {
    int all = best.coefficients().size() * fits.size();
    return coefficients().mapToLong(k -> given(k).size()).sum() / (double) all;
  }

  private List<CoefficientTable> given(int k) {
    return fits.stream().map(Fit::encoded).filter(table -> isGiven(table, k)).toList();
  }

  private static boolean isGiven(CoefficientTable table, int k) {
    return Double.isFinite(table.privacyIntervals(LEVEL).get(k).lower());
  }

  private IntStream coefficients() {
    return IntStream.range(0, best.coefficients().size());
  }

  private interface Figure {
    double of(Fit fit);
  }

  private double median(Figure figure) {
    double[] values = new double[releases];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    for (int k = 0; k < fits.size(); k++) {
      values[k] = figure.of(fits.get(k));
    }
    return median(values);
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return 0.5 * (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]);
  }
}
