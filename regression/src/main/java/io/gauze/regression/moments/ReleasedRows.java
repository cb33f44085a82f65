package io.gauze.regression.moments;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.FitInput;
import io.gauze.regression.Merge;
import io.gauze.row.Dimensions;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * The rows of a sketch with Gaussian noise: r buckets, each a random sum of rows plus independent
 * N(0, sigma^2) in every entry. In a CountSketch each row is in one bucket, with a random sign; in
 * a Gaussian projection it is in all of them, times independent N(0, 1 / r).
 *
 * <p>With Y the noisy buckets, {@code Y'Y - r sigma^2 I} is unbiased for the moments of the rows,
 * over sketch and noise. Immutable; holds r x D doubles, and the moments of up to 512 columns. Of
 * more, moments are computed when they are asked for.
 */
public final class ReleasedRows implements NoisyMomentsInput {
  private static final int MANY = 512; // columns, of which few fits have all
  private static final int TOGETHER = 4; // buckets whose products are added in one loop

  private final int buckets;
  private final double[] values; // bucket by bucket
  private final double sigma;
  private final double intercept;
  private final int dimension;
  private final Optional<SymmetricMatrix> moments; // of all columns, unless they are many

  private ReleasedRows(
      int buckets, int dimension, double[] values, double sigma, double intercept) {
    this.buckets = buckets;
    this.values = values;
    this.dimension = dimension;
    this.sigma = sigma;
    this.intercept = intercept;
    this.moments = dimension <= MANY ? Optional.of(ofAll()) : Optional.empty();
  }

  private SymmetricMatrix ofAll() {
    return SymmetricMatrix.of(computed(IntStream.range(0, dimension).toArray()));
  }

  /**
   * Returns the buckets of one release.
   *
   * @param buckets r, in [1, 2^20]
   * @param dimension D, in [1, 20000]
   * @param values r D numbers in encoded units, bucket by bucket; copied
   * @param sigma standard deviation of each entry's noise, in encoded units; positive
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedRows of(
      int buckets, int dimension, double[] values, double sigma, double intercept) {
    Checks.within("buckets", buckets, 1, 1 << 20);
    Checks.within("dimension", dimension, 1, Dimensions.MOST);
    Checks.length("values", values.length, (long) buckets * dimension);
    Checks.finite("values", values);
    Checks.positiveFinite("sigma", sigma);
    Checks.positiveFinite("intercept", intercept);
    return new ReleasedRows(buckets, dimension, values.clone(), sigma, intercept);
  }

  /**
   * Returns the rows of one Gaussian projection: r samples of {@code N(0, M + ridge I)}, M the
   * moments. The rows are multiplied by {@code 1 / sqrt(r)}, so that sigma^2 is {@code ridge / r}.
   *
   * @param rows r, in [1, 2^20]
   * @param dimension D, in [1, 20000]
   * @param values r D numbers in encoded units, row by row; copied
   * @param ridge w^2, in encoded units squared; 0 for a projection of the rows alone
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedRows projection(
      int rows, int dimension, double[] values, double ridge, double intercept) {
    Checks.within("rows", rows, 1, 1 << 20);
    Checks.within("dimension", dimension, 1, Dimensions.MOST);
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

  /** How many numbers of the moments are kept besides the buckets; 0 if columns are many. */
  public long keptMoments() {
    return moments.map(all -> SymmetricMatrix.length(dimension)).orElse(0);
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
  public int dimension() {
    return dimension;
  }

  /** Returns the moments of all columns, which must be at most 4096. Takes O(r D^2) time. */
  @Override
  public SymmetricMatrix moments() {
    Dimensions.square("dimension", dimension);
    return moments.orElseGet(this::ofAll);
  }

  /** Returns the moments of some columns, in this order. Takes O(r d^2) time for d columns. */
  @Override
  public DMatrixRMaj momentsOf(int... columns) {
    return moments.map(all -> all.select(columns)).orElseGet(() -> computed(columns));
  }

  private DMatrixRMaj computed(int... columns) {
    int size = columns.length;
    DMatrixRMaj gram = new DMatrixRMaj(size, size);
    double[][] rows = new double[TOGETHER][size];
    for (int bucket = 0; bucket < buckets; bucket += TOGETHER) {
      for (int k = 0; k < TOGETHER; k++) {
        select(bucket + k, columns, rows[k]);
      }
      addProducts(rows, gram.getData());
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < i; j++) {
        gram.set(i, j, gram.get(j, i));
      }
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        gram.add(i, j, columns[i] == columns[j] ? -buckets * sigma * sigma : 0.0);
      }
    }
    return gram;
  }

  /** Writes the values of some columns of a bucket; zeros if there is no such bucket. */
  private void select(int bucket, int[] columns, double[] row) {
    for (int i = 0; i < row.length; i++) {
      row[i] = bucket < buckets ? values[bucket * dimension + columns[i]] : 0.0;
    }
  }

  /** Adds the products of each row, one row after the other, to an upper triangle. */
  private static void addProducts(double[][] rows, double[] gram) {
    int size = rows[0].length;
    double[] a = rows[0];
    double[] b = rows[1];
    double[] c = rows[2];
    double[] d = rows[3];
    for (int i = 0; i < size; i++) {
      int at = i * size;
      double ai = a[i];
      double bi = b[i];
      double ci = c[i];
      double di = d[i];
      for (int j = i; j < size; j++) {
        gram[at + j] = gram[at + j] + ai * a[j] + bi * b[j] + ci * c[j] + di * d[j];
      }
    }
  }
}
