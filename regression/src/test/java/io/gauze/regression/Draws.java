package io.gauze.regression;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.moments.AdditiveLaw;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.moments.ReleasedRows;
import io.gauze.regression.rows.NormalEquations;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** Releases drawn from their law. */
public final class Draws {
  static final double DELTA = 1e-6;

  private Draws() {}

  public static FitRandom random(int seed) {
    return FitRandom.seededBy(new DMatrixRMaj(1, 1, true, seed + 0.5));
  }

  static DMatrixRMaj all(SymmetricMatrix moments) {
    return moments.select(IntStream.range(0, moments.dimension()).toArray());
  }

  /** Sigma of noisy moments of rows of norm at most bound, replace-one. */
  static double sigma(double epsilon, double bound) {
    return GaussianDp.sigma(epsilon, DELTA, Math.sqrt(2.0)) * bound * bound;
  }

  static double ridge(double epsilon, Neighbours neighbours, int rows, double bound) {
    Budget budget = new Budget(epsilon, DELTA, neighbours);
    return ProjectionPrivacy.ridge(budget, rows) * bound * bound;
  }

  public static ReleasedMoments additive(
      SymmetricMatrix exact, MomentNoise noise, FitRandom random) {
    DMatrixRMaj moments = all(exact);
    CommonOps_DDRM.addEquals(moments, new AdditiveLaw(noise).sample(moments, random));
    return new ReleasedMoments(SymmetricMatrix.of(moments), noise, Simulation.INTERCEPT);
  }

  // Y'Y alone counts, and with R'R of the law W(I, r) and U'U = M + w^2 I it is (R U)'(R U): D rows
  // hold all of it.
  public static ReleasedRows projection(
      SymmetricMatrix exact, int rows, double ridge, FitRandom random) {
    int size = exact.dimension();
    DMatrixRMaj root = Spectrum.root(all(exact.plusDiagonal(ridge)));
    DMatrixRMaj first = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(random.nextWishartRoot(size, rows), root, first);
    double[] values = new double[rows * size];
    System.arraycopy(first.getData(), 0, values, 0, size * size);
    return ReleasedRows.projection(rows, size, values, ridge, Simulation.INTERCEPT);
  }

  // The moments of n independent rows: those of d features and a residual around their mean are
  // Wishart with n - 1 degrees of freedom, independent of the mean.
  public static SymmetricMatrix moments(Simulation simulation, int rows, FitRandom random) {
    int d = simulation.features;
    DMatrixRMaj root = random.nextWishartRoot(d + 1, rows - 1.0);
    DMatrixRMaj half = new DMatrixRMaj(d + 2, d + 2);
    for (int i = 0; i <= d; i++) {
      setRow(simulation, half, i, 0.0, CommonOps_DDRM.extractRow(root, i, null).getData());
    }
    double[] mean = IntStream.rangeClosed(0, d).mapToDouble(i -> random.nextGaussian()).toArray();
    setRow(simulation, half, d + 1, Simulation.INTERCEPT * Math.sqrt(rows), mean);
    DMatrixRMaj moments = new DMatrixRMaj(d + 2, d + 2);
    CommonOps_DDRM.multTransA(half, half, moments);
    return SymmetricMatrix.of(moments);
  }

  /** A combination of rows: standard normal features and residual in, encoded units out. */
  private static void setRow(
      Simulation simulation, DMatrixRMaj to, int index, double constant, double... normal) {
    int d = simulation.features;
    double response = simulation.residualDeviation * normal[d];
    to.set(index, 0, constant);
    for (int j = 0; j < d; j++) {
      to.set(index, j + 1, normal[j] / 3.0);
      response += simulation.slopes[j] * normal[j] / 3.0;
    }
    to.set(index, d + 1, response);
  }

  // Given how many rows are in a bucket and the sum of their signs, the sums of features and
  // residuals are normal: signs do not change the law of a centred normal number.
  public static ReleasedRows countSketch(
      Simulation simulation, int rows, int buckets, double sigma, SplittableRandom random) {
    int d = simulation.features;
    int[] counts = new int[buckets];
    int[] signs = new int[buckets];
    for (int i = 0; i < rows; i++) {
      int bucket = random.nextInt(buckets);
      counts[bucket]++;
      signs[bucket] += random.nextBoolean() ? 1 : -1;
    }
    DMatrixRMaj sums = new DMatrixRMaj(buckets, d + 2);
    for (int b = 0; b < buckets; b++) {
      double root = Math.sqrt(counts[b]);
      double[] normal =
          IntStream.rangeClosed(0, d).mapToDouble(i -> root * random.nextGaussian()).toArray();
      setRow(simulation, sums, b, Simulation.INTERCEPT * signs[b], normal);
    }
    double[] values = sums.getData();
    for (int i = 0; i < values.length; i++) {
      values[i] += sigma * random.nextGaussian();
    }
    return ReleasedRows.of(buckets, d + 2, values, sigma, Simulation.INTERCEPT);
  }

  /** The relative excess of the fit's RMSE over the best on rows of these moments. */
  public static double excess(SymmetricMatrix exact, Fit fit) {
    NormalEquations equations = new NormalEquations(all(exact), new double[exact.dimension() - 1]);
    double best = equations.residual(equations.solve(0.0, 0.0).b());
    double[] b = fit.coefficients().toArray();
    double mine = equations.residual(new DMatrixRMaj(b.length, 1, true, b));
    return Math.sqrt(mine / best) - 1.0;
  }

  public static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
