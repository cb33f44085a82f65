package io.gauze.regression.moments;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.FitInput;
import io.gauze.regression.Merge;
import java.util.Arrays;

/**
 * The rows of a sketch with Gaussian noise: r buckets, each a random sum of rows plus independent
 * N(0, sigma^2) in every entry. In a CountSketch each row is in one bucket, with a random sign; in
 * a Gaussian projection it is in all of them, times independent N(0, 1 / r).
 *
 * <p>With Y the noisy buckets, {@code Y'Y - r sigma^2 I} is unbiased for the moments of the rows,
 * over sketch and noise. Immutable; holds r x D doubles.
 */
public final class ReleasedRows implements NoisyMomentsInput {
  private final int buckets;
  private final double[] values; // bucket by bucket
  private final double sigma;
  private final double intercept;
  private final SymmetricMatrix moments;

  private ReleasedRows(
      int buckets, int dimension, double[] values, double sigma, double intercept) {
    this.buckets = buckets;
    this.values = values;
    this.sigma = sigma;
    this.intercept = intercept;
    SymmetricMatrix gram = SymmetricMatrix.ofUpperTriangle(dimension, gram(dimension));
    this.moments = gram.plusDiagonal(-buckets * sigma * sigma);
  }

  /**
   * Returns the buckets of one release. Takes O(r D^2) time.
   *
   * @param buckets r, in [1, 2^20]
   * @param dimension D, in [1, 4096]
   * @param values r D numbers in encoded units, bucket by bucket; copied
   * @param sigma standard deviation of each entry's noise, in encoded units; positive
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedRows of(
      int buckets, int dimension, double[] values, double sigma, double intercept) {
    Checks.within("buckets", buckets, 1, 1 << 20);
    Checks.within("dimension", dimension, 1, 4096);
    Checks.length("values", values.length, (long) buckets * dimension);
    Checks.finite("values", values);
    Checks.positiveFinite("sigma", sigma);
    Checks.positiveFinite("intercept", intercept);
    return new ReleasedRows(buckets, dimension, values.clone(), sigma, intercept);
  }

  /**
   * Returns the rows of one Gaussian projection: r samples of {@code N(0, M + ridge I)}, M the
   * moments. The rows are multiplied by {@code 1 / sqrt(r)}, so that sigma^2 is {@code ridge / r}.
   * Takes O(r D^2) time.
   *
   * @param rows r, in [1, 2^20]
   * @param dimension D, in [1, 4096]
   * @param values r D numbers in encoded units, row by row; copied
   * @param ridge w^2, in encoded units squared; 0 for a projection of the rows alone
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedRows projection(
      int rows, int dimension, double[] values, double ridge, double intercept) {
    Checks.within("rows", rows, 1, 1 << 20);
    Checks.within("dimension", dimension, 1, 4096);
    Checks.length("values", values.length, (long) rows * dimension);
    Checks.finite("values", values);
    Checks.nonNegativeFinite("ridge", ridge);
    Checks.positiveFinite("intercept", intercept);
    double[] buckets = Arrays.stream(values).map(value -> value / Math.sqrt(rows)).toArray();
    return new ReleasedRows(rows, dimension, buckets, Math.sqrt(ridge / rows), intercept);
  }

  @Override
  public NoiseLaw law(int... columns) {
    return new BucketLaw(buckets, sigma);
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns a sketch of the rows of both releases: their hashes and noises are independent, so
   * bucket sums and variances add.
   *
   * @throws IllegalArgumentException if buckets, dimension or intercept differ
   */
  @Override
  public ReleasedRows plus(FitInput input) {
    ReleasedRows other = Merge.same(ReleasedRows.class, this, input);
    Checks.within("buckets", other.buckets, buckets, buckets);
    double[] sum = values.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.values[i];
    }
    return new ReleasedRows(buckets, dimension(), sum, Math.hypot(sigma, other.sigma), intercept);
  }

  /** The number of buckets r. */
  public int buckets() {
    return buckets;
  }

  /** The standard deviation of the noise of an entry of a bucket; 0 if there is none. */
  public double sigma() {
    return sigma;
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public SymmetricMatrix moments() {
    return moments;
  }

  private double[] gram(int dimension) {
    double[] upper = new double[SymmetricMatrix.length(dimension)];
    for (int start = 0; start < values.length; start += dimension) {
      int next = 0;
      for (int i = start; i < start + dimension; i++) {
        for (int j = i; j < start + dimension; j++) {
          upper[next++] += values[i] * values[j];
        }
      }
    }
    return upper;
  }
}
