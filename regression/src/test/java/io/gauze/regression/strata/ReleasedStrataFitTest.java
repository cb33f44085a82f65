package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.message.FitMessage;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.LadRows;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.ReferenceDesign;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Least absolute deviations on stratified moments against the least mean absolute error on all
 * rows; delta 1e-6, replace-one, B the 99 % quantile of the norm, rows clipped to it. Seeds are
 * pinned; the medians that were measured stand beside the bounds.
 */
class ReleasedStrataFitTest {
  private static final int RELEASES = 21;
  private static LadRows many;
  private static List<Fit> manyFits;

  @BeforeAll
  static void rows() {
    many = LadRows.simulated(100_000, 10, 1);
    manyFits = many.fits(planned(many), 1.0, RELEASES);
  }

  private static int planned(LadRows rows) {
    return StratifiedMomentsSpec.plannedStrata(rows.size(), rows.dimension(), rows.sigma(1.0));
  }

  private static Fit exact(LadRows rows, int strata, RegressionProblem problem) {
    StratifiedMomentsSpec spec = rows.spec(strata);
    return LadRows.fit(LadRows.release(spec, rows.sums(spec, false), 0.0, 0), problem);
  }

  /**
   * Measured: .49, 1.01, 1.06, .26 and 1.05 %; flights .31, flights_schedule 1.04, which are left
   * out here for their size. One stratum is least squares but for the loss.
   */
  @ParameterizedTest
  @ValueSource(strings = {"wine_white", "wine_red", "adult_hours", "california", "diamonds"})
  void withoutNoise(String task) throws IOException {
    LadRows rows = LadRows.of(new ReferenceDesign(task));
    Fit fit = exact(rows, 8, rows.problem());
    assertThat(rows.excess(fit)).isBetween(0.0, 0.012);
    assertThat(fit.convergence().relativeGap()).isLessThan(1e-12);
    assertThat(fit.warnings()).isEmpty();
    assertThat(fit.privacyCovariance().get(0, 0)).isEqualTo(0.0);
    assertThat(rows.excess(exact(rows, 1, rows.problem()))).isGreaterThan(rows.excess(fit) + 0.001);
  }

  /** Measured: .45 %, predicted .3 %; 9 strata .1 %; one stratum 42 %. */
  @Test
  void outliersInManyRows() {
    assertThat(planned(many)).isEqualTo(5);
    assertThat(many.medianExcess(manyFits)).isBetween(0.0, 0.006);
    assertThat(many.medianExcess(many.fits(9, 1.0, 5))).isBetween(0.0, 0.002);
    double predicted = manyFits.stream().mapToDouble(Fit::predictedExcess).average().orElse(0);
    assertThat(predicted).isBetween(0.0015, 0.009);
    assertThat(many.medianExcess(many.fits(1, 1.0, 3))).isGreaterThan(0.1);
  }

  /** Measured: 1.3 %, predicted 1.4 %; two strata 16 %. */
  @Test
  void outliersInFewRows() {
    LadRows few = LadRows.simulated(10_000, 5, 1);
    assertThat(planned(few)).isEqualTo(5);
    List<Fit> fits = few.fits(5, 1.0, RELEASES);
    assertThat(few.medianExcess(fits)).isBetween(0.0, 0.03);
    assertThat(fits).allSatisfy(fit -> assertThat(fit.predictedExcess()).isBetween(0.002, 0.05));
  }

  /** Measured: 3.1 %, predicted 4.9 %. */
  @Test
  void houseValues() throws IOException {
    LadRows rows = LadRows.of(new ReferenceDesign("california"));
    assertThat(planned(rows)).isEqualTo(5);
    List<Fit> fits = rows.fits(5, 1.0, RELEASES);
    assertThat(rows.medianExcess(fits)).isBetween(0.0, 0.04);
    double predicted = fits.stream().mapToDouble(Fit::predictedExcess).average().orElse(0);
    assertThat(predicted).isBetween(0.015, 0.08);
    assertThat(Said.by(fits.get(0))).contains(FitMessage.FEW);
  }

  /**
   * Distances to the fit of the same strata without noise, over their standard errors: 231 of them,
   * of which 95 % would be within 1.96 if they were normal and the errors exact; a share of .85 to
   * 1 allows for errors 25 % too small.
   */
  @Test
  void standardErrorsOfNoise() {
    StratifiedMomentsSpec spec = many.spec(planned(many));
    Fit noiseless =
        LadRows.fit(LadRows.release(spec, many.sums(spec, true), 0.0, 0), many.problem());
    int inside = 0;
    for (Fit fit : manyFits) {
      CoefficientTable table = fit.encoded();
      for (int k = 0; k < 11; k++) {
        double distance = table.estimates().get(k) - noiseless.encoded().estimates().get(k);
        inside += Math.abs(distance) < 1.96 * table.privacyStandardErrors().get(k) ? 1 : 0;
      }
    }
    assertThat(inside / (11.0 * RELEASES)).isBetween(0.85, 1.0);
  }

  /**
   * Sampling: residuals .05 N(0, 1), 5 % of the rows far above, features of variance 1/9. A slope
   * has the deviation {@code sqrt(pi / 2) .05 * 3 / (.95 sqrt n)} = 6.3e-4 or a little more.
   */
  @Test
  void standardErrorsOfSampling() {
    Fit fit = exact(many, 8, many.problem());
    assertThat(fit.encoded().standardErrors().get(3)).isBetween(5.5e-4, 8.5e-4);
    assertThat(fit.encoded().privacyStandardErrors().get(3)).isEqualTo(0.0);
    assertThat(fit.rows()).isCloseTo(100_000, within(1e-6));
  }

  /**
   * 19 quantiles of one release at each of 1,000 rows may cross by their standard errors at most.
   * Outliers on one side only bend the outermost quantiles, so that the planes of the rows
   * themselves cross there: rows without outliers. The share of rows below is tau: measured, off by
   * .01 at most.
   */
  @Test
  void quantilesDoNotCross() {
    LadRows clean = LadRows.simulated(100_000, 10, 0.0, 2);
    StratifiedMomentsSpec spec = clean.spec(8);
    ReleasedStrata release = LadRows.release(spec, clean.sums(spec, true), clean.sigma(1.0), 5);
    List<Fit> fits =
        IntStream.rangeClosed(1, 19)
            .mapToObj(k -> clean.problem().withLoss(new Loss.Quantile(k / 20.0)))
            .map(problem -> LadRows.fit(release, problem))
            .toList();
    double worst = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 1_000; i++) {
      double[] row = Arrays.copyOf(clean.rows()[i], 11);
      for (int k = 1; k < fits.size(); k++) {
        double rise = at(fits.get(k), row) - at(fits.get(k - 1), row);
        worst = Math.min(worst, rise + error(fits.get(k), row) + error(fits.get(k - 1), row));
      }
    }
    assertThat(worst).isGreaterThan(0.0);
    for (int k = 0; k < fits.size(); k++) {
      assertThat(shareBelow(clean, fits.get(k))).isCloseTo((k + 1) / 20.0, within(0.02));
    }
  }

  private static double at(Fit fit, double... row) {
    return IntStream.range(0, row.length)
        .mapToDouble(k -> row[k] * fit.coefficients().get(k))
        .sum();
  }

  private static double error(Fit fit, double... row) {
    return Math.sqrt(
        fit.privacyCovariance().quadraticForm(row) + fit.samplingCovariance().quadraticForm(row));
  }

  private static double shareBelow(LadRows rows, Fit fit) {
    long below = 0;
    for (double[] row : rows.rows()) {
      below += row[11] < at(fit, Arrays.copyOf(row, 11)) ? 1 : 0;
    }
    return (double) below / rows.size();
  }

  @Test
  void isReproducible() {
    StratifiedMomentsSpec spec = many.spec(planned(many));
    ReleasedStrata release = LadRows.release(spec, many.sums(spec, true), many.sigma(1.0), 3);
    assertThat(LadRows.fit(release, many.problem())).isEqualTo(manyFits.get(3));
    assertThat(manyFits.get(4)).isNotEqualTo(manyFits.get(3));
  }

  /** Beyond all residuals Huber's loss is half of the square, whatever the strata. */
  @Test
  void wideHuberIsLeastSquares() {
    StratifiedMomentsSpec spec = many.spec(8);
    ReleasedStrata release = LadRows.release(spec, many.sums(spec, false), 0.0, 0);
    RegressionProblem squares = many.problem().withLoss(Loss.SQUARED);
    Fit wide = LadRows.fit(release, squares.withLoss(new Loss.Huber(100)).withLambda(5));
    Fit least = LadRows.fit(release, squares.withLambda(10));
    for (int k = 0; k < 11; k++) {
      assertThat(wide.coefficients().get(k)).isCloseTo(least.coefficients().get(k), within(1e-6));
      assertThat(wide.encoded().standardErrors().get(k))
          .isCloseTo(least.encoded().standardErrors().get(k), within(1e-5));
    }
    Fit robust = LadRows.fit(release, squares.withLoss(new Loss.Huber(0.05)));
    assertThat(many.excess(robust)).isLessThan(0.01);
    assertThat(many.excess(least)).isGreaterThan(0.1);
  }

  /** Leaving a column out of the problem is leaving it out of the rows. */
  @Test
  void fitsAnyFeatures() {
    RegressionProblem all = many.problem();
    RegressionProblem few =
        new RegressionProblem(
            all.names(), all.response(), List.of(4, 0, 1), Loss.ABSOLUTE, Penalty.AUTO);
    Fit fit = exact(many, 8, few);
    assertThat(fit.problem().featureNames()).containsExactly("c4", "c0", "c1");
    Fit whole = exact(many, 8, all);
    // features are independent: slopes stay, up to sampling of 100,000 and the larger residual
    assertThat(fit.coefficients().get(0)).isCloseTo(whole.coefficients().get(4), within(0.01));
    assertThat(fit.warnings()).isEmpty();
  }

  /** Strata of a feature: there is a fit, and a warning. */
  @Test
  void otherResponses() {
    RegressionProblem other =
        new RegressionProblem(
            many.problem().names(), 1, List.of(0, 2, 3), Loss.ABSOLUTE, Penalty.AUTO);
    Fit fit = exact(many, 8, other);
    assertThat(Said.by(fit)).containsExactly(FitMessage.AXIS);
    // features are independent of each other: nothing explains this one
    assertThat(fit.coefficients().get(1)).isCloseTo(0.0, within(0.02));
  }

  /** An explicit ridge is used as it is and holds coefficients back. */
  @Test
  void explicitRidge() {
    StratifiedMomentsSpec spec = many.spec(8);
    ReleasedStrata release = LadRows.release(spec, many.sums(spec, true), many.sigma(1.0), 3);
    Fit ridge = LadRows.fit(release, many.problem().withLambda(1e5));
    assertThat(ridge.lambda()).isEqualTo(1e5);
    assertThat(size(ridge)).isLessThan(0.7 * size(manyFits.get(3)));
    Fit exact =
        LadRows.fit(
            LadRows.release(spec, many.sums(spec, true), 0.0, 0), many.problem().withLambda(1e5));
    assertThat(size(ridge)).isCloseTo(size(exact), within(0.1 * size(exact)));
    double real = many.excess(ridge);
    assertThat(ridge.predictedExcess()).isCloseTo(real, within(0.5 * real));
    assertThat(Said.by(ridge)).contains(FitMessage.PULLED);
  }

  private static double size(Fit fit) {
    double[] slopes = fit.coefficients().toArray();
    slopes[0] = 0.0;
    return Math.sqrt(Simulation.norm2(slopes));
  }

  /** Independent features: no fit is worse than the best constant by more than 4 %. */
  @Test
  void pureNoiseIsNotLearnt() {
    LadRows rows = LadRows.independent(1_000, 6, 4);
    List<Fit> constants = new ArrayList<>();
    for (double epsilon : new double[] {0.1, 1.0}) {
      List<Fit> fits = rows.fits(planned(rows), epsilon, RELEASES);
      assertThat(rows.medianExcess(fits)).isLessThan(0.04);
      constants.addAll(
          fits.stream().filter(fit -> Said.by(fit).contains(FitMessage.VAIN)).toList());
    }
    assertThat(constants).isNotEmpty().allMatch(Fit::isConstant);
  }

  /** Where noise exceeds signal there are no standard errors, and the warning says so. */
  @Test
  void withholdsWhatNoiseHides() {
    LadRows few = LadRows.simulated(1_000, 10, 1);
    Fit fit = few.fits(5, 1.0, 1).get(0);
    assertThat(fit.withheld()).isNotEmpty();
    assertThat(fit.warnings()).anyMatch(w -> w.message().contains("standard errors are withheld"));
    assertThat(Said.by(fit)).containsExactly(FitMessage.VAIN);
    assertThat(manyFits.get(0).withheld()).isEmpty();
  }
}
