package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.CoefficientTable.Interval;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.Erfc;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** T of coefficients, from the eigenvalues and eigenvectors of Q. */
  private static double value(AndersonRubin test, double... u) {
    double value = 0.0;
    for (int k = 0; k < u.length; k++) {
      double part = 0.0;
      for (int i = 0; i < u.length; i++) {
        part += test.vectors().get(k).get(i) * u[i];
      }
      value += test.values().get(k) * part * part;
    }
    return value / Arrays.stream(u).map(x -> x * x).sum();
  }

  /** T along the second coefficient, by a search of a fine grid of angles. */
  private static DoubleSummaryStatistics along(AndersonRubin test, double first) {
    return IntStream.range(0, 400_000)
        .mapToDouble(k -> Math.PI * k / 400_000)
        .map(
            angle ->
                value(
                    test,
                    -first * Math.cos(angle),
                    -Math.hypot(first, 1.0) * Math.sin(angle),
                    Math.cos(angle)))
        .summaryStatistics();
  }

  /** The probability of a larger least root beside the second one. */
  private static double beyond(AndersonRubin test, double first) {
    DoubleSummaryStatistics roots = along(test, first);
    return LeastRoot.beyond(roots.getMin(), roots.getMax());
  }

  @Test
  void endsAreWhereTheLeastRootIsTheQuantile() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 4.0, -3.0);
    assertThat(test.values().get(1)).isBetween(10.0, 100.0);
    Interval interval = test.intervals(List.of(FIRST), 0.95).get(0);
    assertThat(beyond(test, interval.lower())).isCloseTo(0.05, within(1e-7));
    assertThat(beyond(test, interval.upper())).isCloseTo(0.05, within(1e-7));
    assertThat(beyond(test, 0.5 * (interval.lower() + interval.upper()))).isGreaterThan(0.1);
  }

  /** Where the second root is large, the quantile is that of chi-square. */
  @Test
  void endsAreThoseOfChiSquareWhereNoiseHidesNothing() {
    AndersonRubin test = test(90.0, 20.0, 50.0, 20.0, 70.0, -30.0);
    assertThat(test.values().get(1)).isGreaterThan(100.0);
    Interval interval = test.intervals(List.of(FIRST), 0.95).get(0);
    assertThat(along(test, interval.lower()).getMin()).isCloseTo(QUANTILE, within(1e-6));
    assertThat(along(test, interval.upper()).getMin()).isCloseTo(QUANTILE, within(1e-6));
  }

  @Test
  void distanceFromZeroIsThatOfTheLeastRootThere() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 4.0, -3.0);
    double distance = test.distancesFromZero(List.of(FIRST)).get(0);
    assertThat(Erfc.value(distance / Math.sqrt(2.0))).isCloseTo(beyond(test, 0.0), within(1e-7));
  }

  /** An interval contains 0 exactly where the distance from 0 is below the root of its quantile. */
  @Test
  void intervalsAndDistancesAgree() {
    FitRandom random = Draws.random(5);
    int inside = 0;
    int bounded = 0;
    for (int i = 0; i < 3000; i++) {
      double[] scores = new double[6];
      for (int k = 0; k < 6; k++) {
        scores[k] = (k == 0 || k == 4 ? 5.0 : 0.0) + 2.0 * random.nextGaussian();
      }
      AndersonRubin test = test(scores);
      if (test.isBounded(0.95)) {
        DoubleVector sum = DoubleVector.of(0.5, 2.0, 0.7);
        boolean contains = test.intervals(List.of(sum), 0.95).get(0).contains(0.0);
        double distance = test.distancesFromZero(List.of(sum)).get(0);
        assertThat(distance * distance <= QUANTILE).isEqualTo(contains);
        inside += contains ? 1 : 0;
        bounded++;
      }
    }
    assertThat(bounded).isBetween(1000, 2900);
    assertThat(inside).isBetween(500, bounded - 500);
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
    assertThat(distance * distance).isCloseTo(QUANTILE, within(1e-7));
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

  /** A release whose features' block is indefinite shows no signal in some direction. */
  @Test
  void noIntervalIsBoundedIfTheReleaseIsIndefinite() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, -7.0, -3.0);
    assertThat(test.isDefinite()).isFalse();
    assertThat(test.isBounded(0.95)).isFalse();
  }

  /**
   * The sum of the last two features is large, and their difference from far below the noise to far
   * above it; their slopes are large, and of other signs. Of 1,000 releases, counting intervals
   * without end as right, at least 95 % contain the slopes of the rows, but for 3 standard
   * deviations, and so do those of predictions across the difference.
   */
  @ParameterizedTest
  @CsvSource({"0, 0.5", "0, 3", "0, 30", "0.3, 30", "1, 3", "1, 30", "3, 3", "10, 30", "100, 3"})
  void levelHoldsWhateverNoiseHides(double difference, double slope) {
    SplittableRandom random = new SplittableRandom(7);
    ExactMoments rows = twins(difference, slope);
    RegressionProblem problem = Simulation.problem(5);
    double[] across = {0.0, 0.0, 0.5, -0.5, 0.0};
    int right = 0;
    int predicted = 0;
    int covered = 0;
    int bounded = 0;
    for (int i = 0; i < 1000; i++) {
      Fit fit = Simulation.fit(Simulation.release(rows, 1.0, random), problem);
      Interval interval = fit.encoded().privacyIntervals(0.95).get(2);
      boolean ends = !Double.isNaN(interval.lower());
      bounded += ends ? 1 : 0;
      covered += interval.contains(slope) ? 1 : 0;
      right += !ends || interval.contains(slope) ? 1 : 0;
      Interval mean = fit.predict(List.of(across)).intervals(0.95).get(0);
      predicted += Double.isNaN(mean.lower()) || mean.contains(0.2 + slope) ? 1 : 0;
    }
    assertThat(right).isGreaterThanOrEqualTo(930);
    assertThat(predicted).isGreaterThanOrEqualTo(930);
    if (difference == 100.0) {
      assertThat(bounded).isEqualTo(1000);
      assertThat(covered).isBetween(930, 970);
    } else if (difference == 0.0) {
      assertThat(bounded).isLessThan(100);
    }
  }

  /** 1,600 rows; the last two features differ in a direction with this eigenvalue. */
  private static ExactMoments twins(double difference, double slope) {
    ExactMoments rows = ExactMoments.create(5, Simulation.INTERCEPT);
    double apart = Math.sqrt(difference / 3200.0);
    for (int k = 0; k < 1600; k++) {
      double x = (k & 1) - 0.5;
      double sum = (k >> 1 & 1) - 0.5;
      double half = 2.0 * apart * ((k >> 2 & 1) - 0.5);
      double residual = 0.6 * ((k >> 3 & 1) - 0.5);
      double response = 0.2 + 0.4 * x + 2.0 * slope * half + residual;
      rows.add(Simulation.INTERCEPT, x, sum + half, sum - half, response);
    }
    return rows;
  }
}
