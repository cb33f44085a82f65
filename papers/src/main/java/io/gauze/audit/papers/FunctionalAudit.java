package io.gauze.audit.papers;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.LaplaceTrial;
import io.gauze.audit.Plans;
import io.gauze.audit.PureAudit;
import io.gauze.mechanism.papers.FunctionalMoments;
import io.gauze.noise.RoundedLaplace;
import io.gauze.row.RowTag;
import java.util.Map;

/**
 * Audits Laplace noise on the moments of two columns. The worst rows have equal entries; the worst
 * replaced row moves to another cell.
 */
public final class FunctionalAudit extends PureAudit {
  /** An entry of a row at the bound whose two entries are equal. */
  private static final int EQUAL = (int) (Plans.BOUND * Math.sqrt(0.5));

  /**
   * The factor by which a broken variant declares a larger epsilon than it has, as slack for
   * rounding.
   */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return FunctionalMoments.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).noise().scale();
  }

  /** With six entries the largest ratio is rare, so that a large epsilon shows more. */
  @Override
  public Claim brokenClaim(Neighbours neighbours) {
    return neighbours == Neighbours.ADD_REMOVE
        ? Claims.pure(neighbours)
        : new Claim(2.0, 0.0, neighbours);
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    FunctionalMoments mechanism = scaled(planned(claim), share);
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    long[] row = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(EQUAL, EQUAL));
    long[] first = new long[replaced ? 2 * row.length : row.length];
    long[] second = first.clone();
    System.arraycopy(row, 0, second, 0, row.length);
    if (replaced) {
      System.arraycopy(row, 0, first, row.length, row.length);
    }
    double scale = mechanism.noise().scale();
    return AuditCase.of(
            mechanism(), variant, claim, () -> LaplaceTrial.of(first, second, mechanism, scale))
        .withThreshold(LaplaceTrial.threshold(first, second, scale))
        .withRuns(claim.epsilon() > 1.0 ? 2_500_000 : 600_000);
  }

  private FunctionalMoments planned(Claim claim) {
    return (FunctionalMoments) Plans.mechanism(mechanism(), claim, Map.of());
  }

  private static FunctionalMoments scaled(FunctionalMoments right, double share) {
    return share == 1.0
        ? right
        : new FunctionalMoments(
            right.spec(),
            right.sensitivity(),
            SPENT * right.epsilon() / share,
            right.stepSize(),
            RoundedLaplace.of(share * right.noise().scale()));
  }
}
