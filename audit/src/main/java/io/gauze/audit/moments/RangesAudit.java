package io.gauze.audit.moments;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.RangeGrid;
import io.gauze.row.RowTag;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Audits the counts of the ranges of two columns. The worst replaced row changes its cell in both.
 * The noise is of one law in all cells, and a trial makes it for those alone that can differ.
 */
public final class RangesAudit extends MechanismAudit {
  private static final int COLUMNS = 2;

  /** The factor by which a broken variant declares a larger mu, as slack for rounding. */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return ColumnRanges.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    ColumnRanges mechanism = scaled(planned(claim), share);
    long[] first =
        claim.neighbours() == Neighbours.REPLACE_ONE ? state(mechanism, 1) : new long[2 * COLUMNS];
    long[] second = state(mechanism, 2);
    return AuditCase.of(
        mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, mechanism));
  }

  @Override
  public List<AuditCase> published() {
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    return List.of(
        audit("noise for one column in two", removed, 1.0 / Math.sqrt(COLUMNS)),
        twice("ranges and a sketch with the whole budget each", removed),
        audit("a second noise on the same rows, after a restore", removed, 1.0).times(2));
  }

  /** The counts, and a second release of the same rows whose noise ignores that of the first. */
  private AuditCase twice(String variant, Claim claim) {
    ColumnRanges mechanism = planned(claim);
    long[] row = state(mechanism, 2);
    long[] first = new long[2 * row.length];
    long[] second = Arrays.copyOf(row, first.length);
    System.arraycopy(row, 0, second, row.length, row.length);
    return AuditCase.of(
        mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, mechanism.noise()));
  }

  /** Returns cells 1 and 2 of the counts of a row that is in this cell of each column. */
  private static long[] state(ColumnRanges mechanism, int cell) {
    int position = Plans.position(cell);
    long[] all =
        Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, position, position));
    return IntStream.range(0, COLUMNS)
        .map(column -> column * RangeGrid.CELLS + 1)
        .flatMap(one -> IntStream.of(one, one + 1))
        .mapToLong(k -> all[k])
        .toArray();
  }

  private static ColumnRanges planned(Claim claim) {
    return (ColumnRanges) Plans.ofUnknownRanges(claim);
  }

  private static ColumnRanges scaled(ColumnRanges right, double share) {
    return share == 1.0
        ? right
        : new ColumnRanges(
            right.spec(),
            right.sensitivity(),
            SPENT * right.mu() / share,
            right.stepSize(),
            RoundedGaussian.of(share * right.noise().sigma()),
            right.expectedRows());
  }
}
