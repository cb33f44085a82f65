package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.rows.ExactMoments;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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

  /** The least of T along the second coefficient, by a search of a fine grid. */
  private static double least(AndersonRubin test, double first) {
    return IntStream.rangeClosed(-400_000, 400_000)
        .mapToDouble(k -> value(test, -first, -k * 1e-5, 1.0))
        .min()
        .orElseThrow();
  }

  /** T, from the eigenvalues and eigenvectors of Q. */
  private static double value(AndersonRubin test, double... u) {
    double value = 0.0;
    double square = 0.0;
    for (int k = 0; k < u.length; k++) {
      double part = 0.0;
      for (int i = 0; i < u.length; i++) {
        part += test.vectors().get(k).get(i) * u[i];
      }
      value += test.values().get(k) * part * part;
      square += u[k] * u[k];
    }
    return value / square;
  }

  /** T = |v|^2 s'C^-1 s / |u|^2 of u = (-1, 2, 1) and v = (-.5, .2, 1), calculated by hand. */
  @Test
  void eigenvaluesAreThoseOfTheTest() {
    AndersonRubin test = test(9.0, 2.0, 5.0, 2.0, 7.0, -3.0);
    double[] s = {-9.0 + 4.0 + 5.0, -2.0 + 14.0 - 3.0};
    double form = (s[0] * s[0] - 0.6 * s[0] * s[1] + 2.0 * s[1] * s[1]) / (2.0 - 0.09);
    assertThat(value(test, -1.0, 2.0, 1.0)).isCloseTo(1.29 * form / 6.0, within(1e-9));
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

  /**
   * Eleven features have the size of the noise, and the intercept is known well: squares of the
   * noise of many directions move what is left of it.
   */
  @ParameterizedTest
  @CsvSource({"1", "4"})
  void levelHoldsWhereManyDirectionsHaveTheSizeOfTheNoise(double intercept) {
    double[] eigenvalues = new double[12];
    double[] b = new double[12];
    for (int k = 0; k < 12; k++) {
      eigenvalues[k] = k == 0 ? 400.0 : 7.0;
      b[k] = k == 0 ? intercept : 0.3 - 0.6 * (k % 2);
    }
    Tested tested = tested(diagonal(eigenvalues, b), b[0], 3000);
    assertThat(tested.bounded).isGreaterThan(2800);
    assertThat(tested.wrong).isBetween(30, 210);
  }

  /** With a single feature, too, the release may show more than there is. */
  @ParameterizedTest
  @CsvSource({"0.01, 10", "0.1, 5", "0.5, 2", "2, 3", "100, 1"})
  void levelHoldsOfASingleFeature(double eigenvalue, double b) {
    Tested tested = tested(diagonal(new double[] {eigenvalue}, b), b, 4000);
    assertThat(tested.wrong).isLessThan(250);
  }

  /** A direction that noise nearly hides beside one of a thousand million rows, in each feature. */
  @Test
  void levelHoldsWhereDirectionsHaveVeryDifferentSizes() {
    double most = 0.5 * (1e9 + 5.0);
    double rest = 0.5 * (1e9 - 5.0);
    double[][] moments = {
      {most, rest, most - rest}, {rest, most, rest - most}, {most - rest, rest - most, 100.0}
    };
    Tested tested = tested(moments, 1.0, 3000); // both slopes are along the small eigenvalue
    assertThat(tested.bounded).isGreaterThan(2800);
    assertThat(tested.wrong).isBetween(30, 210);
  }

  private record Tested(int bounded, int wrong) {}

  /** Tests the first coefficient of so many releases of these moments. */
  private static Tested tested(double[][] moments, double b, int releases) {
    SplittableRandom random = new SplittableRandom(8);
    int dimension = moments.length;
    RegressionProblem problem = Simulation.problem(dimension);
    int bounded = 0;
    int wrong = 0;
    for (int i = 0; i < releases; i++) {
      double[] upper = new double[SymmetricMatrix.length(dimension)];
      int next = 0;
      for (int j = 0; j < dimension; j++) {
        for (int k = j; k < dimension; k++) {
          double deviation = j == k ? 1.0 : Math.sqrt(0.5);
          upper[next++] = moments[j][k] + deviation * random.nextGaussian();
        }
      }
      Interval interval = interval(dimension, upper, problem);
      bounded += Double.isNaN(interval.lower()) ? 0 : 1;
      wrong += Double.isNaN(interval.lower()) || interval.contains(b) ? 0 : 1;
    }
    return new Tested(bounded, wrong);
  }

  private static Interval interval(int dimension, double[] upper, RegressionProblem problem) {
    FitInput input =
        new ReleasedMoments(
            SymmetricMatrix.ofUpperTriangle(dimension, upper), 1.0, Simulation.INTERCEPT);
    Fit fit = ((FitOutcome.Fitted) Regression.fit(input, problem)).fit();
    // of the first column itself, not of the constant
    DoubleVector first = DoubleVector.generate(dimension, k -> k == 0 ? 1.0 : 0.0);
    return fit.sets().orElseThrow().privacy().intervals(List.of(first), 0.95).get(0);
  }

  /** Features that are not correlated, and a response with these coefficients. */
  private static double[][] diagonal(double[] eigenvalues, double... b) {
    int last = b.length;
    double[][] moments = new double[last + 1][last + 1];
    moments[last][last] = 100.0;
    for (int k = 0; k < last; k++) {
      moments[k][k] = eigenvalues[k];
      moments[k][last] = eigenvalues[k] * b[k];
      moments[last][k] = moments[k][last];
      moments[last][last] += eigenvalues[k] * b[k] * b[k];
    }
    return moments;
  }

  /** A release without any signal in a direction has no interval, and no error but that. */
  @Test
  void releasesThatAreExactlySingularHaveNoInterval() {
    double[] upper = {100.0, 20.0, 20.0, 30.0, 50.0, 50.0, 10.0, 50.0, 10.0, 100.0};
    Interval interval = interval(4, upper, Simulation.problem(4));
    assertThat(interval.lower()).isNaN();
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
