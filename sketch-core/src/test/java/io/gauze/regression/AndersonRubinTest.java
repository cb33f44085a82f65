package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.CoefficientTable.Interval;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AndersonRubinTest {
  /** The quantile .95 of chi-square with one degree of freedom. */
  private static final double QUANTILE = 3.841458820694124;

  private static final DoubleVector FIRST = DoubleVector.of(1, 0, 0);

  /** Scores of two features; their last column belongs to the response. */
  private static AndersonRubin test(double... scores) {
    DMatrixRMaj covariance = new DMatrixRMaj(2, 2, true, 2.0, 0.3, 0.3, 1.0);
    DMatrixRMaj weights = new DMatrixRMaj(3, 1, true, -0.5, 0.2, 1.0);
    return AndersonRubin.of(new DMatrixRMaj(2, 3, true, scores), covariance, weights).orElseThrow();
  }

  /** The least of T along the second coefficient, by a search of a fine grid. */
  private static double least(AndersonRubin test, double first) {
    return IntStream.rangeClosed(-400_000, 400_000)
        .mapToDouble(k -> k * 1e-5)
        .map(
            second ->
                test.form().quadraticForm(-first, -second, 1.0)
                    / (first * first + second * second + 1.0))
        .min()
        .orElseThrow();
  }

  @Test
  void endsAreWhereTheLeastOfTheTestIsTheQuantile() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 7.0, -3.0);
    Interval interval = test.intervals(List.of(FIRST), 0.95).get(0);
    assertThat(least(test, interval.lower())).isCloseTo(QUANTILE, within(1e-7));
    assertThat(least(test, interval.upper())).isCloseTo(QUANTILE, within(1e-7));
    assertThat(least(test, 0.5 * (interval.lower() + interval.upper()))).isLessThan(QUANTILE);
  }

  @Test
  void distanceFromZeroIsTheLeastOfTheTestThere() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 7.0, -3.0);
    double distance = test.distancesFromZero(List.of(FIRST)).get(0);
    assertThat(distance * distance).isCloseTo(least(test, 0.0), within(1e-7));
  }

  /** An interval contains 0 exactly where the distance from 0 is below the root of its quantile. */
  @Test
  void intervalsAndDistancesAgree() {
    FitRandom random = Draws.random(5);
    int inside = 0;
    for (int i = 0; i < 300; i++) {
      double[] scores = new double[6];
      for (int k = 0; k < 6; k++) {
        scores[k] = (k == 0 || k == 4 ? 8.0 : 0.0) + 2.0 * random.nextGaussian();
      }
      AndersonRubin test = test(scores);
      if (test.isBounded(0.95)) {
        DoubleVector sum = DoubleVector.of(0.5, 2.0, 0.7);
        boolean contains = test.intervals(List.of(sum), 0.95).get(0).contains(0.0);
        double distance = test.distancesFromZero(List.of(sum)).get(0);
        assertThat(distance * distance <= QUANTILE).isEqualTo(contains);
        inside += contains ? 1 : 0;
      }
    }
    assertThat(inside).isBetween(50, 250);
  }

  /** The scores of the second feature are small: any value of it may be, and so of the first. */
  @Test
  void noIntervalIsBoundedWhereNoiseHidesADirection() {
    AndersonRubin test = test(9.0, 0.0, 5.0, 0.0, 0.5, 0.1);
    assertThat(test.isBounded(0.95)).isFalse();
    assertThat(test.isBounded(0.1)).isTrue();
    assertThat(test.intervals(List.of(FIRST), 0.95).get(0).lower()).isNaN();
    assertThat(test.distancesFromZero(List.of(FIRST)).get(0)).isPositive();
  }

  @Test
  void thereIsNoTestWithoutNoise() {
    DMatrixRMaj scores = new DMatrixRMaj(2, 3, true, 9.0, 2.0, 5.0, 2.0, 7.0, -3.0);
    DMatrixRMaj weights = new DMatrixRMaj(3, 1, true, -0.5, 0.2, 1.0);
    assertThat(AndersonRubin.of(scores, new DMatrixRMaj(2, 2), weights))
        .isEqualTo(Optional.empty());
  }

  @Test
  void constantsMoveIntervals() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 7.0, -3.0);
    Interval interval = test.intervals(List.of(FIRST), 0.95).get(0);
    List<DoubleVector> moved = List.of(DoubleVector.of(1, 0, -interval.upper()));
    assertThat(test.intervals(moved, 0.95).get(0).upper()).isCloseTo(0.0, within(1e-12));
    double distance = test.distancesFromZero(moved).get(0);
    assertThat(distance * distance).isCloseTo(QUANTILE, within(1e-9));
  }

  /** A combination with a coefficient that the release does not have is not known. */
  @Test
  void othersAreNotKnown() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 7.0, -3.0);
    ConfidenceSets all = new ConfidenceSets(test, test, List.of(0, 1), List.of()).of(0, 2);
    ConfidenceSets sets = all.of(new double[][] {{1, 0, 0}, {1, 1, 0}}, 0.0, 0.0);
    List<Interval> intervals = test.intervals(sets.combinations(), 0.95);
    assertThat(intervals.get(0)).isEqualTo(test.intervals(List.of(FIRST), 0.95).get(0));
    assertThat(intervals.get(1).upper()).isNaN();
    assertThat(test.distancesFromZero(sets.combinations()).get(1)).isNaN();
  }

  /**
   * Two features differ by little, from far below the noise to far above it. The test of the true
   * slopes has its level, whatever they hide: 95 % of 2,000 releases, whose standard deviation is
   * .5 %, and more where most is hidden.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.0, 0.05, 0.1, 0.3, 1.0})
  void levelHoldsWhateverNoiseHides(double apart) {
    FitRandom random = Draws.random(7);
    DMatrixRMaj root = new DMatrixRMaj(3, 3, true, 20, 20, 0, 0, 20 * apart, 0, 0, 0, 6);
    DMatrixRMaj factor =
        new DMatrixRMaj(3, 3, true, 1, 0, 0.8, 0, 1, -1.5, 0, 0, 1); // the response, by slopes
    DMatrixRMaj columns = new DMatrixRMaj(3, 3);
    CommonOps_DDRM.mult(root, factor, columns);
    DMatrixRMaj moments = new DMatrixRMaj(3, 3);
    CommonOps_DDRM.multTransA(columns, columns, moments);
    int inside = 0;
    for (int i = 0; i < 2000; i++) {
      DMatrixRMaj noisy = moments.copy();
      for (int row = 0; row < 3; row++) {
        for (int column = row; column < 3; column++) {
          double noise = (row == column ? Math.sqrt(2.0) : 1.0) * random.nextGaussian();
          noisy.add(row, column, noise);
          if (row != column) {
            noisy.add(column, row, noise);
          }
        }
      }
      inside += contains(noisy, 0.8, -1.5) ? 1 : 0;
    }
    assertThat(inside / 2000.0).isBetween(0.93, 0.985);
  }

  /** Checks whether the first slope is in the set: the test of it shifts the response. */
  private static boolean contains(DMatrixRMaj noisy, double first, double second) {
    DMatrixRMaj weights = new DMatrixRMaj(3, 1, true, -first, -second, 1.0);
    DMatrixRMaj covariance = new DMatrixRMaj(2, 2);
    double square = CommonOps_DDRM.dot(weights, weights);
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        covariance.set(i, j, weights.get(i) * weights.get(j) + (i == j ? square : 0.0));
      }
    }
    DMatrixRMaj scores = CommonOps_DDRM.extract(noisy, 0, 2, 0, 3);
    SymmetricMatrix form = AndersonRubin.of(scores, covariance, weights).orElseThrow().form();
    // u = (-first, -b, 1): the least over b of u'Q u / u'u, a generalized eigenvalue of two
    DMatrixRMaj basis =
        new DMatrixRMaj(
            3, 2, true, -first / Math.hypot(first, 1), 0, 0, 1, 1 / Math.hypot(first, 1), 0);
    DMatrixRMaj half = new DMatrixRMaj(3, 2);
    DMatrixRMaj reduced = new DMatrixRMaj(2, 2);
    CommonOps_DDRM.mult(form.select(0, 1, 2), basis, half);
    CommonOps_DDRM.multTransA(basis, half, reduced);
    double mean = 0.5 * (reduced.get(0, 0) + reduced.get(1, 1));
    double difference = 0.5 * (reduced.get(0, 0) - reduced.get(1, 1));
    return mean - Math.hypot(difference, reduced.get(0, 1)) <= QUANTILE;
  }
}
