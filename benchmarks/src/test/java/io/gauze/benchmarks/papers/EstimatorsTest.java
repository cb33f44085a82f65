package io.gauze.benchmarks.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.benchmarks.papers.PublishedFunctional.Penalty;
import io.gauze.linalg.DoubleVector;
import io.gauze.payload.MomentNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The estimators that papers publish, where their noise is next to nothing. */
final class EstimatorsTest {
  private static final int FEATURES = 6;
  private static final double HUGE = 1e12; // an epsilon

  private static double[][] moments() {
    double[][] moments = new double[FEATURES + 2][FEATURES + 2];
    for (double[] row : SparseRows.of(20_000, FEATURES)) {
      Matrix.add(moments, row);
    }
    return moments;
  }

  private static double[] truth() {
    double[] truth = new double[FEATURES + 1];
    Arrays.setAll(truth, SparseRows::slope);
    return truth;
  }

  /** Slopes are off by a deviation of .0018, .25 / sqrt 3 of a residual. */
  @Test
  void leastSquaresFindTheSlopesOfSparseRows() {
    double[] found = Matrix.regression(moments());
    assertThat(found).containsExactly(truth(), within(0.01));
    assertThat(truth()).containsExactly(0, 0.15, -0.15, 0.15, -0.15, 0.15, 0);
  }

  @Test
  void penaltiesShrinkWhatTheyShould() {
    double[][] moments = PublishedFunctional.noisy(moments(), HUGE, new SplittableRandom(1));
    double[] squares = Matrix.regression(moments);
    double[] none = PublishedFunctional.fit(moments, new Penalty("OLS", Double.NaN), 1e9);
    double[] ridge = PublishedFunctional.fit(moments, new Penalty("ridge", 1), 6_700);
    double[] lasso = PublishedFunctional.fit(moments, new Penalty("LASSO", 0), 400);
    double[] net = PublishedFunctional.fit(moments, new Penalty("net", 0.5), 1e-9);
    assertThat(none).containsExactly(squares);
    assertThat(net).containsExactly(squares, within(1e-6));
    // sums of squares of a feature are a third of the rows
    assertThat(ridge[1]).isCloseTo(0.5 * squares[1], within(0.003));
    assertThat(lasso[1]).isCloseTo(squares[1] - 200 / 6_667.0, within(0.003));
    assertThat(lasso[6]).isZero();
  }

  /** Where the moments are not positive definite, the fit ends at the side of its box. */
  @Test
  void aFitWithoutAMinimumEndsInItsBox() {
    double[][] moments = {{-1, 3}, {3, 1}};
    assertThat(PublishedFunctional.fit(moments, new Penalty("LASSO", 0), 0.1))
        .containsExactly(10.0);
  }

  /** Of 40,000 draws the mean size has a deviation of .005 scales, the mean one of .007. */
  @Test
  void laplaceNoiseHasItsScale() {
    SplittableRandom random = new SplittableRandom(2);
    double[] draws = random.doubles(40_000).map(any -> 0).toArray();
    Arrays.setAll(draws, k -> PublishedFunctional.laplace(3, random));
    assertThat(Arrays.stream(draws).map(Math::abs).average().orElseThrow())
        .isCloseTo(3, within(0.1));
    assertThat(Arrays.stream(draws).average().orElseThrow()).isCloseTo(0, within(0.13));
  }

  @Test
  void theLibraryFitsNoisyMomentsAsTheyAre() {
    double[][] moments = moments();
    double[] fit =
        GauzeFit.of(moments, new MomentNoise.Gaussian(1e-6), GauzeFit.NONE).orElseThrow();
    assertThat(fit).containsExactly(Matrix.regression(moments), within(1e-9));
    assertThat(GauzeFit.of(moments, new MomentNoise.Gaussian(1e9), GauzeFit.NONE)).isEmpty();
  }

  /** Rows of two features in their units, of which the second has no slope. */
  private static ScaledRows scaled() {
    SplittableRandom random = new SplittableRandom(3);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      double x = random.nextDouble();
      rows.add(new double[] {100 * x, 5 - random.nextDouble(), 10 * x});
    }
    return new ScaledRows(
        "made up", "units", rows, DoubleVector.of(0, 4, 0), DoubleVector.of(100, 5, 20));
  }

  @Test
  void columnsAreScaledToTheirRanges() {
    ScaledRows rows = scaled();
    double[] first = rows.rows().get(0);
    double x = first[0] / 100;
    assertThat(rows.scaled(0))
        .containsExactly(new double[] {2 * x - 1, 2 * first[1] - 9, x - 1}, within(1e-12));
    assertThat(rows.half()).isEqualTo(10);
    ScaledRows byRows = rows.rangedByRows();
    assertThat(byRows.half()).isCloseTo(5, within(0.01));
    ScaledRows one = rows.first(1);
    assertThat(one.scaled(0)).containsExactly(new double[] {2 * x - 1, x - 1}, within(1e-12));
    double[][] all = rows.moments(0, 1);
    double[][] parts = Matrix.plus(rows.moments(0, 2), rows.moments(1, 2));
    assertThat(all[0][0]).isEqualTo(20_000);
    assertThat(parts[1]).containsExactly(all[1], within(1e-6));
  }

  /** y / 10 - 1 = (z + 1) / 2 - 1 for the scaled feature z, on the middles of some 8 bins. */
  @Test
  void aHistogramOfAllColumnsHasTheSlopes() {
    HistogramEstimator estimator = new HistogramEstimator(scaled(), 5);
    double[] found = estimator.fit(HUGE, new SplittableRandom(4));
    assertThat(found).containsExactly(new double[] {-0.5, 0.5, 0}, within(0.05));
  }

  @Test
  void sizesOfThePublishedSketchesAreThoseOfThePaper() {
    assertThat(PublishedSketches.noiseRows(64)).isEqualTo(267);
    assertThat(PublishedSketches.levels()).isEqualTo(6); // of 2^17 rows to the base 8
    assertThat(PublishedSketches.sigma(2, 3))
        .isCloseTo(3 * Math.sqrt(10) * Math.sqrt(2 * Math.log(1.25e6)), within(1e-9));
    assertThat(PublishedSketches.ridge(100, 1) / PublishedSketches.ridge(100, 2))
        .isCloseTo(2, within(1e-12));
    SplittableRandom random = new SplittableRandom(5);
    int second = 0;
    for (int i = 0; i < 80_000; i++) {
      List<Integer> levels = PublishedSketches.levelsOf(random);
      assertThat(levels.get(0)).isZero();
      second += levels.contains(1) ? 1 : 0;
    }
    assertThat(second).isBetween(9_500, 10_500); // an eighth, with a deviation of 94
  }

  /** Without noise, sketches of 1,024 rows have the slopes of a tenth. */
  @Test
  void sketchesOfLinearRowsHaveTheirSlopes() {
    LinearRows rows = new LinearRows();
    double[] slopes = new double[LinearRows.SIZE - 1];
    Arrays.fill(slopes, 1, slopes.length, 0.1);
    double[] exact = Matrix.regression(rows.moments());
    assertThat(exact).containsExactly(slopes, within(0.002));
    assertThat(rows.absolute(exact)).isCloseTo(0.05, within(0.002));
    SplittableRandom random = new SplittableRandom(6);
    double[][] sketched = PublishedSketches.countSketch(rows, 1024, HUGE, random);
    assertThat(Matrix.regression(sketched)).containsExactly(slopes, within(0.02));
    double[] lad = PublishedSketches.leastAbsolute(rows, 256, Double.POSITIVE_INFINITY, random);
    assertThat(lad).containsExactly(slopes, within(0.05));
  }

  /** {@code k e = epsilon}, its concentrated form, and the equation of advanced composition. */
  @ParameterizedTest
  @EnumSource(PublishedIrls.Accounting.class)
  void eachNoiseHasItsPart(PublishedIrls.Accounting accounting) {
    double e = accounting.each(0.9, 10);
    double advanced = Math.sqrt(20 * Math.log(1 / PublishedIrls.DELTA)) * e;
    double spent =
        switch (accounting) {
          case PLAIN -> 10 * e;
          case CONCENTRATED -> 10 * e * e / 2;
          case ADVANCED -> advanced + 10 * e * Math.expm1(e);
        };
    assertThat(spent).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void reweightingWithNextToNoNoiseIsThatWithoutNoise() {
    IrlsData data = IrlsData.of(2_000, 1);
    double[] exact = PublishedIrls.withoutNoise(data, 0.05, 3);
    IrlsFigure.Setting setting = new IrlsFigure.Setting(HUGE, 0.05, 3);
    for (boolean gaussian : new boolean[] {true, false}) {
      double[] noisy =
          PublishedIrls.fit(data, PublishedIrls.Accounting.PLAIN, gaussian, setting, 7);
      assertThat(noisy).containsExactly(exact, within(1e-6));
    }
    assertThat(data.logLikelihood(exact))
        .isGreaterThan(data.logLikelihood(new double[IrlsData.FEATURES]) + 0.1);
  }

  /** Among 2,000 rows the model without noise is the best, and wide noise worse than zeros. */
  @Test
  void theFigureOfReweightingHasAPointForEachCurve() {
    List<FigureRow> points = IrlsFigure.rows(List.of(2_000), 2);
    assertThat(points.stream().map(FigureRow::variant).distinct()).hasSameSizeAs(points);
    FigureRow best =
        points.stream().max((a, b) -> Double.compare(a.median(), b.median())).orElseThrow();
    assertThat(best.variant()).isEqualTo("non-private IRLS");
    assertThat(points).allMatch(point -> point.low() <= point.median() && point.x() == 2_000);
  }
}
