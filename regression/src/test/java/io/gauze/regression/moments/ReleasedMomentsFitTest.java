package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.message.FitMessage;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.FitQuality;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.regression.rows.ExactMoments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Fits of noisy moments of 2^16 rows, d 10, R^2 .9, delta 1e-6, replace-one, B the 99 % quantile of
 * the norm.
 */
class ReleasedMomentsFitTest {
  private static final int ROWS = 1 << 16;
  private static final int RELEASES = 400;
  private static Simulation simulation;
  private static ExactMoments rows;
  private static double sigma;
  private static double largeSigma;
  private static List<Fit> fits;
  private static List<Fit> noisyFits;

  @BeforeAll
  static void releases() {
    simulation = new Simulation(10, 0.9, 20260101);
    rows = simulation.moments(ROWS);
    double bound = simulation.rowBound();
    sigma = Math.sqrt(2) * bound * bound * Simulation.SIGMA_AT_1;
    largeSigma = Math.sqrt(2) * bound * bound * Simulation.SIGMA_AT_TENTH;
    fits = fits(sigma);
    noisyFits = fits(largeSigma);
  }

  private static List<Fit> fits(double sigma) {
    return IntStream.range(0, RELEASES)
        .mapToObj(seed -> Simulation.release(rows, sigma, new SplittableRandom(seed)))
        .map(release -> Simulation.fit(release, simulation.problem()))
        .toList();
  }

  private static double median(List<Fit> fits, ToDoubleFunction<Fit> value) {
    double[] sorted = fits.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /**
   * The median of 400 has a standard error of 1.25 sd / 20, about 2.5 % of it; the bounds are 20
   * such errors away.
   */
  @Test
  void excessIsSmall() {
    assertThat(median(fits, fit -> Simulation.excess(rows, fit))).isBetween(0.0001, 0.0005);
    assertThat(median(noisyFits, fit -> Simulation.excess(rows, fit))).isBetween(0.012, 0.04);
    assertThat(fits).allSatisfy(fit -> assertThat(fit.warnings()).isEmpty());
  }

  /**
   * The mean excess of 400 is known to 2.5 %; the prediction differs from release to release by as
   * little.
   */
  @Test
  void excessIsPredicted() {
    double excess = fits.stream().mapToDouble(f -> Simulation.excess(rows, f)).average().orElse(0);
    assertThat(median(fits, Fit::predictedExcess)).isCloseTo(excess, within(0.2 * excess));
  }

  /** A fit that is drawn to 0 is no better than a constant. */
  @Test
  void theWordComparesWithTheBestConstant() {
    ReleasedMoments release = Simulation.release(rows, sigma, new SplittableRandom(0));
    Fit fit = Simulation.fit(release, simulation.problem());
    assertThat(release.ignorance(fit).orElseThrow())
        .isCloseTo(1.0 / Math.sqrt(0.1) - 1.0, within(0.1));
    assertThat(FitQuality.of(release, fit)).isEqualTo(FitQuality.GOOD);
    Fit drawn = Simulation.fit(release, simulation.problem().withLambda(1e12));
    assertThat(FitQuality.of(release, drawn)).isEqualTo(FitQuality.USELESS);
  }

  /**
   * The residual sum of squares is 0.2 and its noise 5, so that no release can tell the excess,
   * which is large. One in fifty has noise of two deviations, and may say anything.
   */
  @Test
  void whereNoiseHidesTheResidualNoFitIsGood() {
    Simulation nearlyExact = new Simulation(5, 0.999, 7);
    ExactMoments few = nearlyExact.moments(2_000);
    List<Fit> doubted = new ArrayList<>();
    double excess = 0.0;
    int good = 0;
    for (int seed = 0; seed < 200; seed++) {
      ReleasedMoments release = Simulation.release(few, 5.0, new SplittableRandom(seed));
      Fit fit = Simulation.fit(release, nearlyExact.problem());
      excess += Simulation.excess(few, fit) / 200.0;
      good += FitQuality.of(release, fit) == FitQuality.GOOD ? 1 : 0;
      if (Said.by(fit).contains(FitMessage.SCALE)) {
        doubted.add(fit);
      }
    }
    assertThat(excess).isGreaterThan(0.2);
    assertThat(good).isLessThan(10);
    assertThat(doubted).hasSizeGreaterThan(190);
  }

  /** sigma^2 [(|b|^2 + 1) tr M^-1 + b'M^-1 b] / (4 n^2 s2), M nearly I/9, intercept 1/4. */
  @Test
  void predictionFollowsTheFormula() {
    double traceOfInverse = 4.0 + 9.0 * 10;
    double variance = simulation.residualDeviation * simulation.residualDeviation;
    double expected =
        sigma * sigma * (1.9 * traceOfInverse + 0.9 * 9.0) / (4.0 * ROWS * ROWS * variance);
    Fit fit =
        Simulation.fit(
            Simulation.release(rows, sigma, new SplittableRandom(0)),
            simulation.problem().withLambda(0));
    assertThat(fit.predictedExcess()).isCloseTo(expected, within(0.1 * expected));
  }

  /**
   * Shares of 4400 nearly independent coefficients have a standard deviation of at most 0.0075; at
   * 95 % it is 0.0033, and 0.92 and 0.98 are 9 of them away. One of 8800 beyond 6.5: 7e-7.
   */
  @Test
  void intervalsCoverTheNonPrivateFit() {
    for (List<Fit> released : List.of(fits, noisyFits)) {
      assertThat(inside(released, 1.96)).isBetween(0.92, 0.98);
      assertThat(inside(released, 1.5)).isBetween(0.83, 0.92);
      assertThat(inside(released, 6.5)).isEqualTo(1.0);
    }
  }

  private static double inside(List<Fit> released, double width) {
    CoefficientTable exact = Simulation.fit(rows, simulation.problem()).encoded();
    return released.stream()
            .map(Fit::encoded)
            .flatMapToDouble(table -> Arrays.stream(distances(table, exact)))
            .filter(distance -> distance < width)
            .count()
        / (RELEASES * 11.0);
  }

  private static double[] distances(CoefficientTable table, CoefficientTable exact) {
    return IntStream.range(0, table.names().size())
        .mapToDouble(
            k ->
                Math.abs(table.estimates().get(k) - exact.estimates().get(k))
                    / table.privacyStandardErrors().get(k))
        .toArray();
  }

  /** The number of rows is off by N(0, sigma^2) / c0^2: 5 sigma is once in 2 million. */
  @Test
  void estimatesTheNumberOfRows() {
    Fit fit = fits.get(0);
    assertThat(fit.rows()).isCloseTo(ROWS, within(5 * sigma / 0.25));
    assertThat(fit.rows()).isNotEqualTo(ROWS);
  }

  @Test
  void isReproducible() {
    ReleasedMoments release = Simulation.release(rows, largeSigma, new SplittableRandom(7));
    assertThat(Simulation.fit(release, simulation.problem())).isEqualTo(noisyFits.get(7));
    assertThat(noisyFits.get(8)).isNotEqualTo(noisyFits.get(7));
  }

  /**
   * An explicit ridge is used as it is, and targets the non-private fit with the same ridge. One of
   * 11 beyond 6: 2e-8.
   */
  @Test
  void explicitRidge() {
    RegressionProblem problem = simulation.problem().withLambda(2000);
    Fit exact = Simulation.fit(rows, problem);
    Fit fit = Simulation.fit(Simulation.release(rows, sigma, new SplittableRandom(3)), problem);
    assertThat(fit.lambda()).isEqualTo(2000);
    CoefficientTable table = fit.encoded();
    for (double distance : distances(table, exact.encoded())) {
      assertThat(distance).isLessThan(6.0);
    }
    double small = fits.get(3).encoded().privacyStandardErrors().get(1);
    assertThat(table.privacyStandardErrors().get(1)).isLessThan(small);
  }

  /** The excess is that over the fit without privacy and without a penalty. */
  @Test
  void thePullOfAnExplicitPenaltyIsPredicted() {
    ReleasedMoments release = Simulation.release(rows, sigma, new SplittableRandom(3));
    for (double lambda : new double[] {2_000, 20_000, 1e7}) {
      for (double alpha : new double[] {1.0, 0.0}) {
        Penalty penalty = new Penalty(OptionalDouble.of(lambda), alpha, false);
        Fit fit = Simulation.fit(release, simulation.problem().withPenalty(penalty));
        double real = Simulation.excess(rows, fit);
        assertThat(fit.predictedExcess()).as("%s, %s", lambda, alpha).isCloseTo(real, byHalf(real));
        assertThat(Said.by(fit)).containsAnyOf(FitMessage.PULLED, FitMessage.KEPT);
      }
    }
    Fit zeros = Simulation.fit(release, simulation.problem().withLambda(1e7));
    assertThat(FitQuality.of(release, zeros)).isEqualTo(FitQuality.USELESS);
  }

  /** Whether a coefficient that the l1 penalty made 0 is 0 without noise is not known. */
  @Test
  void aCoefficientOfZeroHasNoStandardError() {
    ReleasedMoments release = Simulation.release(rows, sigma, new SplittableRandom(3));
    Penalty lasso = new Penalty(OptionalDouble.of(10_000), 0.0, false);
    Fit fit = Simulation.fit(release, simulation.problem().withPenalty(lasso));
    Set<Integer> zeros =
        IntStream.range(0, fit.coefficients().size())
            .filter(k -> fit.coefficients().get(k) == 0.0)
            .boxed()
            .collect(Collectors.toSet());
    assertThat(zeros).isNotEmpty().hasSizeLessThan(fit.coefficients().size());
    assertThat(fit.withheld()).isEqualTo(zeros);
  }

  private static Offset<Double> byHalf(double value) {
    return within(0.5 * value);
  }

  /** Two epochs of half the rows each, with independent noises. */
  @Test
  void epochsAdd() {
    ReleasedMoments half =
        Simulation.release(simulation.moments(100), 3.0, new SplittableRandom(1));
    ReleasedMoments other =
        Simulation.release(simulation.moments(50), 4.0, new SplittableRandom(2));
    ReleasedMoments both = half.plus(other);
    assertThat(both.noise()).isEqualTo(new MomentNoise.Gaussian(5.0));
    assertThat(both.moments().get(3, 1))
        .isEqualTo(half.moments().get(1, 3) + other.moments().get(1, 3));
  }

  /** Columns need not be all of the release's, nor in its order. One of 3 beyond 6: 6e-9. */
  @Test
  void fitsAnyFeatures() {
    RegressionProblem all = simulation.problem();
    RegressionProblem few =
        new RegressionProblem(all.names(), 4, List.of(7, 0, 11), Loss.SQUARED, all.penalty());
    Fit exact = Simulation.fit(rows, few);
    Fit fit = Simulation.fit(Simulation.release(rows, sigma, new SplittableRandom(3)), few);
    assertThat(fit.encoded().names()).containsExactly("c7", "c0", "c11");
    assertThat(Arrays.stream(distances(fit.encoded(), exact.encoded())).max().orElseThrow())
        .isLessThan(6.0);
    assertThat(fit.problem().responseName()).isEqualTo("c4");
  }
}
