package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Second moments of the rows of each stratum, with symmetric Gaussian noise. A public column's
 * range [-1, 1] is cut into K equal parts; stratum k contains its values in {@code [-1 + 2k/K, -1 +
 * 2(k+1)/K)}. Every stratum's matrix has independent N(0, sigma^2) on the diagonal and N(0, sigma^2
 * / 2) above it.
 *
 * <p>Supports least absolute deviations, quantiles, Huber's loss and, through {@link #pooled}, the
 * squared loss. Immutable; holds K D (D + 1) / 2 doubles.
 */
public final class ReleasedStrata implements FitInput {
  private final StratifiedMomentsSpec spec;
  private final List<SymmetricMatrix> moments;
  private final double sigma;
  private final double intercept;

  private ReleasedStrata(
      StratifiedMomentsSpec spec, List<SymmetricMatrix> moments, double sigma, double intercept) {
    this.spec = spec;
    this.moments = moments;
    this.sigma = sigma;
    this.intercept = intercept;
  }

  /**
   * Returns the strata of one release.
   *
   * @param spec the number of columns and of strata, and the column that decides the stratum
   * @param values K upper triangles of D (D + 1) / 2 sums in encoded units, stratum by stratum, row
   *     by row; copied
   * @param sigma standard deviation of the noise on the diagonals, in encoded units; 0 for sums
   *     without noise, which are NOT private
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedStrata of(
      StratifiedMomentsSpec spec, double[] values, double sigma, double intercept) {
    Checks.length("values", values.length, spec.stateLength());
    Checks.finite("values", values);
    Checks.nonNegativeFinite("sigma", sigma);
    Checks.positiveFinite("intercept", intercept);
    int length = SymmetricMatrix.length(spec.dimension());
    List<SymmetricMatrix> moments = new ArrayList<>(spec.strata());
    double[] upper = new double[length];
    for (int k = 0; k < spec.strata(); k++) {
      System.arraycopy(values, k * length, upper, 0, length);
      moments.add(SymmetricMatrix.ofUpperTriangle(spec.dimension(), upper));
    }
    return new ReleasedStrata(spec, List.copyOf(moments), sigma, intercept);
  }

  @Override
  public <T> T accept(InputReader<T> reader) {
    return reader.strata(this);
  }

  @Override
  public Optional<String> clippingWarning(Clipping clipping, int response) {
    return pooled().clippingWarning(clipping, response);
  }

  @Override
  public Predicate<RangeEnd> crowdedEnds() {
    return pooled().crowdedEnds();
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns the strata of the rows of both releases, whose noises are independent.
   *
   * @throws IllegalArgumentException if dimension, column, number of strata or intercept differ
   */
  @Override
  public ReleasedStrata plus(FitInput input) {
    ReleasedStrata other = Merge.same(ReleasedStrata.class, this, input);
    Checks.within("strata", other.strata(), strata(), strata());
    Checks.within("column", other.column(), column(), column());
    List<SymmetricMatrix> sums = new ArrayList<>(strata());
    for (int k = 0; k < strata(); k++) {
      sums.add(moments.get(k).plus(other.moments.get(k)));
    }
    return new ReleasedStrata(spec, List.copyOf(sums), Math.hypot(sigma, other.sigma), intercept);
  }

  /** The number of strata K. */
  public int strata() {
    return spec.strata();
  }

  /** The encoded column that decides the stratum. */
  public int column() {
    return spec.column();
  }

  /** The standard deviation of the noise on the diagonal of each stratum's matrix. */
  public double sigma() {
    return sigma;
  }

  /** Returns the least value of the column in a stratum, in encoded units: {@code -1 + 2k/K}. */
  public double lower(int stratum) {
    Checks.within("stratum", stratum, 0, strata());
    return -1.0 + 2.0 * stratum / strata();
  }

  /**
   * Returns the noisy sums of a stratum, in encoded units.
   *
   * @throws IllegalArgumentException if {@code stratum} is not in [0, K)
   */
  public SymmetricMatrix moments(int stratum) {
    Checks.within("stratum", stratum, 0, strata() - 1);
    return moments.get(stratum);
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public int dimension() {
    return spec.dimension();
  }

  /** Returns the moments of all rows, for the squared loss; their noise is {@code sigma sqrt K}. */
  public MomentsInput pooled() {
    SymmetricMatrix sum = moments.stream().reduce(SymmetricMatrix::plus).orElseThrow();
    return sigma == 0.0
        ? ExactMoments.of(sum, intercept)
        : new ReleasedMoments(sum, sigma * Math.sqrt(strata()), intercept);
  }

  @Override
  public String toString() {
    return strata() + " strata of column " + column() + ", " + dimension() + " columns";
  }
}
