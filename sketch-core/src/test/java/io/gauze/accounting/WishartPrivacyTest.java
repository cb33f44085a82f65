package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.loss.ShiftedChiSquare;
import io.gauze.testing.Alpha;
import io.gauze.testing.Effort;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class WishartPrivacyTest {
  private static final double[] EPSILONS = {0.01, 0.1, 0.5, 1, 3, 10, 20};
  private static final double[] DELTAS = {1e-12, 1e-9, 1e-6, 1e-3, 0.1};

  /** The degrees of freedom over the columns that the documents quote: scale 1, delta 1e-6. */
  @ParameterizedTest
  @CsvSource({"1, 42, 58", "0.5, 85, 153"})
  void givesTheQuotedDegrees(double epsilon, int one, int both) {
    for (int columns : new int[] {1, 2, 10, 300}) {
      Budget add = new Budget(epsilon, 1e-6, Neighbours.ADD_REMOVE);
      Budget replace = new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE);
      assertThat(WishartPrivacy.leastDegrees(add, columns, 1.0))
          .isEqualTo(new WishartNoise(columns, columns + one, 1.0));
      assertThat(WishartPrivacy.leastDegrees(replace, columns, 1.0))
          .isEqualTo(new WishartNoise(columns, columns + both, 1.0));
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "wishart-delta.csv")
  void agreesWithManyDigits(
      int freedom, double epsilon, double scale, double present, double absent) {
    ShiftedChiSquare pair = new ShiftedChiSquare(freedom, scale);
    double largest = Math.max(present, absent);
    assertThat(pair.absent(epsilon) / absent - 1.0).isCloseTo(0.0, within(2e-12));
    if (present > 1e-100) {
      assertThat(pair.present(epsilon) / present - 1.0).isCloseTo(0.0, within(2e-12));
    } else {
      assertThat(pair.present(epsilon)).isBetween(0.0, 1e-99);
    }
    WishartNoise noise = new WishartNoise(4, freedom + 3, scale);
    assertThat(WishartPrivacy.delta(epsilon, Neighbours.ADD_REMOVE, noise) / largest - 1.0)
        .isCloseTo(0.0, within(2e-12));
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void leastScaleIsMonotoneAndSharp(Neighbours neighbours) {
    int[] all = {5, 6, 8, 12, 20, 50, 200, 5000, 100_000, 1_000_000};
    int[] degrees = Effort.of(new int[] {5, 20, 1_000_000}, all);
    double[][][] scales = new double[degrees.length][EPSILONS.length][DELTAS.length];
    for (int i = 0; i < degrees.length; i++) {
      for (int j = 0; j < EPSILONS.length; j++) {
        for (int k = 0; k < DELTAS.length; k++) {
          Budget budget = new Budget(EPSILONS[j], DELTAS[k], neighbours);
          WishartNoise noise = WishartPrivacy.leastScale(budget, 3, degrees[i]);
          assertKeepsAndSharp(budget, noise);
          scales[i][j][k] = noise.scale();
          assertThat(noise.scale()).isLessThan(i == 0 ? 1e18 : scales[i - 1][j][k]);
          assertThat(noise.scale()).isLessThan(j == 0 ? 1e18 : scales[i][j - 1][k]);
          assertThat(noise.scale()).isLessThan(k == 0 ? 1e18 : scales[i][j][k - 1]);
        }
      }
    }
  }

  private static void assertKeepsAndSharp(Budget budget, WishartNoise noise) {
    assertThat(delta(budget, noise)).isBetween(budget.delta() * (1.0 - 1e-9), budget.delta());
    double less = noise.scale() * (1.0 - 1e-6);
    assertThat(delta(budget, new WishartNoise(noise.columns(), noise.degrees(), less)))
        .isGreaterThan(budget.delta());
  }

  private static double delta(Budget budget, WishartNoise noise) {
    return WishartPrivacy.delta(budget.epsilon(), budget.neighbours(), noise);
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void leastDegreesAreTheLeast(Neighbours neighbours) {
    for (double epsilon : new double[] {0.1, 0.5, 1, 3, 10, 20}) {
      for (double delta : DELTAS) {
        for (double scale : new double[] {0.3, 1, 5, 100}) {
          Budget budget = new Budget(epsilon, delta, neighbours);
          WishartNoise noise = WishartPrivacy.leastDegrees(budget, 5, scale);
          assertThat(delta(budget, noise)).isLessThanOrEqualTo(delta);
          if (noise.degrees() > 7) {
            assertThat(delta(budget, new WishartNoise(5, noise.degrees() - 1, scale)))
                .isGreaterThan(delta * (1.0 - 1e-10));
          }
        }
      }
    }
  }

  /** The spread falls with the degrees of freedom, towards the Gaussian one, from above. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void leastSpreadUsesWhatItMay(Neighbours neighbours) {
    double steps = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    for (double epsilon : new double[] {0.1, 1, 5}) {
      Budget budget = new Budget(epsilon, 1e-6, neighbours);
      double limit = GaussianDp.sigma(epsilon, 1e-6, steps) / Math.sqrt(2.0);
      double previous = Double.POSITIVE_INFINITY;
      for (int most : new int[] {12, 15, 40, 300, 5000, 100_000, 1_000_000}) {
        WishartNoise noise = WishartPrivacy.leastSpread(budget, 10, most);
        assertThat(delta(budget, noise)).isLessThanOrEqualTo(1e-6);
        assertThat(noise.degrees()).isLessThanOrEqualTo(most);
        assertThat(noise.spread()).isLessThanOrEqualTo(previous);
        previous = noise.spread();
      }
      assertThat(previous / limit).isBetween(0.999, 1.01);
    }
  }

  /**
   * z-tests of ten means over 1e6 noise matrices of two columns, with the loss from the Wishart
   * density; together they fail with chance 1e-6. One degree of freedom more, or the other
   * direction, is noticed. Replace-one is a bound, above the delta of the simulated loss; that of
   * an added row is not.
   */
  @ParameterizedTest
  @CsvSource({"5, 0.5, 0.7", "6, 0.3, 0.4", "9, 1, 0.3", "12, 0.2, 0.5", "20, 1, 0.1"})
  void agreesWithTheSimulatedPrivacyLoss(int degrees, double epsilon, double scale) {
    double critical = Alpha.z(15);
    double[] row = {0.6, 0.8};
    double[] none = {0.0, 0.0};
    SimulatedLoss.Estimate present = simulated(degrees, epsilon, scale, row, none);
    SimulatedLoss.Estimate absent = simulated(degrees, epsilon, scale, none, row);
    ShiftedChiSquare pair = new ShiftedChiSquare(degrees - 1, scale);
    ShiftedChiSquare twin = new ShiftedChiSquare(degrees, scale);
    assertThat(Math.abs(present.z(pair.present(epsilon)))).isLessThan(critical);
    assertThat(Math.abs(absent.z(pair.absent(epsilon)))).isLessThan(critical);
    assertThat(Math.abs(present.z(twin.present(epsilon)))).isGreaterThan(critical + 5.0);
    assertThat(Math.abs(absent.z(twin.absent(epsilon)))).isGreaterThan(critical + 5.0);
    assertThat(Math.abs(absent.z(pair.present(epsilon)))).isGreaterThan(critical + 5.0);
    SimulatedLoss.Estimate replaced =
        simulated(degrees, epsilon, scale, row, new double[] {-0.8, 0.6});
    WishartNoise noise = new WishartNoise(2, degrees, scale);
    double bound = WishartPrivacy.delta(epsilon, Neighbours.REPLACE_ONE, noise);
    assertThat(replaced.z(bound)).isLessThan(critical);
    assertThat(replaced.z(pair.present(epsilon))).isGreaterThan(critical + 5.0);
  }

  /** The released matrix is the noise and the moments of the first row; it may be the second's. */
  private static SimulatedLoss.Estimate simulated(
      int degrees, double epsilon, double scale, double[] first, double[] second) {
    return SimulatedLoss.delta(
        epsilon,
        20260105,
        random -> {
          double[] noise = bartlett(degrees, scale, random);
          double[] other = new double[3];
          other[0] = noise[0] + first[0] * first[0] - second[0] * second[0];
          other[1] = noise[1] + first[0] * first[1] - second[0] * second[1];
          other[2] = noise[2] + first[1] * first[1] - second[1] * second[1];
          return logDensity(degrees, scale, noise) - logDensity(degrees, scale, other);
        });
  }

  private static double[] bartlett(int degrees, double scale, SplittableRandom random) {
    double a = Math.sqrt(SimulatedLoss.chiSquare(degrees, random));
    double b = random.nextGaussian();
    double square = SimulatedLoss.chiSquare(degrees - 1, random);
    return new double[] {scale * a * a, scale * a * b, scale * (b * b + square)};
  }

  /** Of a 2 x 2 Wishart matrix, up to a constant; minus infinity if it is not positive. */
  private static double logDensity(int degrees, double scale, double[] w) {
    double determinant = w[0] * w[2] - w[1] * w[1];
    return determinant > 0.0 && w[0] > 0.0
        ? 0.5 * (degrees - 3) * Math.log(determinant) - 0.5 * (w[0] + w[2]) / scale
        : Double.NEGATIVE_INFINITY;
  }

  @Test
  void knowsItsMoments() {
    WishartNoise noise = new WishartNoise(3, 16, 0.5);
    assertThat(noise.spread()).isEqualTo(2.0);
    assertThat(noise.mean()).isEqualTo(8.0);
    assertThat(WishartPrivacy.delta(0.0, Neighbours.REPLACE_ONE, noise)).isBetween(0.0, 1.0);
  }

  @Test
  void hasTheRightLimits() {
    for (Neighbours neighbours : Neighbours.values()) {
      assertThat(WishartPrivacy.delta(1.0, neighbours, new WishartNoise(3, 9, 1e-18))).isOne();
      assertThat(WishartPrivacy.delta(1.0, neighbours, new WishartNoise(3, 9, 1e18)))
          .isBetween(0.0, 1e-50);
    }
  }

  @Test
  void refusesWhatIsOutOfRange() {
    Budget budget = new Budget(1, 1e-6, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WishartNoise(0, 9, 1.0))
        .withMessage("columns must be in [1, 4096]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WishartNoise(3, 4, 1.0))
        .withMessage("degreesOfFreedom must be in [5, 1000000]. Provided value: 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WishartPrivacy.leastScale(budget, 3, 4))
        .withMessage("degreesOfFreedom must be in [5, 1000000]. Provided value: 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WishartPrivacy.leastDegrees(budget, 3, Double.NaN))
        .withMessage("scale must be in [1.0E-18, 1.0E18]. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WishartPrivacy.leastDegrees(budget, 3, 1e-4))
        .withMessageStartingWith("scale must be larger for this budget");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> WishartPrivacy.delta(-1.0, Neighbours.ADD_REMOVE, new WishartNoise(3, 9, 1.0)))
        .withMessage("epsilon must be in [0, 100]. Provided value: -1.0");
  }
}
