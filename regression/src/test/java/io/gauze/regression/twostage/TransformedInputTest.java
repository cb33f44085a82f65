package io.gauze.regression.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.Clipping;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.CutRows;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.FitRandom;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.moments.AdditiveLaw;
import io.gauze.regression.moments.ReleasedMoments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransformedInputTest {
  private static final int DIMENSION = 5;
  private static final int ROWS = 400;
  private static final double INTERCEPT = 0.5;
  private static final CutRows NOTHING = new CutRows(ROWS, 0.0, 0.0, 0.0, 0.0);
  private static final List<String> NAMES = List.of("(intercept)", "a", "b", "c", "y");

  private static double[][] rows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] rows = new double[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      double a = random.nextDouble(-1.0, 1.0);
      double b = 0.6 * a + 0.4 * random.nextDouble(-1.0, 1.0);
      double c = 0.1 * random.nextDouble(-1.0, 1.0) - 0.7;
      double y = 0.3 + 0.5 * a - 0.2 * b + 1.5 * c + 0.2 * random.nextDouble(-1.0, 1.0);
      rows[i] = new double[] {INTERCEPT, a, b, c, y};
    }
    return rows;
  }

  private static DMatrixRMaj moments(double[][] rows) {
    DMatrixRMaj moments = new DMatrixRMaj(DIMENSION, DIMENSION);
    for (double[] row : rows) {
      DMatrixRMaj column = new DMatrixRMaj(row);
      CommonOps_DDRM.multAddTransB(column, column, moments);
    }
    return moments;
  }

  /** Lower triangular, with a column of the response that is not the last one. */
  private static RowTransform transform(long seed, int response) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] lower = new double[SymmetricMatrix.length(DIMENSION)];
    int next = 0;
    for (int i = 0; i < DIMENSION; i++) {
      for (int j = 0; j <= i; j++) {
        lower[next++] = i == j ? random.nextDouble(0.5, 2.0) : random.nextDouble(-1.0, 1.0);
      }
    }
    return RowTransform.of(DIMENSION, response, lower);
  }

  private static TransformedMatrix release(
      RowTransform transform, double[][] rows, double sigma, FitRandom random) {
    DMatrixRMaj map = new DMatrixRMaj(DIMENSION, DIMENSION);
    for (int place = 0; place < DIMENSION; place++) {
      for (int i = 0; i < DIMENSION; i++) {
        map.set(i, transform.order().get(place), transform.matrix().get(i, place));
      }
    }
    DMatrixRMaj exact = TransformedMatrix.under(map, moments(rows));
    MomentNoise.Gaussian noise = new MomentNoise.Gaussian(sigma);
    CommonOps_DDRM.addEquals(exact, new AdditiveLaw(noise).sample(exact, random));
    return TransformedMatrix.of(transform, SymmetricMatrix.of(exact), noise);
  }

  private static FitRandom random(long seed) {
    return FitRandom.seededBy(new DMatrixRMaj(1, 1, true, seed));
  }

  private static RegressionProblem problem(int response, List<Integer> features) {
    return new RegressionProblem(NAMES, response, features, Loss.SQUARED, Penalty.AUTO);
  }

  private static final DoubleVector NO_ENDS = DoubleVector.of(0.0, 0.0, 0.0, 0.0, 0.0);

  private static Fit fit(FitOutcome outcome) {
    return ((FitOutcome.Fitted) outcome).fit();
  }

  private static Fit plain(double[][] rows, RegressionProblem problem) {
    return fit(
        new ReleasedMoments(SymmetricMatrix.of(moments(rows)), 1e-9, INTERCEPT).solve(problem));
  }

  private static void assertSame(Fit fit, Fit expected, double tolerance) {
    for (int k = 0; k < expected.coefficients().size(); k++) {
      assertThat(fit.coefficients().get(k))
          .isCloseTo(expected.coefficients().get(k), within(tolerance));
      double variance = expected.samplingCovariance().get(k, k);
      assertThat(fit.samplingCovariance().get(k, k))
          .isCloseTo(variance, within(tolerance * variance));
    }
    assertThat(fit.rows()).isCloseTo(expected.rows(), within(tolerance * expected.rows()));
  }

  /**
   * Two columns are nearly the same, but in a row that the release does not have: without the guard
   * its prediction is far off, and the error does not say so.
   */
  @Test
  void oneUnseenRowAtTheEndOfRangesDoesNotOverturnAFit() {
    double[][] rows = new double[ROWS][];
    FitRandom random = random(5);
    for (int i = 0; i < ROWS; i++) {
      double x = 0.1 * random.nextGaussian();
      double other = x + 0.003 * random.nextGaussian();
      double y = 5.0 * (other - x) + 0.01 * random.nextGaussian();
      rows[i] = new double[] {INTERCEPT, x, other, y, 0.1 * random.nextGaussian()};
    }
    double[][] withOne = Arrays.copyOf(rows, ROWS + 1);
    withOne[ROWS] = new double[] {INTERCEPT, 0.0, 1.0, 0.0, 0.0};
    RegressionProblem problem = problem(3, List.of(0, 1, 2));
    double exact = plain(withOne, problem.withLambda(0.0)).coefficients().get(2);
    TransformedMatrix release = release(transform(2, 3), rows, 1e-6, random(3));
    Fit bare =
        fit(new TransformedInput(List.of(release), INTERCEPT, NOTHING, NO_ENDS).solve(problem));
    Fit guarded =
        fit(
            new TransformedInput(
                    List.of(release), INTERCEPT, NOTHING, DoubleVector.of(0.0, 1.0, 1.0, 1.0, 1.0))
                .solve(problem));
    assertThat(bare.coefficients().get(2)).isCloseTo(5.0, within(0.5));
    assertThat(guarded.coefficients().get(2)).isBetween(0.0, 0.3);
    assertThat(guarded.coefficients().get(2) - exact)
        .isBetween(
            -3.0 * Math.sqrt(guarded.privacyCovariance().get(2, 2)),
            3.0 * Math.sqrt(guarded.privacyCovariance().get(2, 2)));
    Fit given =
        fit(
            new TransformedInput(
                    List.of(release), INTERCEPT, NOTHING, DoubleVector.of(0.0, 1.0, 1.0, 1.0, 1.0))
                .solve(problem.withLambda(0.0)));
    assertThat(given.coefficients().get(2)).as("of least squares").isCloseTo(5.0, within(0.5));
  }

  /** The error contains what the guard does where it does much: a range far wider than the rows. */
  @Test
  void whatTheGuardTakesAwayIsTold() {
    double[][] rows = new double[ROWS][];
    FitRandom random = random(5);
    for (int i = 0; i < ROWS; i++) {
      double x = random.nextGaussian() / 36.0;
      double other = random.nextGaussian() / 36.0;
      double y = 1.8 * x - other + 0.02 * random.nextGaussian();
      rows[i] = new double[] {INTERCEPT, x, other, y, 0.1 * random.nextGaussian()};
    }
    RegressionProblem problem = problem(3, List.of(0, 1, 2));
    Fit exact = plain(rows, problem.withLambda(0.0));
    TransformedMatrix release = release(transform(2, 3), rows, 1e-6, random(3));
    DoubleVector ends = DoubleVector.of(0.0, 1.0, 1.0, 1.0, 1.0);
    TransformedInput one = new TransformedInput(List.of(release), INTERCEPT, NOTHING, ends);
    Fit guarded = fit(one.solve(problem));
    double lost = 0.0;
    for (int k = 1; k < 3; k++) {
      double distance = guarded.coefficients().get(k) - exact.coefficients().get(k);
      assertThat(Math.abs(distance)).isGreaterThan(0.3);
      assertThat(Math.abs(distance))
          .isLessThan(2.0 * Math.sqrt(guarded.privacyCovariance().get(k, k)));
      lost += distance * distance / (36.0 * 36.0);
    }
    double excess = Math.sqrt(1.0 + lost / (0.02 * 0.02)) - 1.0;
    assertThat(guarded.predictedExcess()).isBetween(0.7 * excess, 1.4 * excess);
    TransformedMatrix again = release(transform(6, 3), rows, 1e-6, random(4));
    Fit merged =
        fit(
            one.plus(new TransformedInput(List.of(again), INTERCEPT, NOTHING, ends))
                .solve(problem));
    assertThat(merged.coefficients().get(1))
        .as("one row for all releases")
        .isGreaterThan(guarded.coefficients().get(1) + 0.1);
  }

  /** Whatever the transform was made for. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void withHardlyAnyNoiseEveryQuestionHasTheFitOfTheRows(int madeFor) {
    double[][] rows = rows(1);
    TransformedInput input =
        new TransformedInput(
            List.of(release(transform(2, madeFor), rows, 1e-9, random(3))),
            INTERCEPT,
            NOTHING,
            NO_ENDS);
    for (RegressionProblem problem :
        List.of(
            problem(4, List.of(0, 1, 2, 3)),
            problem(1, List.of(3, 0, 4)),
            problem(4, List.of(2)),
            problem(3, List.of(4, 1)),
            problem(2, List.of(0)))) {
      assertSame(fit(input.solve(problem)), plain(rows, problem), 1e-5);
      RegressionProblem free = problem.withLambda(0.7);
      assertSame(fit(input.solve(free)), plain(rows, free), 1e-5);
    }
    RegressionProblem lasso =
        problem(4, List.of(0, 1, 2, 3))
            .withPenalty(new Penalty(OptionalDouble.of(0.5), 0.0, false));
    assertSame(fit(input.solve(lasso)), plain(rows, lasso), 1e-4);
    for (Loss loss : List.of(Loss.ABSOLUTE, new Loss.Huber(0.1), new Loss.Quantile(0.9))) {
      RegressionProblem bent = problem(4, List.of(0, 1, 2, 3)).withLoss(loss);
      assertThat(fit(input.solve(bent)).coefficients().get(0))
          .isCloseTo(plain(rows, bent).coefficients().get(0), within(1e-4));
    }
  }

  @Test
  void mergedReleasesOfOtherTransformsHaveTheFitOfAllRows() {
    double[][] first = rows(1);
    double[][] second = rows(9);
    List<double[]> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(second));
    TransformedInput one =
        new TransformedInput(
            List.of(release(transform(2, 4), first, 1e-9, random(3))), INTERCEPT, NOTHING, NO_ENDS);
    TransformedInput other =
        new TransformedInput(
            List.of(release(transform(5, 4), second, 1e-9, random(4))),
            INTERCEPT,
            NOTHING,
            NO_ENDS);
    RegressionProblem problem = problem(4, List.of(0, 1, 2, 3));
    double[][] joined = all.toArray(double[][]::new);
    assertSame(fit(one.plus(other).solve(problem)), plain(joined, problem), 1e-5);
    assertThat(one.plus(other).measured().rows()).isEqualTo(2.0 * ROWS);
  }

  /** The rows' own fit is in the interval, for one release and for two with other transforms. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void intervalsHold(boolean merged) {
    double[][] rows = rows(1);
    double[][] others = rows(2);
    List<double[]> all = new ArrayList<>(List.of(rows));
    all.addAll(List.of(others));
    RegressionProblem problem = problem(4, List.of(0, 1, 2, 3));
    Fit exact = plain(merged ? all.toArray(double[][]::new) : rows, problem.withLambda(0.0));
    int contained = 0;
    int given = 0;
    for (int k = 0; k < 300; k++) {
      FitRandom random = random(100 + k);
      List<TransformedMatrix> releases = new ArrayList<>();
      releases.add(release(transform(2, 4), rows, 0.3, random));
      if (merged) {
        releases.add(release(transform(6, 4), others, 0.2, random));
      }
      CoefficientTable table =
          fit(new TransformedInput(releases, INTERCEPT, NOTHING, NO_ENDS).solve(problem)).encoded();
      for (int i = 0; i < 4; i++) {
        CoefficientTable.Interval interval = table.privacyIntervals(0.95).get(i);
        if (!Double.isNaN(interval.lower())) {
          given++;
          contained += interval.contains(exact.encoded().estimates().get(i)) ? 1 : 0;
        }
      }
    }
    assertThat(given).isGreaterThan(600);
    assertThat((double) contained / given).isBetween(0.93, 0.999);
  }

  @Test
  void whatWasCutIsToldAndNoFitIsGood() {
    double[][] rows = rows(1);
    TransformedMatrix release = release(transform(2, 4), rows, 1e-3, random(3));
    RegressionProblem problem = problem(4, List.of(0, 1, 2, 3));
    TransformedInput whole = new TransformedInput(List.of(release), INTERCEPT, NOTHING, NO_ENDS);
    TransformedInput cut = cut(release, 0.03);
    Fit ofWhole = fit(Regression.fit(whole, problem));
    Fit ofCut = fit(Regression.fit(cut, problem));
    assertThat(ofWhole.warnings()).isEmpty();
    assertThat(Said.by(ofCut)).containsExactly(FitMessage.SHORTENED);
    assertThat(ofCut.warnings())
        .singleElement()
        .extracting(Message::text)
        .asString()
        .contains("took off about 3.0 %")
        .as("a release of this kind has no rowBound")
        .contains("Raise epsilon, or");
    assertThat(ofCut.predictedExcess()).isEqualTo(ofWhole.predictedExcess());
    assertThat(ofCut.privacyCovariance()).isEqualTo(ofWhole.privacyCovariance());
    assertThat(FitQuality.of(whole, ofWhole)).isEqualTo(FitQuality.GOOD);
    assertThat(FitQuality.of(cut, ofCut)).isEqualTo(FitQuality.DOUBTFUL);
  }

  @Test
  void intervalsAreWithheldWhereMostIsCut() {
    TransformedMatrix release = release(transform(2, 4), rows(1), 1e-3, random(3));
    RegressionProblem problem = problem(4, List.of(0, 1, 2, 3));
    assertThat(fit(Regression.fit(cut(release, 0.09), problem)).sets()).isPresent();
    Fit fit = fit(Regression.fit(cut(release, 0.11), problem));
    assertThat(fit.sets()).isEmpty();
    assertThat(fit.encoded().privacyIntervals(0.95))
        .allMatch(interval -> !Double.isFinite(interval.lower()));
  }

  @Test
  void whatNoiseHidesIsNotTakenForNothing() {
    TransformedMatrix release = release(transform(2, 4), rows(1), 1e-3, random(3));
    RegressionProblem problem = problem(4, List.of(0, 1, 2, 3));
    CutRows unknown = new CutRows(0.0, ROWS, 0.0, 0.0, 0.0);
    TransformedInput hidden = new TransformedInput(List.of(release), INTERCEPT, unknown, NO_ENDS);
    TransformedInput both = hidden.plus(cut(release, 0.01)).plus(hidden);
    for (TransformedInput each : List.of(hidden, both)) {
      Fit fit = fit(Regression.fit(each, problem));
      assertThat(Said.by(fit)).containsExactly(FitMessage.UNCOUNTED);
      assertThat(FitQuality.of(each, fit)).isEqualTo(FitQuality.DOUBTFUL);
      assertThat(fit.sets()).isEmpty();
      assertThat(each.summary(fit).shortened().orElseThrow().value()).isNaN();
      assertThat(each.summary(fit).rSquared().value()).isNaN();
    }
    assertThat(both.measured().weight()).isEqualTo(0.01);
    CutRows empty = new CutRows(0.0, -30.0, 0.0, 0.0, 0.0); // rows of a release without any
    TransformedInput without =
        cut(release, 0.01).plus(new TransformedInput(List.of(release), INTERCEPT, empty, NO_ENDS));
    assertThat(fit(Regression.fit(without, problem)).warnings()).isEmpty();
  }

  @Test
  void whatWasCutOfMergedReleasesIsTheirMean() {
    CutRows few = new CutRows(100.0, 0.0, 0.2, 0.03, 0.3);
    CutRows all = new CutRows(300.0, 0.0, 0.0, 0.01, 0.1).plus(few);
    assertThat(all.weight()).isCloseTo(0.05, within(1e-12));
    assertThat(all.deviation()).isCloseTo(Math.hypot(0.0075, 0.0075), within(1e-12));
    assertThat(all.squares()).isCloseTo(0.15, within(1e-12));
    assertThat(all.shortened().value()).isEqualTo(all.weight());
  }

  private static TransformedInput cut(TransformedMatrix release, double weight) {
    CutRows cut = new CutRows(ROWS, 0.0, weight, 0.01, 2.0 * weight);
    return new TransformedInput(List.of(release), INTERCEPT, cut, NO_ENDS);
  }

  /** Sums of squares are withheld where shortening hides them, and nothing guesses of rowBound. */
  @Test
  void whatShorteningHidesIsWithheld() {
    TransformedMatrix release = release(transform(2, 4), rows(1), 1e-3, random(3));
    RegressionProblem problem = problem(4, List.of(0, 1, 2, 3));
    TransformedInput whole = new TransformedInput(List.of(release), INTERCEPT, NOTHING, NO_ENDS);
    TransformedInput cut = cut(release, 0.05);
    assertThat(whole.summary(fit(whole.solve(problem))).rSquared().value()).isFinite();
    assertThat(cut.summary(fit(cut.solve(problem))).rSquared().value()).isNaN();
    RegressionProblem clipped =
        new RegressionProblem(
            NAMES,
            4,
            List.of(0, 1, 2, 3),
            Loss.SQUARED,
            Penalty.AUTO,
            List.of(),
            new Clipping(1.0, List.of()),
            false);
    assertThat(fit(Regression.fit(whole, clipped)).warnings())
        .noneMatch(message -> message.code().equals("GZ-LONG"));
  }

  /** Not those of the transform, which are noise then. */
  @Test
  void aReleaseWithoutSignalHasCoefficientsNearZero() {
    TransformedMatrix release = release(transform(2, 4), new double[0][], 5.0, random(3));
    Fit fit =
        fit(
            new TransformedInput(List.of(release), INTERCEPT, NOTHING, NO_ENDS)
                .solve(problem(4, List.of(0, 1, 2, 3))));
    assertThat(fit.predictedExcess()).isNaN();
    for (int k = 0; k < 4; k++) {
      assertThat(fit.coefficients().get(k)).isCloseTo(0.0, within(0.2));
    }
  }

  @Test
  void brokenNumbersAreRefused() {
    TransformedMoments payload =
        new TransformedMoments(3, 2, List.of(1.0, 1.0), 1.0, List.of(1.0, 1.0, 1.0));
    double[] right = new double[payload.length()];
    right[0] = 1.0;
    right[payload.boundAt()] = 2.0;
    for (int at : new int[] {0, 2, 5}) {
      right[payload.transformAt() + at] = 1.0;
    }
    DoubleVector ends = DoubleVector.of(0.0, 1.0, 1.0);
    assertThat(TransformedPayloadFits.input(payload, 0.5, ends, k -> right[k]).dimension())
        .isEqualTo(3);
    Map<Integer, double[]> wrong =
        Map.of(
            0,
            new double[] {0.0, 1.5, 3.0, Double.NaN},
            payload.boundAt(),
            new double[] {0.0, -1.0, Double.NaN},
            payload.transformAt(),
            new double[] {0.0, -1.0, 0x1p-30, 1e300},
            payload.transformAt() + 1,
            new double[] {0x1p33, Double.NaN});
    wrong.forEach(
        (at, values) -> {
          for (double value : values) {
            assertThatIllegalArgumentException()
                .as("%s at %s", value, at)
                .isThrownBy(
                    () ->
                        TransformedPayloadFits.input(
                            payload, 0.5, ends, k -> k == at ? value : right[k]));
          }
        });
  }
}
