package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * The shape of {@link ShortenedMoments}: second moments of rows, and the weight that shortening
 * took off them.
 *
 * @param dimension D, in [1, 4096]
 * @param grid the fixed-point grid of the rows
 * @param constant the entry at index 0 of a row that is not shortened, in steps; in [1, 2^15]
 * @param rowUnit the weight of a row, in squared grid steps; in [1, 2^30]
 * @param responses the columns that are shortened apart from the others
 */
public record ShortenedMomentsSpec(
    int dimension, Grid grid, int constant, long rowUnit, Responses responses)
    implements SketchSpec {
  private static final long LARGEST_SQUARE = 1L << 30;

  /**
   * Columns that are shortened apart from the others.
   *
   * @param columns their indexes, rising, at least 1; empty if none is shortened
   * @param square a row whose responses have this squared norm or more, in squared grid steps, is
   *     taken for one with shortened responses; in [1, 2^30], and 0 without columns
   * @param lost the most weight that they can have lost, in squared grid steps; in [0, 2^30]
   */
  public record Responses(List<Integer> columns, long square, long lost) implements Serializable {
    /** No columns. */
    public static final Responses NONE = new Responses(List.of(), 0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if an argument is out of range
     */
    public Responses {
      columns = List.copyOf(columns);
      int least = 1;
      for (int column : columns) {
        Checks.within("response", column, least, Dimensions.MOST - 1);
        least = column + 1;
      }
      boolean none = columns.isEmpty();
      Checks.within("responseSquare", square, none ? 0 : 1, none ? 0 : LARGEST_SQUARE);
      Checks.within("responseLost", lost, 0, none ? 0 : LARGEST_SQUARE);
    }

    private static Responses of(RowSchema schema, long rowUnit) {
      if (!schema.shortensResponses()) {
        return NONE;
      }
      List<Integer> columns = schema.responseIndexes();
      double bound = schema.responses().bound();
      // entries are rounded toward zero, which shortens their norm by less than a step for each
      long end = (long) Math.floor(bound / schema.grid().step() - columns.size() - 1);
      long square = Math.max(1, end) * Math.max(1, end);
      double kept = bound * bound / schema.largestResponseSquare();
      return new Responses(columns, square, (long) Math.ceil((1.0 - kept) * rowUnit));
    }
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public ShortenedMomentsSpec {
    Dimensions.square("dimension", dimension);
    Objects.requireNonNull(grid, "grid");
    Checks.within("constant", constant, 1, Grid.MAX_ROW_STEPS);
    Checks.within("rowUnit", rowUnit, 1, LARGEST_SQUARE);
    Checks.within("responseLost", responses.lost(), 0, rowUnit);
    for (int column : responses.columns()) {
      Checks.within("response", column, 1, dimension - 1);
    }
  }

  /**
   * Returns the shape for the rows of a schema.
   *
   * @param share of the squared sensitivity that the lost weight has, in (0, 1/2]
   */
  public static ShortenedMomentsSpec of(RowSchema schema, double share) {
    Checks.within("share", share, Double.MIN_NORMAL, 0.5);
    double step = schema.grid().step();
    double bound = schema.rowBound() / step;
    long unit = (long) (Math.sqrt(share / (1.0 - share)) * bound * bound);
    return new ShortenedMomentsSpec(
        schema.dimension(),
        schema.grid(),
        (int) Math.floor(schema.intercept() / step),
        unit,
        Responses.of(schema, unit));
  }

  /** The shape of the moments alone. */
  public SecondMomentsSpec moments() {
    return new SecondMomentsSpec(dimension);
  }

  @Override
  public int stateLength() {
    return moments().stateLength() + 1;
  }

  @Override
  public boolean addsCells() {
    return true;
  }

  /** Always 1: the whole state is one sum. */
  @Override
  public int bucketsTouched() {
    return 1;
  }

  @Override
  public boolean usesTags() {
    return false;
  }

  /**
   * Returns {@code sqrt(B^4 + K^2)} for add-remove, K the row's unit in the encoded scale, and sqrt
   * 2 times that for replace-one: the norm of a row's moments and of its lost weight, see {@link
   * SecondMomentsSpec#sensitivity}.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    double square = moments().sensitivity(rowBound, Neighbours.ADD_REMOVE);
    double lost = rowUnit * grid.momentUnit();
    double norm = Math.nextUp(Math.nextUp(Math.sqrt(square * square + lost * lost)));
    return neighbours == Neighbours.ADD_REMOVE
        ? norm
        : Math.nextUp(Math.nextUp(Math.sqrt(2.0)) * norm);
  }

  @Override
  public long batchBytes(int rows) {
    return moments().batchBytes(rows);
  }

  @Override
  public ShortenedMoments zero() {
    return new ShortenedMoments(this, new long[stateLength()]);
  }
}
