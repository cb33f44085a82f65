package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.testing.Alpha;
import io.gauze.testing.GoodnessOfFit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

/**
 * Wishart, inverse Wishart and Gaussian rows in three dimensions: 1e6 draws, level 1e-6 each; what
 * is rejected is rejected on 2e5.
 */
final class MatrixSamplersTest {
  private static final double[][] DIRECTIONS = {{1, 0, 0}, {0, 0, 1}, {0.5, -1, 2}, {1, 1, 1}};
  private static final double[] IDENTITY = {1, 0, 0, 1, 0, 1};
  private static final double[] SCALE = {4, 1, -2, 3, 0.5, 5};
  private static final OutputGrid GRID = OutputGrid.relativeTo(1.0);
  private static final double UNIT = 0x1p40;
  private static final int DEGREES = 7;
  private static final int MANY = GoodnessOfFit.DRAWS;
  private static final int FEW = 200_000;
  private static final int LOOKS = 2 * DIRECTIONS.length;

  private static Entropy entropy() {
    return Randomness.insecureForTests(46).entropy("matrices");
  }

  /** {@code v' A v} for the upper triangle A. */
  private static double form(double[] a, double[] v) {
    return a[0] * v[0] * v[0]
        + a[3] * v[1] * v[1]
        + a[5] * v[2] * v[2]
        + 2 * (a[1] * v[0] * v[1] + a[2] * v[0] * v[2] + a[4] * v[1] * v[2]);
  }

  /** The inverse, by cofactors. */
  private static double[] inverse(double[] a) {
    double[] cofactors = {
      a[3] * a[5] - a[4] * a[4],
      a[2] * a[4] - a[1] * a[5],
      a[1] * a[4] - a[2] * a[3],
      a[0] * a[5] - a[2] * a[2],
      a[1] * a[2] - a[0] * a[4],
      a[0] * a[3] - a[1] * a[1]
    };
    double determinant = a[0] * cofactors[0] + a[1] * cofactors[1] + a[2] * cofactors[2];
    for (int i = 0; i < 6; i++) {
      cofactors[i] /= determinant;
    }
    return cofactors;
  }

  /**
   * For W of W_D(S, k): {@code v'Wv / v'Sv} has k degrees of freedom, {@code v'S^-1v / v'W^-1v} has
   * {@code k - D + 1}. The worst of both statistics over some v, and its smallest critical value is
   * that of one.
   */
  private static double largest(
      int draws, double[] scale, int degrees, Supplier<double[]> sampler) {
    double[][] samples = new double[2 * DIRECTIONS.length][draws];
    double[] inverseScale = inverse(scale);
    for (int i = 0; i < draws; i++) {
      double[] sample = sampler.get();
      double[] inverse = inverse(sample);
      for (int j = 0; j < DIRECTIONS.length; j++) {
        double[] v = DIRECTIONS[j];
        samples[2 * j][i] = form(sample, v) / form(scale, v);
        samples[2 * j + 1][i] = form(inverseScale, v) / form(inverse, v);
      }
    }
    double largest = 0.0;
    for (int j = 0; j < samples.length; j++) {
      int freedom = j % 2 == 0 ? degrees : degrees - 2;
      ChiSquaredDistribution law = ChiSquaredDistribution.of(freedom);
      largest = Math.max(largest, GoodnessOfFit.statistic(law, samples[j]));
    }
    return largest;
  }

  /** A sample, in units of {@link #UNIT} steps. */
  private static double[] wishart(WishartSampler sampler, Entropy entropy) {
    return LongStream.of(sampler.sample(entropy)).mapToDouble(step -> step / UNIT).toArray();
  }

  @Test
  void wishartFits() {
    Entropy entropy = entropy();
    WishartSampler sampler = WishartSampler.of(3, DEGREES, 2.5 * UNIT);
    double[] scale = {2.5, 0, 0, 2.5, 0, 2.5};
    GoodnessOfFit.fits(largest(MANY, scale, DEGREES, () -> wishart(sampler, entropy)), LOOKS);
  }

  /** A scale off by 5 %, a degree too many, and k degrees in every row of Bartlett's factor. */
  @Test
  void wrongWishartsAreRejected() {
    Entropy entropy = entropy();
    WishartSampler scaled = WishartSampler.of(3, DEGREES, 1.05 * UNIT);
    GoodnessOfFit.isRejected(
        largest(FEW, IDENTITY, DEGREES, () -> wishart(scaled, entropy)), LOOKS);
    WishartSampler more = WishartSampler.of(3, DEGREES + 1, UNIT);
    GoodnessOfFit.isRejected(largest(FEW, IDENTITY, DEGREES, () -> wishart(more, entropy)), LOOKS);
    ChiSquare same = ChiSquare.of(DEGREES);
    GoodnessOfFit.isRejected(
        largest(
            FEW,
            IDENTITY,
            DEGREES,
            () -> {
              double[] factor = WishartSampler.bartlett(3, DEGREES, entropy);
              factor[3] = Math.sqrt(same.sample(entropy));
              factor[5] = Math.sqrt(same.sample(entropy));
              return UpperTriangle.gram(3, factor);
            }),
        LOOKS);
  }

  /** The inverse of a sample is Wishart with the inverse of the scale. */
  @Test
  void inverseWishartFits() {
    Entropy entropy = entropy();
    InverseWishartSampler sampler = InverseWishartSampler.of(3, DEGREES, SCALE, GRID);
    double[] scale = inverse(SCALE);
    GoodnessOfFit.fits(
        largest(MANY, scale, DEGREES, () -> inverse(GRID.values(sampler.sample(entropy)))), LOOKS);
    double[] longer = SCALE.clone();
    for (int i = 0; i < longer.length; i++) {
      longer[i] *= 1.05;
    }
    InverseWishartSampler wrong = InverseWishartSampler.of(3, DEGREES, longer, GRID);
    GoodnessOfFit.isRejected(
        largest(FEW, scale, DEGREES, () -> inverse(GRID.values(wrong.sample(entropy)))), LOOKS);
    InverseWishartSampler more = InverseWishartSampler.of(3, DEGREES + 1, SCALE, GRID);
    GoodnessOfFit.isRejected(
        largest(FEW, scale, DEGREES, () -> inverse(GRID.values(more.sample(entropy)))), LOOKS);
  }

  /** Means of entries, k s and 0, and their variances, {@code 2 k s^2} and {@code k s^2}. */
  @Test
  void wishartMomentsFit() {
    Entropy entropy = entropy();
    WishartSampler sampler = WishartSampler.of(3, DEGREES, UNIT);
    double[] sums = new double[6];
    for (int i = 0; i < GoodnessOfFit.DRAWS; i++) {
      double[] sample = wishart(sampler, entropy);
      for (int j = 0; j < 6; j++) {
        sums[j] += sample[j];
      }
    }
    for (int at = 0; at < 6; at++) {
      double mean = DEGREES * IDENTITY[at];
      double variance = DEGREES * (1.0 + IDENTITY[at]);
      double z =
          (sums[at] - GoodnessOfFit.DRAWS * mean) / Math.sqrt(variance * GoodnessOfFit.DRAWS);
      assertThat(Math.abs(z)).isLessThan(Alpha.z(6));
    }
  }

  /** Rows along some directions, and their sum with the row before: N(0, v'Mv), twice that. */
  @Test
  void gaussianRowsFit() {
    Entropy entropy = entropy();
    double[] rows =
        GRID.values(GaussianRows.of(3, SCALE, GRID).sample(GoodnessOfFit.DRAWS, entropy));
    for (double[] v : DIRECTIONS) {
      double[] along = new double[GoodnessOfFit.DRAWS];
      double[] pairs = new double[along.length / 2];
      for (int i = 0; i < along.length; i++) {
        along[i] = rows[3 * i] * v[0] + rows[3 * i + 1] * v[1] + rows[3 * i + 2] * v[2];
        pairs[i / 2] += along[i];
      }
      double deviation = Math.sqrt(form(SCALE, v));
      NormalDistribution law = NormalDistribution.of(0, deviation);
      GoodnessOfFit.fits(GoodnessOfFit.statistic(law, along), LOOKS);
      NormalDistribution pair = NormalDistribution.of(0, deviation * Math.sqrt(2));
      GoodnessOfFit.fits(GoodnessOfFit.statistic(pair, pairs), LOOKS);
      NormalDistribution wrong = NormalDistribution.of(0, 1.05 * deviation);
      GoodnessOfFit.isRejected(GoodnessOfFit.statistic(wrong, along), LOOKS);
    }
  }

  @Test
  void wishartNoiseIsAddedInWholeSteps() {
    WishartSampler sampler = WishartSampler.of(3, DEGREES, 1e6);
    long[] moments = {5, -6, 7, 8, 9, 10};
    long[] before = moments.clone();
    sampler.addTo(moments, entropy());
    long[] noise = sampler.sample(entropy());
    for (int i = 0; i < 6; i++) {
      assertThat(moments[i] - before[i]).isEqualTo(noise[i]);
    }
    sampler.addTo(before, Randomness.noiseFreeForTests(1).entropy("noise"));
    assertThat(before).containsExactly(5, -6, 7, 8, 9, 10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sampler.addTo(new long[5], entropy()))
        .withMessage("moments must be in [6, 6]. Provided value: 5");
  }

  @Test
  void noNoise() {
    Entropy free = Randomness.noiseFreeForTests(1).entropy("noise");
    assertThat(WishartSampler.of(3, 7, UNIT).sample(free)).containsOnly(0L);
    assertThat(GaussianRows.of(3, SCALE, GRID).sample(2, free)).containsOnly(0L);
    double[] inverse = GRID.values(InverseWishartSampler.of(3, 8, SCALE, GRID).sample(free));
    for (int i = 0; i < 6; i++) {
      assertThat(inverse[i]).isCloseTo(SCALE[i] / 8, within(0x1p-40));
    }
  }

  /** Data in one direction only: so are the rows, but for fillings, of size below 12.1 each. */
  @Test
  void singularMatricesHaveSingularRows() {
    double filling = 12.1 * GRID.filling() * GRID.step();
    double[] rows =
        GRID.values(
            GaussianRows.of(3, new double[] {1, 3, 7, 9, 21, 49}, GRID).sample(9, entropy()));
    for (int i = 0; i < rows.length; i += 3) {
      assertThat(Math.abs(rows[i])).isGreaterThan(filling);
      assertThat(rows[i + 1]).isCloseTo(3 * rows[i], within(4 * filling));
      assertThat(rows[i + 2]).isCloseTo(7 * rows[i], within(8 * filling));
    }
    for (long step : GaussianRows.of(2, new double[3], GRID).sample(4, entropy())) {
      assertThat(Math.abs(step)).isBetween(1L, (long) (12.1 * GRID.filling()));
    }
  }

  @Test
  void refusesMatricesThatAreNoMoments() {
    String message = "upper must be of a positive semidefinite matrix. The one provided is not.";
    for (double[] upper :
        new double[][] {
          {1, 2, 3}, {-1, 0, 1}, {0, 1e-9, 1}, {1, 1, 1 - 1e-12}, {1, 1e200, 1e300}
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GaussianRows.of(2, upper, GRID))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> InverseWishartSampler.of(2, 5, upper, GRID))
          .withMessage(message);
    }
    for (double entry : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GaussianRows.of(2, new double[] {1, 0, entry}, GRID))
          .withMessage("upper must have finite entries. One is not.");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianRows.of(3, new double[5], GRID))
        .withMessage("upper must have 6 entries for 3 columns. Provided value: 5");
  }

  @Test
  void refusesOtherArguments() {
    assertThatIllegalArgumentException().isThrownBy(() -> WishartSampler.of(0, 7, 1.0));
    assertThatIllegalArgumentException().isThrownBy(() -> WishartSampler.of(4, 3, 1.0));
    assertThatIllegalArgumentException().isThrownBy(() -> WishartSampler.of(4, 7, 0.0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InverseWishartSampler.of(3, 2, SCALE, GRID))
        .withMessage("degreesOfFreedom must be in [3, 16777216]. Provided value: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianRows.of(3, SCALE, GRID).sample(0, entropy()))
        .withMessage("rows must be in [1, 1048576]. Provided value: 0");
  }

  @Test
  void noEntryIsShown() {
    assertThat(InverseWishartSampler.of(3, 7, SCALE, GRID).toString())
        .isEqualTo("InverseWishartSampler[columns=3, degrees=7]");
    assertThat(GaussianRows.of(3, SCALE, GRID).toString()).isEqualTo("GaussianRows[columns=3]");
  }
}
