package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Optional;

/**
 * Shortens rows in the encoded scale, and puts them on a grid.
 *
 * <p>Of rows of some features and one response, features longer than their bound are shortened to
 * it, and the response by the same factor, so that the weight of a row depends on its features
 * alone and a model that is linear in them stays true. The response is then shortened to a bound of
 * its own. Entries are rounded toward zero, and the integer norm of the whole row is checked. Only
 * IEEE operations in a fixed order, as {@link RowEncoder}.
 */
public final class RowClipper {
  private static final double LEAST_BOUND = 0x1p-6;
  private static final double LARGEST_BOUND = 0x1p8;

  private final NormBound norm;
  private final Grid grid;
  private final double bound;
  private final int dimension;

  private RowClipper(NormBound norm, Grid grid, double bound, int dimension) {
    this.norm = norm;
    this.grid = grid;
    this.bound = bound;
    this.dimension = dimension;
  }

  /**
   * Creates a clipper.
   *
   * @param dimension the number of features, the intercept included, and one for the response; in
   *     [2, 4096]
   * @param featureBound the largest l2 norm of the features, in [1/64, 256]
   * @param responseBound the largest size of the response, in [1/64, 256]
   * @throws IllegalArgumentException if one is out of range
   */
  public static RowClipper of(int dimension, double featureBound, double responseBound) {
    Dimensions.square("dimension", Math.max(1, dimension));
    Checks.within("dimension", dimension, 2, Dimensions.MOST_CELLS);
    Checks.within("featureBound", featureBound, LEAST_BOUND, LARGEST_BOUND);
    Checks.within("responseBound", responseBound, LEAST_BOUND, LARGEST_BOUND);
    double bound = bound(featureBound, responseBound);
    Grid grid = Grid.forRowBound(bound);
    boolean[] isResponse = new boolean[dimension];
    isResponse[dimension - 1] = true;
    PartBounds parts = new PartBounds(isResponse, featureBound, responseBound, false);
    return new RowClipper(
        new NormBound(dimension, bound, false, Optional.of(parts), grid), grid, bound, dimension);
  }

  /**
   * Creates a clipper of rows that have one bound.
   *
   * @param dimension the number of entries, in [2, 4096]
   * @param bound the largest l2 norm of a row, in [1/64, 256]
   * @throws IllegalArgumentException if one is out of range
   */
  public static RowClipper of(int dimension, double bound) {
    Dimensions.square("dimension", Math.max(1, dimension));
    Checks.within("dimension", dimension, 2, Dimensions.MOST_CELLS);
    Checks.within("bound", bound, LEAST_BOUND, LARGEST_BOUND);
    Grid grid = Grid.forRowBound(bound);
    return new RowClipper(
        new NormBound(dimension, bound, false, Optional.empty(), grid), grid, bound, dimension);
  }

  /**
   * Creates a clipper to the bounds of a schema. A scaled row gets the same integers from it as its
   * record gets from {@link RowEncoder}, if its first entry is {@link RowSchema#intercept}.
   */
  public static RowClipper of(RowSchema schema) {
    return new RowClipper(
        NormBound.of(schema), schema.grid(), schema.rowBound(), schema.dimension());
  }

  /**
   * Creates a clipper to the bounds of a schema that checks the norm of every row, also where no
   * row of the schema's columns can be longer.
   */
  public static RowClipper ofAnyRow(RowSchema schema) {
    return new RowClipper(
        NormBound.ofAnyRow(schema), schema.grid(), schema.rowBound(), schema.dimension());
  }

  /** Returns the largest norm of a whole row: the root of the sum of both squares. */
  public static double bound(double featureBound, double responseBound) {
    return StrictMath.sqrt(featureBound * featureBound + responseBound * responseBound);
  }

  /** The grid of the rows. */
  public Grid grid() {
    return grid;
  }

  /** The l2 norm that no row exceeds. */
  public double bound() {
    return bound;
  }

  /** The number of features and one. */
  public int dimension() {
    return dimension;
  }

  /**
   * Shortens one row. O(D) time.
   *
   * @param row D entries in the encoded scale, the response last or where the schema has it; is
   *     overwritten
   * @param steps receives the entries in grid steps, of squared norm at most {@code floor((bound *
   *     2^g)^2)}
   * @throws IllegalArgumentException if an array is of another length
   */
  public void clip(double[] row, int[] steps) {
    Checks.length("row", row.length, dimension);
    Checks.length("steps", steps.length, dimension);
    norm.apply(row, 1, steps, 0);
  }

  /**
   * Shortens the rows of a batch, each as {@link #clip(double[], int[])} does, to the last bit; the
   * steps replace them. O(D) time for each row, in loops over rows.
   *
   * @throws IllegalArgumentException if the batch is of another dimension
   */
  public void clip(ColumnBatch rows) {
    Checks.length("columns", rows.dimension(), dimension);
    norm.apply(rows);
  }

  /** Shows the bound and the size only. */
  @Override
  public String toString() {
    return "RowClipper[dimension=" + dimension + ", bound=" + bound + "]";
  }
}
