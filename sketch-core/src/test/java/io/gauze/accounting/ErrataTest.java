package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.loss.ShiftedChiSquare;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counter-examples to published claims, where a formula decides. Those that need a sampler are the
 * broken variants of the audits.
 */
final class ErrataTest {
  /**
   * Sheffet (2015): the variance of Gaussian noise on moments, as printed, has epsilon unsquared.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.1, 0.5})
  void gaussianVarianceWithoutTheSquareOnEpsilon(double epsilon) {
    double delta = 1e-6;
    double published = Math.sqrt(2.0 * Math.log(2.0 / delta) / epsilon);
    assertThat(GaussianDp.delta(epsilon, 1.0 / published)).isGreaterThan(2 * delta);
    double squared = Math.sqrt(2.0 * Math.log(2.0 / delta)) / epsilon;
    assertThat(GaussianDp.delta(epsilon, 1.0 / squared)).isLessThan(delta);
  }

  /** Sheffet (2015): replacing a row moves the moments by sqrt 2 B^2, not by B^2. */
  @Test
  void replacingARowMovesTheMomentsByMoreThanTheSquaredBound() {
    double[] old = {1.0, 0.0};
    double[] fresh = {0.0, 1.0};
    double squares = 0.0;
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        squares += Math.pow(old[i] * old[j] - fresh[i] * fresh[j], 2);
      }
    }
    assertThat(squares).isEqualTo(2.0);
    double sigma = GaussianDp.sigma(1.0, 1e-6, 1.0); // for distance B^2 = 1
    assertThat(GaussianDp.delta(1.0, Math.sqrt(squares) / sigma)).isGreaterThan(1e-4);
  }

  /**
   * Das, Nayak and Dasgupta: r ln r noise rows thrown at r buckets leave about one of them bare, on
   * average: {@code r (1 - 1/r)^(r ln r)}.
   */
  @ParameterizedTest
  @CsvSource({"64, 0.97", "1024, 0.996", "16384, 0.9997"})
  void randomNoiseRowsLeaveABucketBare(int buckets, double bare) {
    double rows = buckets * Math.log(buckets);
    double expected = buckets * Math.exp(rows * Math.log1p(-1.0 / buckets));
    assertThat(expected).isCloseTo(bare, within(0.005));
  }

  /**
   * Dandekar, Basu and Bressan: columns are scaled by their largest value in the data. One row ten
   * times as large as all the others then shrinks every scaled row by ten: the sum of squares falls
   * by 0.99 n, and Laplace noise for one row's share does not hide that.
   */
  @ParameterizedTest
  @ValueSource(ints = {10, 1000})
  void scalingByTheDataIsOutsideTheGuarantee(int rows) {
    double epsilon = 1.0;
    double sensitivity = LaplaceDp.entrySensitivity(1, Neighbours.ADD_REMOVE);
    double scale = LaplaceDp.scale(epsilon, sensitivity);
    double without = rows; // every row is the largest: 1
    double with = rows * 0.01 + 1.0;
    double loss = (without - with) / scale; // attained by every outcome above both
    assertThat(loss).isGreaterThan(0.85 * rows * epsilon);
  }

  /**
   * Wang's notes, Frank-Wolfe: the index of the smallest score, each with Laplace noise of scale
   * {@code Delta / eps0}, is not eps0-private where a row may lower one score and raise another by
   * Delta each. With two scores, and D the difference of two Laplace variables of scale 1, {@code
   * P(D > t) = exp(-t) (2 + t) / 4}.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1.0, 2.0})
  void noisyArgminCostsTwice(double epsilon) {
    double far = 40.0 + 2.0 * epsilon; // the gap in units of the noise's scale
    double ratio = exceeds(far - 2.0 * epsilon) / exceeds(far);
    assertThat(Math.log(ratio)).isGreaterThan(1.9 * epsilon).isLessThan(2.0 * epsilon);
  }

  private static double exceeds(double t) {
    return Math.exp(-t) * (2.0 + t) / 4.0;
  }

  /**
   * Wang's notes, iterative hard thresholding: noise that does not grow with the gradient bound.
   */
  @Test
  void gradientNoiseWithoutTheGradientBound() {
    double bound = 10.0;
    int steps = 20;
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    double mu = GaussianDp.mu(budget.epsilon(), budget.delta());
    double published = 2.0 * Math.sqrt(steps) / mu;
    double[] costs = new double[steps];
    Arrays.fill(costs, 2.0 * bound / published);
    assertThat(GaussianDp.delta(1.0, GaussianDp.compose(costs))).isGreaterThan(0.5);
    Arrays.fill(costs, 2.0 * bound / (bound * published));
    assertThat(GaussianDp.delta(1.0, GaussianDp.compose(costs))).isCloseTo(1e-6, within(1e-9));
  }

  /**
   * Wang's notes, objective perturbation: variance {@code 10 L^2 ln(1 / delta) / eps^2} is claimed
   * to be {@code (eps / 2 + ln(1 + 2 beta / lambda), delta)}-private for replaced rows. Rows far
   * from the model have constant gradients, so their minimisers differ by a shift of b by 2 L: a
   * Gaussian mechanism, whatever lambda is. With a large one nothing is left beside eps / 2.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1.0, 2.0})
  void objectivePerturbationForReplacedRows(double epsilon) {
    double delta = 1e-6;
    double ratio = epsilon / Math.sqrt(10.0 * Math.log(1.0 / delta)); // L over sigma
    assertThat(GaussianDp.delta(0.5 * epsilon, 2.0 * ratio)).isGreaterThan(5.0 * delta);
    assertThat(ObjectivePrivacy.changedDelta(0.5 * epsilon, ratio)).isLessThan(delta);
    double enough = 1.0 / ObjectivePrivacy.sigma(0.5 * epsilon, 0.0, delta, Neighbours.REPLACE_ONE);
    assertThat(GaussianDp.delta(0.5 * epsilon, 2.0 * enough)).isLessThan(delta);
  }

  /**
   * Park and Welling: the Wishart noise of D + 1 degrees of freedom, scale {@code B^2 / (2 eps)},
   * is claimed to be (eps, 0)-private. Noise smaller than the row, in the row's direction, is
   * impossible under the neighbour without it, for any epsilon: {@code c tau < 1}, tau chi-square
   * with 2 degrees of freedom, of probability {@code 1 - exp(-eps)}. Here even with one more.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1.0, 5.0})
  void wishartNoiseOfFewDegreesIsNotPure(double epsilon) {
    ShiftedChiSquare pair = new ShiftedChiSquare(3, 0.5 / epsilon);
    assertThat(pair.absent(Budget.LARGEST_EPSILON)).isGreaterThan(0.02 * Math.min(1.0, epsilon));
  }
}
