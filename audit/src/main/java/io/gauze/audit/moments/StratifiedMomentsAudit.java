package io.gauze.audit.moments;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.moments.StratifiedMomentsNoise;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.RowTag;
import java.util.List;
import java.util.Map;

/**
 * Audits noisy moments of two strata of rows of two columns. The worst replaced row changes its
 * stratum: it is replaced by the opposite row, which second moments alone could not distinguish.
 */
public final class StratifiedMomentsAudit extends MechanismAudit {
  private static final int STRATA = 2;

  /**
   * The factor by which a broken variant declares a larger mu than it has, as slack for rounding.
   */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return StratifiedMomentsNoise.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    StratifiedMomentsNoise mechanism = scaled(planned(claim), share);
    long[] first =
        claim.neighbours() == Neighbours.REPLACE_ONE
            ? state(mechanism, -BOUND)
            : mechanism.spec().zero().state();
    long[] second = state(mechanism, BOUND);
    return AuditCase.of(
        mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, mechanism));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    StratifiedMomentsNoise mechanism = planned(claim);
    long[] row = state(mechanism, BOUND);
    return List.of(
        AuditCase.of(
                mechanism(),
                "no noise in empty strata",
                claim,
                () -> new BareWhereEmpty(mechanism, row, row.length / STRATA))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  private static long[] state(StratifiedMomentsNoise mechanism, int x) {
    return Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, x));
  }

  private StratifiedMomentsNoise planned(Claim claim) {
    return (StratifiedMomentsNoise)
        Plans.mechanism(mechanism(), claim, Map.of("strata", Integer.toString(STRATA)));
  }

  private static StratifiedMomentsNoise scaled(StratifiedMomentsNoise right, double share) {
    return share == 1.0
        ? right
        : new StratifiedMomentsNoise(
            right.spec(),
            right.by(),
            right.sensitivity(),
            SPENT * right.mu() / share,
            right.stepSize(),
            new SymmetricNoise(
                right.noise().dimension(),
                RoundedGaussian.of(share * right.noise().diagonal().sigma()),
                RoundedGaussian.of(share * right.noise().offDiagonal().sigma())),
            right.expectedRows());
  }
}
