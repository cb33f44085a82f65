package io.gauze.sketch;

import io.gauze.row.Grid;
import io.gauze.row.Neighbours;
import io.gauze.row.RowSchema;
import java.util.Objects;

/**
 * The shape of {@link StratifiedMoments}: a second-moment matrix for each of K equal parts of the
 * public range of a column.
 *
 * @param dimension D, in [1, 4096]
 * @param column the encoded column that decides the stratum, in [0, D)
 * @param strata K, in [1, 1024]; with D a state of at most 2^27 longs
 * @param grid the grid of the rows, which says what the ends of a column's range are in steps
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
    Checks.within("dimension", dimension, 1, RowSchema.MAX_DIMENSION);
    Checks.within("column", column, 0, dimension - 1);
    Checks.within("strata", strata, 1, MAX_STRATA);
    Objects.requireNonNull(grid, "grid");
    Checks.within(
        "strata * D (D + 1) / 2", (long) strata * triangle(dimension), 1, MAX_STATE_LENGTH);
  }

  private static int triangle(int dimension) {
    return dimension * (dimension + 1) / 2;
  }

  /** The shape of the matrix of one stratum, and of the sum of all. */
  public SecondMomentsSpec moments() {
    return new SecondMomentsSpec(dimension);
  }

  @Override
  public int stateLength() {
    return strata * triangle(dimension);
  }

  /** 1: a row is in one stratum. */
  @Override
  public int bucketsTouched() {
    return 1;
  }

  /**
   * That of one matrix, {@code B^2} or {@code sqrt 2 B^2}, in Frobenius' norm over all strata: a
   * replaced row that changes its stratum takes one product from one matrix and adds another to
   * another, {@code |a|^4 + |b|^4} again.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    return moments().sensitivity(rowBound, neighbours);
  }

  /**
   * The stratum of a row: stratum k has the encoded values of the column in {@code [-1 + 2k/K, -1 +
   * 2(k+1)/K)}, the last one 1, too. Values outside of [-1, 1] are in the first or last stratum.
   *
   * @param value the entry of the column, in grid steps
   */
  public int stratum(int value) {
    return Cells.of(value, grid, strata);
  }

  /**
   * Where the state has entry (i, j) of a stratum.
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
