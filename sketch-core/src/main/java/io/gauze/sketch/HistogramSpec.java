package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import io.gauze.row.Grid;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The shape of a {@link Histogram}: a public grid of cells over some columns.
 *
 * @param dimension D, in [1, 4096]
 * @param grid the fixed-point grid of the rows, which converts the ends of a column's range to
 *     steps
 * @param axes the columns that are cut into bins, each once, at most 4096; at most 2^27 cells in
 *     all
 */
public record HistogramSpec(int dimension, Grid grid, List<Axis> axes) implements SketchSpec {
  private static final int MAX_BINS = 1 << 20;

  /**
   * A column whose public range is cut into equal bins.
   *
   * @param column the encoded column, in [0, D)
   * @param bins in [1, 2^20]: bin k contains the encoded values in {@code [-1 + 2k/bins, -1 +
   *     2(k+1)/bins)}, and the last bin also 1
   */
  public record Axis(int column, int bins) implements Serializable {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if an argument is out of range
     */
    public Axis {
      Checks.within("column", column, 0, Dimensions.MOST - 1);
      Checks.within("bins", bins, 1, MAX_BINS);
    }
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range, a column is listed twice or
   *     there are too many cells
   */
  public HistogramSpec {
    Dimensions.square("dimension", dimension);
    Objects.requireNonNull(grid, "grid");
    axes = List.copyOf(axes);
    Checks.within("number of axes", axes.size(), 1, dimension);
    Set<Integer> columns = new HashSet<>();
    long cells = 1;
    for (Axis axis : axes) {
      Checks.within("column", axis.column(), 0, dimension - 1);
      if (!columns.add(axis.column())) {
        throw new IllegalArgumentException(
            "columns of axes must differ. Provided value: " + axis.column() + " twice");
      }
      cells *= axis.bins(); // at most 2^27 times 2^20
      Checks.within("cells", cells, 1, MAX_STATE_LENGTH);
    }
  }

  /**
   * Returns the number of cells. The state has one long per cell; adjacent bins of the last axis
   * are adjacent in the state.
   */
  @Override
  public int stateLength() {
    int cells = 1;
    for (Axis axis : axes) {
      cells *= axis.bins();
    }
    return cells;
  }

  @Override
  public int bucketsTouched() {
    return 1;
  }

  @Override
  public boolean usesTags() {
    return false;
  }

  /** Returns 1 for add-remove and {@code sqrt 2} for replace-one, whatever the row bound. */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    Objects.requireNonNull(neighbours, "neighbours");
    return neighbours == Neighbours.ADD_REMOVE ? 1.0 : Math.nextUp(Math.sqrt(2.0));
  }

  /**
   * Returns the index in the state of the cell of these bins.
   *
   * @param bins one for each axis
   * @throws IndexOutOfBoundsException if a bin is out of range
   * @throws IllegalArgumentException if their number is not that of the axes
   */
  public int index(int... bins) {
    Checks.within("number of bins", bins.length, axes.size(), axes.size());
    int cell = 0;
    for (int a = 0; a < bins.length; a++) {
      cell = cell * axes.get(a).bins() + Objects.checkIndex(bins[a], axes.get(a).bins());
    }
    return cell;
  }

  @Override
  public Histogram zero() {
    return new Histogram(this, new long[stateLength()]);
  }
}
