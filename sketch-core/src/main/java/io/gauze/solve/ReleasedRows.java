package io.gauze.solve;

/**
 * The rows of a CountSketch with Gaussian noise: r buckets, each the sum of random signs times the
 * rows that fell into it, plus independent N(0, sigma^2) in every entry.
 *
 * <p>With Y the noisy buckets, {@code Y'Y - r sigma^2 I} is unbiased for the moments of the rows,
 * over hashes and noise. Immutable; holds r x D doubles.
 */
public final class ReleasedRows implements MomentsInput {
  private final int buckets;
  private final double[] values; // bucket-major
  private final double sigma;
  private final double intercept;
  private final SymmetricMatrix moments;

  private ReleasedRows(
      int buckets, int dimension, double[] values, double sigma, double intercept) {
    this.buckets = buckets;
    this.values = values;
    this.sigma = sigma;
    this.intercept = intercept;
    this.moments = SymmetricMatrix.ofUpperTriangle(dimension, debiased(dimension));
  }

  /**
   * The buckets of one release. Takes O(r D^2) time.
   *
   * @param buckets r, in [1, 2^20]
   * @param dimension D, in [1, 4096]
   * @param values r D numbers in encoded units, bucket by bucket; copied
   * @param sigma standard deviation of each entry's noise, in encoded units; positive
   * @param intercept the constant c0 that rows carry at index 0; positive
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
   * A sketch of the rows of both releases: their hashes and noises are independent, so bucket sums
   * and variances add.
   *
   * @throws IllegalArgumentException if buckets, dimension or intercept differ
   */
  public ReleasedRows plus(ReleasedRows other) {
    Merge.check(this, other);
    Checks.within("buckets", other.buckets, buckets, buckets);
    double[] sum = values.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.values[i];
    }
    return new ReleasedRows(buckets, dimension(), sum, Math.hypot(sigma, other.sigma), intercept);
  }

  /** r. */
  public int buckets() {
    return buckets;
  }

  /** Standard deviation of the noise of an entry of a bucket. */
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

  private double[] debiased(int dimension) {
    double[] upper = new double[SymmetricMatrix.length(dimension)];
    for (int start = 0; start < values.length; start += dimension) {
      int next = 0;
      for (int i = start; i < start + dimension; i++) {
        for (int j = i; j < start + dimension; j++) {
          upper[next++] += values[i] * values[j];
        }
      }
    }
    int diagonal = 0;
    for (int i = 0; i < dimension; i++) {
      upper[diagonal] -= buckets * sigma * sigma;
      diagonal += dimension - i;
    }
    return upper;
  }
}
