package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.testing.Alpha;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packed arithmetic against that of another library, and samplers in more than three dimensions.
 */
final class UpperTriangleTest {
  private static double[] random(int columns, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] upper = new double[UpperTriangle.length(columns)];
    for (int i = 0; i < columns; i++) {
      for (int j = i; j < columns; j++) {
        upper[UpperTriangle.row(columns, i) + j] = random.nextDouble(-1, 1) + (i == j ? 2.0 : 0.0);
      }
    }
    return upper;
  }

  private static DMatrixRMaj full(int columns, double[] upper, boolean symmetric) {
    DMatrixRMaj full = new DMatrixRMaj(columns, columns);
    int at = 0;
    for (int i = 0; i < columns; i++) {
      for (int j = i; j < columns; j++) {
        full.set(i, j, upper[at]);
        if (symmetric) {
          full.set(j, i, upper[at]);
        }
        at++;
      }
    }
    return full;
  }

  private static void areClose(DMatrixRMaj actual, DMatrixRMaj expected, double scale) {
    DMatrixRMaj difference = new DMatrixRMaj(1, 1);
    CommonOps_DDRM.subtract(actual, expected, difference);
    assertThat(CommonOps_DDRM.elementMaxAbs(difference)).isLessThan(1e-12 * scale);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 12})
  void agreesWithFullMatrices(int columns) {
    double[] upper = random(columns, 1);
    double[] other = random(columns, 2);
    DMatrixRMaj gram = new DMatrixRMaj(1, 1);
    CommonOps_DDRM.multTransA(full(columns, upper, false), full(columns, upper, false), gram);
    double[] packed = UpperTriangle.gram(columns, upper);
    areClose(full(columns, packed, true), gram, columns);
    areClose(
        full(columns, UpperTriangle.cholesky(columns, packed), false),
        full(columns, upper, false),
        100.0 * columns);
    DMatrixRMaj product = new DMatrixRMaj(1, 1);
    CommonOps_DDRM.mult(full(columns, upper, false), full(columns, other, false), product);
    areClose(full(columns, UpperTriangle.product(columns, upper, other), false), product, columns);
  }

  /** A matrix of rank 4 in 12 columns keeps its moments; rounding makes no other directions. */
  @Test
  void singularMatricesHaveRoots() {
    double[] upper = random(12, 3);
    for (int i = UpperTriangle.row(12, 4) + 4; i < upper.length; i++) {
      upper[i] = 0.0;
    }
    double[] moments = UpperTriangle.gram(12, upper);
    double[] root = UpperTriangle.cholesky(12, moments);
    areClose(full(12, UpperTriangle.gram(12, root), true), full(12, moments, true), 100);
    assertThat(root[UpperTriangle.row(12, 4) + 4]).isZero();
    assertThat(root[root.length - 1]).isZero();
  }

  /**
   * The mean of 20,000 samples, entry by entry, against {@code k s I} and {@code X / (nu - D - 1)};
   * z-tests with the variances of the law, together 1e-6. One degree more is rejected.
   */
  @Test
  void meansInTenColumns() {
    int columns = 10;
    double[] scale = UpperTriangle.gram(columns, random(columns, 4));
    OutputGrid grid = OutputGrid.relativeTo(1.0);
    Entropy entropy = Randomness.insecureForTests(48).entropy("means");
    WishartSampler wishart = WishartSampler.of(columns, 30, 0x1p40);
    double[] identity = new double[scale.length];
    for (int i = 0; i < columns; i++) {
      identity[UpperTriangle.row(columns, i) + i] = 0x1p40;
    }
    Supplier<double[]> noise =
        () -> LongStream.of(wishart.sample(entropy)).asDoubleStream().toArray();
    double critical = Alpha.z(2 * scale.length);
    assertThat(largestZ(noise, identity, 30, 30, 30)).isLessThan(critical);
    assertThat(largestZ(noise, identity, 29, 29, 29)).isGreaterThan(critical);
    InverseWishartSampler inverse = InverseWishartSampler.of(columns, 60, scale, grid);
    // Var V_ij = ((n + 1) X_ij^2 + (n - 1) X_ii X_jj) / (n (n - 1)^2 (n - 3)), n = nu - D.
    double n = 50;
    double unit = 1.0 / (n * (n - 1) * (n - 1) * (n - 3));
    double[] law = {1.0 / (n - 1), (n + 1) * unit, (n - 1) * unit};
    Supplier<double[]> sample = () -> grid.values(inverse.sample(entropy));
    assertThat(largestZ(sample, scale, law)).isLessThan(critical);
    law[0] = 1.0 / n;
    assertThat(largestZ(sample, scale, law)).isGreaterThan(critical);
  }

  /** The mean is law[0] S, the variance law[1] S_ij^2 + law[2] S_ii S_jj. */
  private static double largestZ(Supplier<double[]> sampler, double[] scale, double... law) {
    int draws = 20_000;
    double[] sums = new double[scale.length];
    for (int k = 0; k < draws; k++) {
      double[] sample = sampler.get();
      for (int i = 0; i < sums.length; i++) {
        sums[i] += sample[i];
      }
    }
    DMatrixRMaj full = full(10, scale, true);
    double largest = 0.0;
    int at = 0;
    for (int i = 0; i < 10; i++) {
      for (int j = i; j < 10; j++) {
        double variance =
            law[1] * Math.pow(full.get(i, j), 2) + law[2] * full.get(i, i) * full.get(j, j);
        double z = (sums[at] / draws - law[0] * scale[at]) / Math.sqrt(variance / draws);
        largest = Math.max(largest, Math.abs(z));
        at++;
      }
    }
    return largest;
  }

  @Test
  void rowsAreWhereTheyAre() {
    assertThat(UpperTriangle.length(4)).isEqualTo(10);
    assertThat(UpperTriangle.row(4, 2) + 3).isEqualTo(8);
    assertThat(UpperTriangle.cholesky(1, new double[] {2.0})[0])
        .isCloseTo(Math.sqrt(2.0), within(1e-15));
  }
}
