package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.internal.Checks;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.plan.StreamPlan;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SketchSpec;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The request of a stream's owner; {@link StreamPlan#of} calibrates its noise.
 *
 * @param stream the stream's name, a part of a {@link ReleaseId}
 * @param schema the public description of its rows
 * @param budget for all sketches together, over the releases of the scope
 * @param scope whose data the guarantee protects, in which releases
 * @param expectedRows a public guess of the number of rows in an epoch and group, for cumulative
 *     releases in the last one, in [1, 2^33 - 2^20]
 * @param assumptions further assumptions of the guarantee, each a clause after "assumes that"
 * @param sketches at least one, of distinct names
 * @param checkpointLeaks how many checkpoints may be stolen without breaking the guarantee, 0 or 1
 * @param ranges how counts are paid for by which ranges are chosen. If the only sketch is {@link
 *     ColumnRanges}, it gets the share of the counts; else the sketches get the rest
 */
public record StreamRequest(
    String stream,
    RowSchema schema,
    Budget budget,
    BudgetScope scope,
    long expectedRows,
    List<String> assumptions,
    List<SketchRequest> sketches,
    int checkpointLeaks,
    RangeBudget ranges)
    implements Serializable {
  /** The scope of single rows, each in one epoch. */
  public static final BudgetScope ROW = BudgetScope.ROWS;

  /**
   * Checks names, expected rows and checkpoint leaks.
   *
   * @throws IllegalArgumentException if one of them is out of range
   */
  public StreamRequest {
    ReleaseId.checkPart("stream name", stream);
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(scope, "scope");
    Checks.within("expectedRows", expectedRows, 1, Grid.MAX_ROWS);
    if (checkpointLeaks < 0 || checkpointLeaks > 1) {
      throw new IllegalArgumentException(
          "checkpointLeaks must be 0 or 1. Provided value: " + checkpointLeaks);
    }
    if (ranges.counts() && !(scope.equals(ROW) && checkpointLeaks == 0)) {
      throw new IllegalArgumentException(
          "rangeShare must be 0 unless the unit is a row that is released once. Provided value: "
              + ranges.share());
    }
    assumptions = List.copyOf(assumptions);
    sketches = List.copyOf(sketches);
    if (sketches.isEmpty()) {
      throw new IllegalArgumentException("sketches must not be empty. Provided value: []");
    }
    Set<String> seen = new HashSet<>();
    for (SketchRequest sketch : sketches) {
      if (!seen.add(sketch.name())) {
        throw new IllegalArgumentException(
            "sketch names must be distinct. Provided value: " + sketch.name() + " twice");
      }
    }
  }

  /** Creates a request with {@code checkpointLeaks} = 0. */
  public StreamRequest(
      String stream,
      RowSchema schema,
      Budget budget,
      BudgetScope scope,
      long expectedRows,
      List<String> assumptions,
      List<SketchRequest> sketches) {
    this(stream, schema, budget, scope, expectedRows, assumptions, sketches, 0);
  }

  /** Creates a request whose ranges are all public. */
  public StreamRequest(
      String stream,
      RowSchema schema,
      Budget budget,
      BudgetScope scope,
      long expectedRows,
      List<String> assumptions,
      List<SketchRequest> sketches,
      int checkpointLeaks) {
    this(
        stream,
        schema,
        budget,
        scope,
        expectedRows,
        assumptions,
        sketches,
        checkpointLeaks,
        RangeBudget.NONE);
  }

  /** The unit whose data are protected. */
  public PrivacyUnit unit() {
    return scope.unit();
  }

  /** The releases that contain the data of a unit. */
  public ReleaseSchedule releases() {
    return scope.releases();
  }

  /** Returns a copy with other sketches. */
  public StreamRequest withSketches(List<SketchRequest> others) {
    return new StreamRequest(
        stream, schema, budget, scope, expectedRows, assumptions, others, checkpointLeaks, ranges);
  }

  /** Returns a copy with another schema. */
  public StreamRequest withSchema(RowSchema other) {
    return new StreamRequest(
        stream, other, budget, scope, expectedRows, assumptions, sketches, checkpointLeaks, ranges);
  }

  /** Returns a copy with another share for ranges that are chosen from the rows of the sketches. */
  public StreamRequest withRangeShare(double share) {
    return withRanges(RangeBudget.ofShare(share));
  }

  /** Returns a copy with another payment for the ranges of columns. */
  public StreamRequest withRanges(RangeBudget other) {
    return new StreamRequest(
        stream, schema, budget, scope, expectedRows, assumptions, sketches, checkpointLeaks, other);
  }

  /** The share of the budget that pays for the ranges of columns; 0 if nothing is shared. */
  public double rangeShare() {
    return ranges.share();
  }

  /** The part of delta that mechanisms with a delta of their own may have. */
  public double ownDelta() {
    return rangeShare() == 0.0 ? budget.delta() : 0.5 * budget.delta();
  }

  /** The mu of the release of ranges that shares the budget; 0 if there is none. */
  // A public function of the budget and the share: it depends neither on the sketches nor on data.
  public double rangesMu() {
    return rangeShare() == 0.0
        ? 0.0
        : Math.nextDown(Math.sqrt(rangeShare()) * GaussianDp.mu(budget.epsilon(), budget.delta()));
  }

  /** Whether the budget is split, and this request is the part that counts ranges. */
  public boolean countsRanges() {
    return ranges.counts()
        && sketches.size() == 1
        && sketches.get(0).mechanism().equals(RangeBudget.MECHANISM);
  }

  /** Returns a copy with another scope. */
  public StreamRequest withScope(BudgetScope other) {
    return new StreamRequest(
        stream,
        schema,
        budget,
        other,
        expectedRows,
        assumptions,
        sketches,
        checkpointLeaks,
        ranges);
  }

  /** Returns a copy with another number of checkpoints that may be stolen. */
  public StreamRequest withCheckpointLeaks(int number) {
    return new StreamRequest(
        stream, schema, budget, scope, expectedRows, assumptions, sketches, number, ranges);
  }

  /** Returns a copy with another number of expected rows. */
  public StreamRequest withExpectedRows(long rows) {
    return new StreamRequest(
        stream, schema, budget, scope, rows, assumptions, sketches, checkpointLeaks, ranges);
  }

  /**
   * Returns the largest distance between neighbours in all that is released at once, in any norm,
   * rounded up.
   *
   * @param row the distance for one row under the budget's relation
   */
  // Let row i of a unit add v_i to the states of all groups, written as one vector, |v_i| <= d.
  // - Add-remove: |v_1 + ... + v_k| <= k d, whichever cells the rows are in.
  // - Replace-one: |sum v_i - sum w_j| <= 2 k d, where 2 d is the sensitivity to one row.
  // - Sums V and W of a a', block by block, are positive semidefinite and of trace at most k B^2:
  //   |V - W|^2 = |V|^2 + |W|^2 - 2 tr(V W) <= 2 k^2 B^4, as tr(V W) >= 0 and |V| <= tr V.
  // - Counts of ranges V and W have entries >= 0: |V - W|^2 <= |V|^2 + |W|^2 <= 2 k^2 m.
  public double unitSensitivity(double row) {
    return unit().rows() == 1 ? row : Math.nextUp(row * unit().rows());
  }

  /** The largest l2 distance between neighbours' states of a sketch, in the encoded scale. */
  public double unitSensitivity(SketchSpec spec) {
    return unitSensitivity(spec.sensitivity(schema.rowBound(), budget.neighbours()));
  }

  /** Returns the mu of a release's whole noise, for a share of the budget's mu. */
  // K snapshots have mu / sqrt K each. With checkpointLeaks = 1, two noises of equal size are sqrt
  // 2 times as wide. For K cumulative releases the last one decides.
  double muPerRelease(double mu) {
    return releases().muPerRelease(mu, checkpointLeaks);
  }

  /**
   * Checks that a unit has one row.
   *
   * @throws IllegalArgumentException if a unit may have more than one in an epoch
   */
  public void requireOneRow(String mechanism) {
    if (unit().rows() > 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rowsPerEpoch must be 1 for %s, whose proof is for one row. Provided value: %d;"
                  + " noisy-moments takes any number",
              mechanism,
              unit().rows()));
    }
  }
}
