package io.gauze.audit;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.plan.StreamPlan;
import io.gauze.row.EncodedRow;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RangeGrid;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Plans of streams of rows of two columns and norm at most 1, made like those of real streams. */
public final class Plans {
  /** The row bound in grid steps. */
  public static final int BOUND = 1 << 15;

  private static final RowSchema SCHEMA =
      RowSchema.of(List.of(new NumericColumn("x", -1, 1)), 0.5, 1.0, MissingValues.REJECT);

  private static final RowSchema THREE =
      RowSchema.of(
          List.of(new NumericColumn("x", -1, 1), new NumericColumn("y", -1, 1)),
          0.5,
          1.0,
          MissingValues.REJECT);

  private static final RowSchema FOUR =
      RowSchema.of(
          List.of(
              new NumericColumn("x", -1, 1),
              new NumericColumn("z", -1, 1),
              new NumericColumn("y", -1, 1)),
          0x1p-7);

  /**
   * The same, with an intercept as large as a column may be, and a small response that is clipped
   * apart.
   */
  private static final RowSchema FOUR_APART =
      RowSchema.of(FOUR.columns(), 1.0).withResponses(new ResponseBound(List.of("y"), 1.0 / 16.0));

  /** The intercept of rows that are orthogonal to those with the opposite column. */
  public static final double ORTHOGONAL = 0.5;

  private static final RowSchema TWO_ORTHOGONAL =
      RowSchema.of(
          List.of(new NumericColumn("x", -1, 1)),
          ORTHOGONAL,
          Math.sqrt(2.0) * ORTHOGONAL,
          MissingValues.REJECT);

  private static final RowSchema UNKNOWN =
      RowSchema.of(List.of(new EstimatedColumn("x", "x"), new EstimatedColumn("y", "y")), 0.5);

  /** The delta that plans need to spend. It is so small that no audit distinguishes it from 0. */
  private static final double NEXT_TO_NOTHING = 1e-12;

  private Plans() {}

  /** Returns the mechanism that keeps the claim for rows of three columns. */
  public static Mechanism ofThree(String name, Claim claim, Map<String, String> options) {
    return plan(THREE, name, claim, options);
  }

  /**
   * Returns the mechanism that keeps the claim for rows of four columns, all of them from -1 to 1.
   */
  public static Mechanism ofFour(String name, Claim claim, Map<String, String> options) {
    return plan(FOUR, name, claim, options);
  }

  /**
   * Returns the mechanism that keeps the claim for rows of four columns: an intercept of 1, two
   * columns from -1 to 1, and the response y, which is at most 1/16.
   */
  public static Mechanism ofFourApart(
      String name, Claim claim, int expectedRows, Map<String, String> options) {
    return planned(request(FOUR_APART, name, claim, options).withExpectedRows(expectedRows));
  }

  /** Returns the mechanism that keeps the claim for rows of two columns. */
  public static Mechanism mechanism(String name, Claim claim, Map<String, String> options) {
    return plan(SCHEMA, name, claim, options);
  }

  /**
   * Returns the mechanism that keeps the claim for rows of two columns whose bound is the norm of
   * ({@link #ORTHOGONAL}, {@link #ORTHOGONAL}).
   */
  public static Mechanism ofOrthogonal(String name, Claim claim, Map<String, String> options) {
    return plan(TWO_ORTHOGONAL, name, claim, options);
  }

  /** Returns the mechanism that keeps the claim for the ranges of two columns. */
  public static Mechanism ofUnknownRanges(Claim claim) {
    return plan(UNKNOWN, ColumnRanges.NAME, claim, Map.of());
  }

  /** Returns the encoded value, in grid steps, of the cell of a column of unknown range. */
  public static int position(int cell) {
    return (int) (((1L + cell) << UNKNOWN.grid().fractionBits()) / RangeGrid.CELLS);
  }

  /** Returns a CountSketch of one bucket for a stream with further requirements. */
  public static Mechanism oneBucket(Claim claim, UnaryOperator<StreamRequest> more) {
    Map<String, String> options = Map.of("buckets", "1");
    return planned(more.apply(request(SCHEMA, NoisyCountSketch.NAME, claim, options)));
  }

  private static Mechanism plan(
      RowSchema schema, String name, Claim claim, Map<String, String> options) {
    return planned(request(schema, name, claim, options));
  }

  private static Mechanism planned(StreamRequest request) {
    return StreamPlan.of(request).sketch("audited").mechanism();
  }

  private static StreamRequest request(
      RowSchema schema, String name, Claim claim, Map<String, String> options) {
    return new StreamRequest(
        "audit",
        schema,
        new Budget(claim.epsilon(), Math.max(NEXT_TO_NOTHING, claim.delta()), claim.neighbours()),
        StreamRequest.ROW,
        1_000,
        List.of(),
        List.of(new SketchRequest("audited", name, 1.0, options)));
  }

  /**
   * Returns the state of the worst row of a CountSketch in the second data set, or that of the row
   * that the first has instead.
   */
  public static long[] worst(Claim claim, boolean second) {
    boolean removed = claim.neighbours() == Neighbours.ADD_REMOVE;
    return new long[] {second ? BOUND : removed ? 0 : -BOUND, 0};
  }

  /** Returns a row in grid steps. */
  public static EncodedRow row(int... steps) {
    EncodedRow row = new EncodedRow(steps.length);
    System.arraycopy(steps, 0, row.values(), 0, steps.length);
    return row;
  }

  /** Returns the state of a sketch of some rows, all under one tag. */
  public static long[] state(LinearSketch<?> empty, RowTag tag, EncodedRow... rows) {
    for (EncodedRow row : rows) {
      empty.add(tag, row, 1);
    }
    return empty.state();
  }

  /** Returns the state of many copies of some rows, and of one more, under one tag. */
  public static long[] amid(
      long copies, List<EncodedRow> many, EncodedRow one, SecondMomentsSpec spec) {
    long[] state = state(spec.zero(), new RowTag(), many.toArray(new EncodedRow[0]));
    long[] other = state(spec.zero(), new RowTag(), one);
    Arrays.setAll(state, k -> copies * state[k] + other[k]);
    return state;
  }

  /** Checks whether some row of a state is the row (length, 0) without noise, or its negative. */
  public static boolean holds(long[] state, int length) {
    for (int k = 0; k < state.length; k += 2) {
      if (Math.abs(state[k]) == length && state[k + 1] == 0) {
        return true;
      }
    }
    return false;
  }
}
