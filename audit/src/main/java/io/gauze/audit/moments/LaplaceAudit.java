package io.gauze.audit.moments;

import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.LaplaceTrial;
import io.gauze.audit.PureAudit;
import io.gauze.noise.RoundedLaplace;

/** Audits one number with Laplace noise: the sum of entries of size at most B. */
public final class LaplaceAudit extends PureAudit {
  private static final long BOUND = 1L << 20;

  @Override
  public String mechanism() {
    return "laplace";
  }

  @Override
  public double noise(Claim claim) {
    double sensitivity = claim.neighbours() == Neighbours.ADD_REMOVE ? BOUND : 2.0 * BOUND;
    return LaplaceDp.scale(claim.epsilon(), sensitivity);
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    long[] first = {claim.neighbours() == Neighbours.ADD_REMOVE ? 0 : -BOUND};
    long[] second = {BOUND};
    RoundedLaplace noise = RoundedLaplace.of(share * noise(claim));
    return AuditCase.of(mechanism(), variant, claim, () -> LaplaceTrial.of(first, second, noise))
        .withThreshold(LaplaceTrial.threshold(first, second, noise.scale()));
  }
}
