package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Objects;

/**
 * The shape of {@link ResidualStrata}: a second-moment matrix for each of K equal parts of the
 * interval [-1, 1] of a weighted sum of a row's entries.
 *
 * @param dimension D, in [1, 4096]
 * @param weights of the D entries of a row; public, each in [-2^16, 2^16]
 * @param strata K, in [1, 1024]; with D a state of at most 2^27 longs
 * @param grid the fixed-point grid of the rows
 */
public record ResidualStrataSpec(int dimension, List<Double> weights, int strata, Grid grid)
    implements SketchSpec {
  /** The largest weight. */
  public static final double MOST_WEIGHT = 0x1p16;

  /** The largest number of strata. */
  public static final int MOST_STRATA = 1 << 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public ResidualStrataSpec {
    Checks.within("dimension", dimension, 1, RowSchema.MAX_DIMENSION);
    weights = List.copyOf(weights);
    Checks.length("weights", weights.size(), dimension);
    weights.forEach(weight -> Checks.within("weight", weight, -MOST_WEIGHT, MOST_WEIGHT));
    Checks.within("strata", strata, 1, MOST_STRATA);
    Objects.requireNonNull(grid, "grid");
    Checks.within("strata * D (D + 1) / 2", length(dimension, strata), 1, MAX_STATE_LENGTH);
  }

  /** Returns the number of longs of a state, K D (D + 1) / 2. */
  public static long length(int dimension, int strata) {
    return (long) strata * dimension * (dimension + 1L) / 2;
  }

  /**
   * Returns the number of strata of a residual: 4 for {@code n / (sigma sqrt D)} below 500, 8 below
   * 20,000, 16 above. It is even, so that the residual 0, where absolute deviations bend, is
   * between two strata.
   *
   * @param expectedRows n, a public guess, at least 1
   * @param dimension D, in [1, 4096]
   * @param sigma standard deviation of the noise on the diagonal of a stratum's matrix, in encoded
   *     units; at least 0
   */
  public static int plannedStrata(long expectedRows, int dimension, double sigma) {
    double noise = sigma * Math.sqrt(dimension);
    return (double) expectedRows < Tuning.EIGHT_OF_RESIDUALS * noise
        ? 4
        : (double) expectedRows < Tuning.SIXTEEN_OF_RESIDUALS * noise ? 8 : 16;
  }

  /** The shape of the matrix of one stratum. */
  public SecondMomentsSpec moments() {
    return new SecondMomentsSpec(dimension);
  }

  @Override
  public int stateLength() {
    return (int) length(dimension, strata);
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
   * over all strata: see {@link StratifiedMomentsSpec#sensitivity}. The weights are public, so the
   * stratum depends on the row alone.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    return moments().sensitivity(rowBound, neighbours);
  }

  @Override
  public long batchBytes(int rows) {
    return MomentBatches.bytes(dimension, strata, rows) + (long) Double.BYTES * dimension;
  }

  @Override
  public ResidualStrata zero() {
    return new ResidualStrata(this, new long[stateLength()]);
  }
}
