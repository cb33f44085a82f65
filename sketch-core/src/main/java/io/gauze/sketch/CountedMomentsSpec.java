package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Objects;

/**
 * The shape of {@link CountedMoments}: second moments, and a weighted count of the rows that tells
 * how much of their weight was cut off by shortening them.
 *
 * @param dimension D, in [1, 4096]
 * @param grid the fixed-point grid of the rows
 * @param rowUnit what one row adds to its count, in squared grid steps; in [1, 2^30]
 * @param responses the indexes of the columns that are shortened apart from the others, rising, in
 *     [1, D); empty if there are none, or if none is shortened
 * @param responseSquare a row whose responses have this squared norm or more, in squared grid
 *     steps, has shortened ones; in [1, 2^30], and 0 without responses
 */
public record CountedMomentsSpec(
    int dimension, Grid grid, long rowUnit, List<Integer> responses, long responseSquare)
    implements SketchSpec {
  private static final long LARGEST_SQUARE = 1L << 30;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public CountedMomentsSpec {
    Checks.within("dimension", dimension, 1, RowSchema.MAX_DIMENSION);
    Objects.requireNonNull(grid, "grid");
    Checks.within("rowUnit", rowUnit, 1, LARGEST_SQUARE);
    responses = List.copyOf(responses);
    int least = 1;
    for (int response : responses) {
      Checks.within("response", response, least, dimension - 1);
      least = response + 1;
    }
    Checks.within(
        "responseSquare",
        responseSquare,
        responses.isEmpty() ? 0 : 1,
        responses.isEmpty() ? 0 : LARGEST_SQUARE);
  }

  /**
   * Returns the shape for the rows of a schema.
   *
   * @param share of the squared sensitivity that the count has, in (0, 1/2]
   * @param apart whether rows with shortened responses are counted apart, if the schema has
   *     responses
   */
  public static CountedMomentsSpec of(RowSchema schema, double share, boolean apart) {
    Checks.within("share", share, Double.MIN_NORMAL, 0.5);
    double bound = schema.rowBound() / schema.grid().step();
    long unit = (long) (Math.sqrt(share / (1.0 - share)) * bound * bound);
    List<Integer> responses = schema.responseIndexes();
    if (responses.isEmpty() || !apart) {
      return new CountedMomentsSpec(schema.dimension(), schema.grid(), unit, List.of(), 0);
    }
    if (!schema.shortensResponses()) {
      return new CountedMomentsSpec(
          schema.dimension(), schema.grid(), unit, responses, LARGEST_SQUARE); // no row has it
    }
    // entries are rounded toward zero, which shortens their norm by less than a step for each
    double norm = schema.responses().bound() / schema.grid().step() - responses.size() - 1;
    long end = Math.max(1, (long) Math.floor(norm));
    return new CountedMomentsSpec(schema.dimension(), schema.grid(), unit, responses, end * end);
  }

  /** The shape of the moments alone. */
  public SecondMomentsSpec moments() {
    return new SecondMomentsSpec(dimension);
  }

  /** The number of counts: of all rows, or of those with whole and with shortened responses. */
  public int counts() {
    return responses.isEmpty() ? 1 : 2;
  }

  @Override
  public int stateLength() {
    return moments().stateLength() + counts();
  }

  /** Always 1: the whole state is one sum. */
  @Override
  public int bucketsTouched() {
    return 1;
  }

  /**
   * Returns {@code sqrt(B^4 + K^2)} for add-remove, K the row's unit in the encoded scale, and sqrt
   * 2 times that for replace-one: the norm of a row's moments and of its count, see {@link
   * SecondMomentsSpec#sensitivity}.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    double square = moments().sensitivity(rowBound, Neighbours.ADD_REMOVE);
    double count = rowUnit * grid.momentUnit();
    double norm = Math.nextUp(Math.nextUp(Math.sqrt(square * square + count * count)));
    return neighbours == Neighbours.ADD_REMOVE
        ? norm
        : Math.nextUp(Math.nextUp(Math.sqrt(2.0)) * norm);
  }

  @Override
  public long batchBytes(int rows) {
    return moments().batchBytes(rows);
  }

  @Override
  public CountedMoments zero() {
    return new CountedMoments(this, new long[stateLength()]);
  }
}
