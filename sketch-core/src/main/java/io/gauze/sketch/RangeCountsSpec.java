package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import io.gauze.row.Grid;
import io.gauze.row.RangeGrid;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * The shape of {@link RangeCounts}: the columns whose values are counted in the cells of {@link
 * RangeGrid}.
 *
 * @param dimension D, in [1, 20000]
 * @param grid the fixed-point grid of the rows, of at least 9 fraction bits, so that a position
 *     that was rounded toward zero is nearer to its own cell than to another
 * @param columns the encoded columns, each once, none of them 0, which is the intercept
 */
public record RangeCountsSpec(int dimension, Grid grid, List<Integer> columns)
    implements SketchSpec {
  /** The state's change for one row, a power of two: noise is whole steps far below a row. */
  public static final int ROW_BITS = 16;

  private static final int LEAST_FRACTION_BITS = 9;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range or a column is listed twice
   */
  public RangeCountsSpec {
    Checks.within("dimension", dimension, 1, Dimensions.MOST);
    Objects.requireNonNull(grid, "grid");
    Checks.within("fractionBits", grid.fractionBits(), LEAST_FRACTION_BITS, 40);
    columns = List.copyOf(columns);
    Checks.within("number of columns", columns.size(), 1, dimension);
    if (new HashSet<>(columns).size() < columns.size()) {
      throw new IllegalArgumentException("columns must differ. Provided value: " + columns);
    }
    columns.forEach(column -> Checks.within("column", column, 1, dimension - 1));
  }

  @Override
  public int stateLength() {
    return columns.size() * RangeGrid.CELLS;
  }

  @Override
  public int bucketsTouched() {
    return columns.size();
  }

  @Override
  public boolean usesTags() {
    return false;
  }

  // A row adds one to at most one cell of each of m columns: sqrt m. A replaced row takes one from
  // a cell and adds one to a cell of each column: 2 m squared, whichever cells these are.
  /** Returns the root of the number of columns, times sqrt 2 for replace-one. */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    double changes = neighbours == Neighbours.ADD_REMOVE ? columns.size() : 2.0 * columns.size();
    return Math.nextUp(Math.sqrt(changes));
  }

  @Override
  public RangeCounts zero() {
    return new RangeCounts(this, new long[stateLength()]);
  }
}
