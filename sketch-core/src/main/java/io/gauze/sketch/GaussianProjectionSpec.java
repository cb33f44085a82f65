package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.util.Objects;

/**
 * The shape of a {@link GaussianProjection}: r rows of D columns.
 *
 * @param dimension D, in [1, 20000]
 * @param rows r, in [1, 2^14]; with D a state of at most 2^27 longs
 * @param seed separates the sketches of one stream; public, since the secret is in the row's tag
 */
public record GaussianProjectionSpec(int dimension, int rows, long seed) implements SketchSpec {
  /** A coefficient of the projection is a multiple of 2^-24. */
  public static final int FRACTION_BITS = 24;

  private static final int MAX_ROWS = 1 << 14;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public GaussianProjectionSpec {
    Checks.within("dimension", dimension, 1, Dimensions.MOST);
    Checks.within("rows", rows, 1, MAX_ROWS);
    Checks.within("dimension * rows", (long) dimension * rows, 1, MAX_STATE_LENGTH);
  }

  @Override
  public int stateLength() {
    return dimension * rows;
  }

  @Override
  public boolean addsCells() {
    return true;
  }

  /** Always r: a row is added to every row of the projection. */
  @Override
  public int bucketsTouched() {
    return rows;
  }

  /**
   * Always infinite, since a coefficient of the projection can be any real number. The privacy of a
   * projection is not that of additive noise and has its own proof.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    Objects.requireNonNull(neighbours, "neighbours");
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Returns the index in the state of a column of a row of the projection. The order is row by row.
   *
   * @throws IndexOutOfBoundsException if the row or the column is out of range
   */
  public int index(int row, int column) {
    Objects.checkIndex(row, rows);
    Objects.checkIndex(column, dimension);
    return row * dimension + column;
  }

  /** Returns the size of the state plus that of the draws of a few rows. */
  @Override
  public long batchBytes(int rows) {
    return GaussianProjection.batchBytes(this);
  }

  @Override
  public GaussianProjection zero() {
    return new GaussianProjection(this, new long[stateLength()]);
  }
}
