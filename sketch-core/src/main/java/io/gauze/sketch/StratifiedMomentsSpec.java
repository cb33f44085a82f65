package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import io.gauze.row.Grid;
import java.util.Objects;

/**
 * The shape of {@link StratifiedMoments}: a second-moment matrix for each of K equal parts of the
 * public range of a column.
 *
 * @param dimension D, in [1, 4096]
 * @param column the encoded column that decides the stratum, in [0, D)
 * @param strata K, in [1, 1024]; with D a state of at most 2^27 longs
 * @param grid the fixed-point grid of the rows, which converts the ends of a column's range to
 *     steps
 */
public record StratifiedMomentsSpec(int dimension, int column, int strata, Grid grid)
    implements SketchSpec {
  private static final int MAX_STRATA = 1 << 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public StratifiedMomentsSpec {
    Dimensions.square("dimension", dimension);
    Checks.within("column", column, 0, dimension - 1);
    Checks.within("strata", strata, 1, MAX_STRATA);
    Objects.requireNonNull(grid, "grid");
    Checks.within(
        "strata * D (D + 1) / 2", (long) strata * triangle(dimension), 1, MAX_STATE_LENGTH);
  }

  /**
   * Returns the number of strata of the response that suits least absolute deviations: 5, 9 or 17.
   *
   * <p>More strata follow the loss more closely, but each has fewer rows to exceed its noise. The
   * rule depends on {@code r = n / (sigma sqrt D)}, signal over noise of all rows together: 5
   * strata for r below 8,000, 9 below 20,000, 17 above. The numbers are odd, so that typical
   * values, which are encoded as 0 and at which many rows pile up, are inside a stratum.
   *
   * @param expectedRows n, a public guess, at least 1
   * @param dimension D, in [1, 4096]
   * @param sigma standard deviation of the noise on the diagonal of a stratum's matrix, in encoded
   *     units; at least 0
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static int plannedStrata(long expectedRows, int dimension, double sigma) {
    Checks.within("expectedRows", expectedRows, 1, Long.MAX_VALUE);
    Dimensions.square("dimension", dimension);
    if (!(sigma >= 0.0 && sigma < Double.POSITIVE_INFINITY)) { // also refuses NaN
      throw new IllegalArgumentException(
          "sigma must be in [0, infinity). Provided value: " + sigma);
    }
    double noise = sigma * Math.sqrt(dimension);
    return (double) expectedRows < Tuning.NINE_STRATA * noise
        ? 5
        : (double) expectedRows < Tuning.SEVENTEEN_STRATA * noise ? 9 : 17;
  }

  private static int triangle(int dimension) {
    return dimension * (dimension + 1) / 2;
  }

  /** The shape of the matrix of one stratum, and of the sum of all strata. */
  public SecondMomentsSpec moments() {
    return new SecondMomentsSpec(dimension);
  }

  @Override
  public int stateLength() {
    return strata * triangle(dimension);
  }

  @Override
  public boolean addsCells() {
    return true;
  }

  /** Always 1: a row is in one stratum. */
  @Override
  public int bucketsTouched() {
    return 1;
  }

  @Override
  public boolean usesTags() {
    return false;
  }

  /**
   * Returns the sensitivity of one matrix, {@code B^2} or {@code sqrt 2 B^2}, in the Frobenius norm
   * over all strata. A replaced row that changes its stratum removes one product from one matrix
   * and adds another to another matrix, which is again {@code |a|^4 + |b|^4}.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    return moments().sensitivity(rowBound, neighbours);
  }

  /**
   * Returns the stratum of a row. Stratum k contains the encoded values of the column in {@code [-1
   * + 2k/K, -1 + 2(k+1)/K)}, and the last stratum also 1. Values outside of [-1, 1] are in the
   * first or last stratum.
   *
   * @param value the entry of the column, in grid steps
   */
  public int stratum(int value) {
    return Cells.of(value, grid, strata);
  }

  /**
   * Returns the index in the state of entry (i, j) of a stratum.
   *
   * @throws IndexOutOfBoundsException if an index is out of range
   */
  public int index(int stratum, int i, int j) {
    Objects.checkIndex(stratum, strata);
    return stratum * triangle(dimension) + moments().index(i, j);
  }

  @Override
  public long batchBytes(int rows) {
    return MomentBatches.bytes(dimension, strata, rows);
  }

  @Override
  public StratifiedMoments zero() {
    return new StratifiedMoments(this, new long[stateLength()]);
  }
}
