package io.gauze.audit;

import io.gauze.privacy.LaplaceDp;
import io.gauze.privacy.RoundedLaplace;
import io.gauze.row.Neighbours;
import io.gauze.row.RowTag;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;

/**
 * Laplace noise on the moments of two columns with entries in [-1, 1]. The worst rows have entries
 * of size 1; the worst replaced one moves to another cell.
 */
final class FunctionalAudit extends MechanismAudit {
  private static final int ONE = 1 << 10;
  private static final SecondMomentsSpec SPEC = new SecondMomentsSpec(2);

  @Override
  String mechanism() {
    return "functional";
  }

  @Override
  double noise(Claim claim) {
    double square = (double) ONE * ONE;
    double sensitivity = square * LaplaceDp.entrySensitivity(2, claim.neighbours());
    return LaplaceDp.scale(claim.epsilon(), sensitivity);
  }

  @Override
  List<Claim> claims() {
    return Claims.pure();
  }

  /** With six entries the largest ratio is rare: a large epsilon shows more. */
  @Override
  Claim brokenClaim(Neighbours neighbours) {
    return neighbours == Neighbours.ADD_REMOVE
        ? Claims.pure(neighbours)
        : new Claim(2.0, 0.0, neighbours);
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    long[] row = Plans.state(SPEC.zero(), new RowTag(), Plans.row(ONE, ONE));
    long[] first = new long[replaced ? 2 * row.length : row.length];
    long[] second = first.clone();
    System.arraycopy(row, 0, second, 0, row.length);
    if (replaced) {
      System.arraycopy(row, 0, first, row.length, row.length);
    }
    RoundedLaplace noise = RoundedLaplace.of(share * noise(claim));
    return AuditCase.of(mechanism(), variant, claim, () -> new LaplaceTrial(first, second, noise))
        .withThreshold(LaplaceTrial.threshold(first, second, noise))
        .withRuns(claim.epsilon() > 1.0 ? 2_500_000 : 600_000);
  }
}
