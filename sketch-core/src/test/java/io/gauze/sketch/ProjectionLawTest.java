package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.EncodedRow;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows of the projection against rows drawn from the second moments: the symmetric square root of
 * A'A times independent normals of the JDK. Six rows of data, of which one dominates.
 *
 * <p>Two samples of 2^19 rows each, in coordinates in which A'A is the unit matrix, compared by 11
 * Kolmogorov-Smirnov distances at {@link #ALPHA} = 1e-6 / 11 each (at this n the asymptotic p-value
 * is accurate), so that all together alarm with probability at most 1e-6 over the seeds, which are
 * pinned. The level is at a distance of {@code 2.9 sqrt(2 / n)} = 0.0057; each twin is further away
 * in at least one of them.
 */
class ProjectionLawTest {
  private static final double ALPHA = 1e-6 / 11;
  private static final int N = 1 << 19;
  private static final int ROWS = 1 << 12; // of one projection: 128 seeds
  private static final int D = 3;
  private static final List<EncodedRow> DATA =
      List.of(
          Updates.row(30_000, -9_000, 5_000),
          Updates.row(1_000, 200, -700),
          Updates.row(1_000, -500, 300),
          Updates.row(1_000, 900, 100),
          Updates.row(1_000, -100, -800),
          Updates.row(1_000, 400, 600));
  private static final double[][] FROM_MOMENTS = new double[11][];

  /** A projection that is wrong. */
  enum Twin {
    /** Random signs in the place of normals. */
    SIGNS,
    /** A variance of 1.02: the squared norms are at a distance of 0.009. */
    VARIANCE,
    /** Two rows of the data have the same coefficients. */
    SHARED_TAG,
    /** Neighbouring rows of the projection have correlation 0.1. */
    CORRELATED_ROWS,
    /** They have coefficients of the same magnitude. */
    SHARED_MAGNITUDES
  }

  private static RealMatrix moments() {
    SecondMoments moments = SecondMoments.create(new SecondMomentsSpec(D));
    DATA.forEach(row -> moments.add(Updates.tag(0, 0), row, 1));
    RealMatrix matrix = MatrixUtils.createRealMatrix(D, D);
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        matrix.setEntry(i, j, (double) moments.state()[moments.spec().index(i, j)]);
      }
    }
    return matrix;
  }

  @BeforeAll
  static void drawFromMoments() {
    SplittableRandom random = new SplittableRandom(77);
    double[] normals = IntStream.range(0, N * D).mapToDouble(i -> random.nextGaussian()).toArray();
    double[][] statistics =
        statistics(product(normals, new EigenDecomposition(moments()).getSquareRoot()));
    System.arraycopy(statistics, 0, FROM_MOMENTS, 0, statistics.length);
  }

  /** Each of the rows, one after the other, times the matrix. */
  private static double[] product(double[] rows, RealMatrix matrix) {
    double[] product = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      int row = i / D * D;
      for (int k = 0; k < D; k++) {
        product[i] += rows[row + k] * matrix.getEntry(k, i % D);
      }
    }
    return product;
  }

  /**
   * Sorted: the coordinates, the squared norm, the products of two coordinates, and of a coordinate
   * or the squared norms of two neighbouring rows.
   */
  private static double[][] statistics(double... rows) {
    // moments = L L', so row (L')^-1 has the covariance L^-1 (L L') (L')^-1 = I
    double[] z = product(rows, MatrixUtils.inverse(new CholeskyDecomposition(moments()).getLT()));
    double[] squares = new double[N];
    Arrays.setAll(squares, i -> square(z[D * i]) + square(z[D * i + 1]) + square(z[D * i + 2]));
    return new double[][] {
      sorted(N, i -> z[D * i]),
      sorted(N, i -> z[D * i + 1]),
      sorted(N, i -> z[D * i + 2]),
      sorted(N, i -> squares[i]),
      sorted(N, i -> z[D * i] * z[D * i + 1]),
      sorted(N, i -> z[D * i] * z[D * i + 2]),
      sorted(N, i -> z[D * i + 1] * z[D * i + 2]),
      sorted(N / 2, i -> z[2 * D * i] * z[2 * D * i + D]),
      sorted(N / 2, i -> z[2 * D * i + 1] * z[2 * D * i + D + 1]),
      sorted(N / 2, i -> z[2 * D * i + 2] * z[2 * D * i + D + 2]),
      sorted(N / 2, i -> squares[2 * i] * squares[2 * i + 1])
    };
  }

  private static double square(double x) {
    return x * x;
  }

  private static double[] sorted(int n, IntToDoubleFunction statistic) {
    return IntStream.range(0, n).mapToDouble(statistic).sorted().toArray();
  }

  /** The least of the p-values. */
  private static double difference(double... rows) {
    double[][] statistics = statistics(rows);
    return IntStream.range(0, statistics.length)
        .mapToDouble(i -> PValues.sameLaw(FROM_MOMENTS[i], statistics[i]))
        .min()
        .getAsDouble();
  }

  @Test
  void theProjectionHasTheLawOfTheMoments() {
    double[] rows = new double[N * D];
    for (int seed = 0; seed < N / ROWS; seed++) {
      GaussianProjection projection =
          GaussianProjection.create(new GaussianProjectionSpec(D, ROWS, seed));
      for (int k = 0; k < DATA.size(); k++) {
        projection.add(Updates.tag(k, 0), DATA.get(k), 1);
      }
      for (int i = 0; i < ROWS * D; i++) {
        rows[seed * ROWS * D + i] = projection.state()[i] * 0x1p-24;
      }
    }
    assertThat(difference(rows)).isGreaterThan(ALPHA);
  }

  @ParameterizedTest
  @EnumSource
  void twinsHaveAnotherLaw(Twin twin) {
    double[] rows = new double[N * D];
    for (int seed = 0; seed < N / ROWS; seed++) {
      for (int k = 0; k < DATA.size(); k++) {
        add(coefficients(twin, seed, k), DATA.get(k).values(), rows, seed * ROWS * D);
      }
    }
    assertThat(difference(rows)).isLessThan(ALPHA);
  }

  private static void add(double[] coefficients, int[] values, double[] rows, int at) {
    for (int i = 0; i < ROWS * D; i++) {
      rows[at + i] += coefficients[i / D] * values[i % D];
    }
  }

  private static double[] coefficients(Twin twin, long seed, int row) {
    double[] g = new double[ROWS];
    boolean shared = twin == Twin.SHARED_TAG && row == 2;
    new RowGaussians(seed, ROWS).fill(shared ? 1 : row, 0, g, 0);
    for (int j = 0; j < ROWS; j++) {
      double before = g[j & ~1];
      g[j] *= 0x1p-24;
      switch (twin) {
        case SIGNS -> g[j] = Math.signum(g[j]);
        case VARIANCE -> g[j] *= Math.sqrt(1.02);
        case CORRELATED_ROWS -> g[j] = j % 2 == 0 ? g[j] : Math.sqrt(0.99) * g[j] + 0.1 * before;
        case SHARED_MAGNITUDES -> g[j] = j % 2 == 0 ? g[j] : Math.copySign(before, g[j]);
        default -> {}
      }
    }
    return g;
  }
}
