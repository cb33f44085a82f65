package io.gauze.regression.papers;

import io.gauze.internal.Checks;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Merge;
import io.gauze.regression.RegressionProblem;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.stream.DoubleStream;

/**
 * The rows of a multilevel sketch with Gaussian noise: buckets that contain sums of subsets of the
 * rows, with their weights, plus independent N(0, sigma^2) in every entry.
 *
 * <p>Supports least absolute deviations. Immutable; holds r x D doubles.
 */
public final class ReleasedL1Rows implements FitInput {
  private final MultilevelSketchSpec spec;
  private final double[] values; // bucket by bucket
  private final double sigma;
  private final double intercept;

  private ReleasedL1Rows(
      MultilevelSketchSpec spec, double[] values, double sigma, double intercept) {
    this.spec = spec;
    this.values = values;
    this.sigma = sigma;
    this.intercept = intercept;
  }

  /**
   * Returns the buckets of one release.
   *
   * @param spec the levels, which decide the weight of each bucket
   * @param values r D sums in encoded units, bucket by bucket, level 0 first; copied
   * @param sigma standard deviation of each entry's noise, in encoded units; 0 for sums without
   *     noise, which are NOT private
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedL1Rows of(
      MultilevelSketchSpec spec, double[] values, double sigma, double intercept) {
    Checks.length("values", values.length, spec.stateLength());
    Checks.finite("values", values);
    Checks.nonNegativeFinite("sigma", sigma);
    Checks.positiveFinite("intercept", intercept);
    return new ReleasedL1Rows(spec, values.clone(), sigma, intercept);
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return L1RowsFit.fit(this, problem);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("a sketch of absolute deviations has no sums of squares");
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns a sketch of the rows of both releases: their hashes and noises are independent, so
   * bucket sums and variances add.
   *
   * @throws IllegalArgumentException if the specs differ in more than the seed, or the intercepts
   *     differ
   */
  @Override
  public ReleasedL1Rows plus(FitInput input) {
    ReleasedL1Rows other = Merge.same(ReleasedL1Rows.class, this, input);
    if (!shape(spec).equals(shape(other.spec))) {
      throw new IllegalArgumentException(
          "merged releases must have equal levels. Provided value: " + spec + " and " + other.spec);
    }
    double[] sum = values.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.values[i];
    }
    return new ReleasedL1Rows(spec, sum, Math.hypot(sigma, other.sigma), intercept);
  }

  private static MultilevelSketchSpec shape(MultilevelSketchSpec spec) {
    return new MultilevelSketchSpec(
        spec.dimension(), spec.buckets(), spec.levels(), spec.base(), spec.copies(), 0);
  }

  /** Levels, buckets and weights. */
  public MultilevelSketchSpec spec() {
    return spec;
  }

  /** The number of buckets r in all levels. */
  public int buckets() {
    return spec.rows();
  }

  /** The standard deviation of the noise of an entry of a bucket. */
  public double sigma() {
    return sigma;
  }

  /**
   * Returns a noisy sum, in encoded units.
   *
   * @throws IndexOutOfBoundsException if the bucket is not in [0, r) or the column not in [0, D)
   */
  public double value(int bucket, int column) {
    return values[spec.index(bucket, column)];
  }

  /** Returns the largest absolute value. */
  double largest() {
    return DoubleStream.of(values).map(Math::abs).max().orElse(0.0);
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public int dimension() {
    return spec.dimension();
  }

  @Override
  public String toString() {
    return buckets() + " buckets x " + dimension() + " columns";
  }
}
