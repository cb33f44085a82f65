package io.gauze.row;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;

/**
 * Clips a row to the norm B and rounds it to the grid, so that the norm of the integers is at most
 * B in exact arithmetic.
 *
 * <p>Uses only IEEE additions, multiplications, divisions and square roots in a fixed order, which
 * give the same integers on every machine.
 */
final class NormBound {
  // The computed norm may exceed the true one by the error of as many roundings as entries differ
  // from 0, at most Dimensions.MOST_CELLS and so at most 2^-40 of it: to add 0 is exact. A
  // row that exceeds the bound by no more is not clipped. The integer check alone decides; it takes
  // off at most one step.
  static final double ROUNDING = 1.0 + 0x1p-40;
  private static final int TOGETHER = 4; // rows whose squares are added up side by side

  // Above it, squares that underflow change the computed square of a row at the bound by less than
  // 2^-60 of it.
  private static final double LEAST = 0x1p-480;

  private final int dimension;
  private final double bound;
  private final boolean vacuous;
  private final Optional<PartBounds> parts;
  private final double stepsPerUnit;
  private final long largestSquare;
  private final double shortSquare;

  /**
   * Creates the bound of rows of D entries.
   *
   * @param dimension D
   * @param bound B
   * @param largestNorm an upper bound on the norm of every row. If B is not below it, rows are only
   *     truncated. That makes no row longer, since a step is a power of two and the product before
   *     the truncation is exact
   * @param grid the grid of the result
   */
  NormBound(int dimension, double bound, double largestNorm, Grid grid) {
    this(dimension, bound, bound >= largestNorm, Optional.empty(), grid);
  }

  /**
   * Creates the bound of rows whose parts may have bounds of their own.
   *
   * @param vacuous whether no row is longer, so that rows are only truncated
   */
  NormBound(int dimension, double bound, boolean vacuous, Optional<PartBounds> parts, Grid grid) {
    this.dimension = dimension;
    this.vacuous = vacuous;
    this.bound = bound;
    this.parts = parts;
    this.stepsPerUnit = 1.0 / grid.step();
    // exact: the bound in steps is a double at most 2^15
    this.largestSquare =
        new BigDecimal(bound * stepsPerUnit).pow(2).toBigInteger().longValueExact();
    this.shortSquare = bound > LEAST ? bound * bound * (1.0 - 0x1p-39) : 0.0;
  }

  /** The bound of the rows of a schema, whose responses may have one of their own. */
  static NormBound of(RowSchema schema) {
    return of(schema, RowLayout.ofEntries(schema));
  }

  /**
   * Returns the bound of the rows of a schema in a layout. An entry that is 0 changes neither a sum
   * of squares nor which entry is largest, so rows get the same numbers in every layout.
   */
  static NormBound of(RowSchema schema, RowLayout layout) {
    double largest = RowSchema.largestNorm(schema.columns(), schema.intercept());
    if (schema.responses().isEmpty()) {
      return new NormBound(layout.length(), schema.rowBound(), largest, schema.grid());
    }
    PartBounds parts = PartBounds.of(schema, layout);
    return new NormBound(
        layout.length(),
        schema.rowBound(),
        parts.isVacuous() && schema.rowBound() >= largest,
        Optional.of(parts),
        schema.grid());
  }

  /** The bound of the rows of a schema, checked for every row. */
  static NormBound ofAnyRow(RowSchema schema) {
    Optional<PartBounds> parts =
        schema.responses().isEmpty() ? Optional.empty() : Optional.of(PartBounds.of(schema));
    return new NormBound(schema.dimension(), schema.rowBound(), false, parts, schema.grid());
  }

  /** The largest squared norm of a row in grid steps: floor of (B * 2^g)^2. */
  long largestSquare() {
    return largestSquare;
  }

  /**
   * Writes the steps of the first {@code count} of {@code rows} into {@code steps} from {@code to}
   * on. May change {@code rows}; NaN counts as 0. O(D) per row.
   *
   * @return the number of rows that were longer than the bound
   */
  int apply(double[] rows, int count, int[] steps, int to) {
    if (vacuous) {
      truncate(rows, count * dimension, steps, to);
      return 0;
    }
    int longer = 0;
    int next = 0;
    for (; parts.isEmpty() && next + TOGETHER <= count; next += TOGETHER) {
      longer += applyToFour(rows, next * dimension, steps, to);
    }
    for (int from = next * dimension; from < count * dimension; from += dimension) {
      longer += clip(rows, from, steps, to + from) ? 1 : 0;
    }
    return longer;
  }

  /** Adds up the squares of four rows side by side, so that no addition waits for the last one. */
  private int applyToFour(double[] rows, int from, int[] steps, int to) {
    int second = from + dimension;
    int third = second + dimension;
    int fourth = third + dimension;
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    double d = 0.0;
    for (int i = 0; i < dimension; i++) {
      a += rows[from + i] * rows[from + i];
      b += rows[second + i] * rows[second + i];
      c += rows[third + i] * rows[third + i];
      d += rows[fourth + i] * rows[fourth + i];
    }
    return applyToOne(rows, from, a, steps, to)
        + applyToOne(rows, second, b, steps, to)
        + applyToOne(rows, third, c, steps, to)
        + applyToOne(rows, fourth, d, steps, to);
  }

  // Let N be the exact squared norm of a row, and square the computed one. It differs from N by at
  // most 2^-40 of N, see ROUNDING, and by less than 2^-60 B^2 (see LEAST). If square is below
  // B^2 (1 - 2^-39), up to two roundings, then N < B^2. Truncation shortens, so the squared norm of
  // the steps is an integer of at most (B 2^g)^2, and so of at most its floor: the row is not
  // clipped, and no step is taken off.
  private int applyToOne(double[] rows, int from, double square, int[] steps, int to) {
    if (square < shortSquare) {
      for (int i = from; i < from + dimension; i++) {
        steps[to + i] = (int) (rows[i] * stepsPerUnit);
      }
      return 0;
    }
    return clip(rows, from, steps, to + from) ? 1 : 0; // NaN too
  }

  /**
   * Does the same as {@link #apply(double[], int, int[], int)} with each row of a batch, to the
   * last bit, but that the steps replace the row.
   */
  void apply(ColumnBatch rows) {
    Lanes work = new Lanes(dimension, rows.lanes());
    for (int s = 0; s < ColumnBatch.SLABS; s++) {
      if (vacuous) {
        truncate(rows.slab(s), rows.rows(s));
      } else {
        rows.squares(s, work.squares);
        clip(rows.slab(s), rows.rows(s), work);
      }
    }
  }

  private void truncate(double[][] columns, int rows) {
    for (double[] column : columns) {
      for (int k = 0; k < rows; k++) {
        column[k] = (int) (column[k] * stepsPerUnit); // toward zero
      }
    }
  }

  /** Room for the numbers of a slab, and for one row. */
  private static final class Lanes {
    private final double[] squares;
    private final double[] factors;
    private final double[] row;
    private final int[] steps;

    Lanes(int dimension, int lanes) {
      squares = new double[lanes];
      factors = new double[lanes];
      row = new double[dimension];
      steps = new int[dimension];
    }
  }

  private void clip(double[][] columns, int rows, Lanes work) {
    double[] squares = work.squares;
    for (int k = 0; k < rows; k++) {
      if (parts.isPresent() || !(squares[k] < Double.POSITIVE_INFINITY)) {
        clipAlone(columns, k, work);
        work.factors[k] = 1.0;
      } else {
        work.factors[k] = isLonger(squares[k]) ? bound / StrictMath.sqrt(squares[k]) : 1.0;
      }
    }
    Arrays.fill(squares, 0, rows, 0.0);
    for (double[] column : columns) {
      multiplyToSteps(column, work.factors, stepsPerUnit, rows);
      ColumnBatch.addSquares(column, rows, squares); // of whole numbers below 2^53: exact
    }
    for (int k = 0; k < rows; k++) {
      if (squares[k] > largestSquare) {
        shrink(columns, k, (long) squares[k], work.steps);
      }
    }
  }

  /** Replaces a row by one that the loops over rows leave at its steps. */
  private void clipAlone(double[][] columns, int k, Lanes work) {
    for (int i = 0; i < dimension; i++) {
      work.row[i] = columns[i][k];
    }
    clip(work.row, 0, work.steps, 0);
    for (int i = 0; i < dimension; i++) {
      columns[i][k] = work.steps[i] / stepsPerUnit; // exact, as it is a power of two
    }
  }

  // Toward zero, as a conversion to int is, for which there is no vector instruction here.
  private static void multiplyToSteps(double[] column, double[] factors, double units, int rows) {
    for (int k = 0; k < rows; k++) {
      double steps = column[k] * factors[k] * units;
      column[k] = Math.floor(Math.max(steps, 0.0)) + Math.ceil(Math.min(steps, 0.0));
    }
  }

  private void shrink(double[][] columns, int k, long square, int... steps) {
    for (int i = 0; i < dimension; i++) {
      steps[i] = (int) columns[i][k];
    }
    for (long exact = square; exact > largestSquare; ) {
      exact -= shrinkLargest(steps, 0);
    }
    for (int i = 0; i < dimension; i++) {
      columns[i][k] = steps[i];
    }
  }

  /** Writes the steps of entries of rows that are not longer; NaN counts as 0. */
  void truncate(double[] rows, int length, int[] steps, int to) {
    double units = stepsPerUnit;
    for (int i = 0; i < length; i++) {
      steps[to + i] = (int) (rows[i] * units); // toward zero
    }
  }

  private boolean clip(double[] rows, int from, int[] steps, int to) {
    double square = square(rows, from);
    if (Double.isNaN(square)) {
      replaceNaN(rows, from);
      square = square(rows, from);
    }
    boolean shortened = parts.isPresent() && parts.get().shorten(rows, from);
    if (shortened) {
      square = square(rows, from);
    }
    boolean longer = isLonger(square);
    double factor = longer ? bound / StrictMath.sqrt(square) : 1.0;
    long exact = 0;
    for (int i = 0; i < dimension; i++) {
      int q = (int) (rows[from + i] * factor * stepsPerUnit); // toward zero
      steps[to + i] = q;
      exact += (long) q * q;
    }
    while (exact > largestSquare) { // the factor, or the norm, was rounded in the wrong direction
      exact -= shrinkLargest(steps, to);
    }
    return longer || shortened;
  }

  /** Checks whether a row would be clipped. The row must not contain NaN. */
  boolean isLonger(double... row) {
    return !vacuous
        && (isLonger(square(row, 0)) || (parts.isPresent() && parts.get().isLonger(row)));
  }

  // Avoids the square root for most rows: if the square is at most that of the bound, the norm is
  // not above the bound.
  private boolean isLonger(double square) {
    return square > bound * bound && StrictMath.sqrt(square) > bound * ROUNDING;
  }

  private double square(double[] rows, int from) {
    double square = 0.0;
    for (int i = from; i < from + dimension; i++) {
      square += rows[i] * rows[i];
    }
    return square;
  }

  private void replaceNaN(double[] rows, int from) {
    for (int i = from; i < from + dimension; i++) {
      if (Double.isNaN(rows[i])) {
        rows[i] = 0.0;
      }
    }
  }

  /**
   * Moves the entry of largest magnitude (the last of equally large ones) one step toward zero;
   * returns the decrease of the squared norm.
   */
  private long shrinkLargest(int[] steps, int from) {
    int largest = from;
    for (int i = from + 1; i < from + dimension; i++) {
      if (Math.abs(steps[i]) >= Math.abs(steps[largest])) {
        largest = i;
      }
    }
    long magnitude = Math.abs((long) steps[largest]);
    steps[largest] -= Integer.signum(steps[largest]);
    return 2 * magnitude - 1;
  }
}
