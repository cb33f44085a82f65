package io.gauze.audit.moments;

import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.noise.RoundedGaussian;
import java.util.Arrays;
import java.util.List;

/** Audits one number with Gaussian noise: the sum of entries of size at most B. */
public final class GaussianAudit extends MechanismAudit {
  private static final long BOUND = 1L << 20;

  @Override
  public String mechanism() {
    return "gaussian";
  }

  @Override
  public double noise(Claim claim) {
    double sensitivity = claim.neighbours() == Neighbours.ADD_REMOVE ? BOUND : 2.0 * BOUND;
    return GaussianDp.sigma(claim.epsilon(), claim.delta(), sensitivity);
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    return audit(variant, claim, share, 1);
  }

  @Override
  public List<AuditCase> published() {
    return List.of(
        audit("two noises over one sum", Claims.approximate(Neighbours.ADD_REMOVE), 1.0, 2));
  }

  private AuditCase audit(String variant, Claim claim, double share, int releases) {
    long[] first = new long[releases];
    long[] second = new long[releases];
    Arrays.fill(first, claim.neighbours() == Neighbours.ADD_REMOVE ? 0 : -BOUND);
    Arrays.fill(second, BOUND);
    RoundedGaussian noise = RoundedGaussian.of(share * noise(claim));
    return AuditCase.of(mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, noise));
  }
}
