package io.gauze.audit.twostage;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.twostage.StrataPlan;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.noise.Entropy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Audits strata of residuals of transformed rows. The proof holds for any transform, bound and
 * model that noisy sums lead to, so the audit takes those of an adversary, see {@link StrataTrial},
 * and those of the mechanism beside them.
 */
public final class StrataAudit extends MechanismAudit {
  private static final double[][] NO_ROW = {};
  private static final double[][] ROW = {{Plans.ORTHOGONAL, Plans.ORTHOGONAL}};
  private static final double[][] OTHER_ROW = {{Plans.ORTHOGONAL, -Plans.ORTHOGONAL}};

  @Override
  public String mechanism() {
    return TwoStageStrata.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    return audit(variant, claim, less(planned(claim), share, share));
  }

  private AuditCase audit(String variant, Claim claim, TwoStageStrata mechanism) {
    Neighbouring<TwoStageStrata> both = neighbours(claim, mechanism);
    return AuditCase.of(
        mechanism(), variant, claim, () -> new StrataTrial(both, StrataTrial.Exact.NOTHING));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    TwoStageStrata right = planned(claim);
    StrataPlan plan = right.plan();
    double ofMoments = plan.moments().mu() / plan.mu();
    double ofStrata = Math.sqrt(plan.strata().spent()) / plan.mu();
    Neighbouring<TwoStageStrata> both = neighbours(claim, right);
    return List.of(
        AuditCase.of(
                mechanism(),
                "the transforms and models of the mechanism",
                claim,
                () -> new OwnTrial(both))
            .asSound(),
        audit("each stage with the whole budget", claim, less(right, ofMoments, ofStrata)),
        audit("a second noise on the same rows, after a restore", claim, right).times(restored()),
        exact("a transform from the rows without noise", StrataTrial.Exact.TRANSFORM),
        exact("a bound from norms without noise", StrataTrial.Exact.BOUND),
        exact("a model from the sums without noise", StrataTrial.Exact.MODEL));
  }

  private AuditCase exact(String variant, StrataTrial.Exact exact) {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    Neighbouring<TwoStageStrata> both = neighbours(claim, planned(claim));
    return AuditCase.of(mechanism(), variant, claim, () -> new StrataTrial(both, exact))
        .withThreshold(0.5)
        .withRuns(10_000);
  }

  private TwoStageStrata planned(Claim claim) {
    return (TwoStageStrata) Plans.ofOrthogonal(mechanism(), claim, Map.of("strata", "2"));
  }

  private static Neighbouring<TwoStageStrata> neighbours(Claim claim, TwoStageStrata mechanism) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return Neighbouring.of(mechanism, replaced ? OTHER_ROW : NO_ROW, ROW);
  }

  /** Returns a mechanism whose stages have these shares of the noise that they need. */
  private static TwoStageStrata less(TwoStageStrata right, double moments, double strata) {
    double least = Math.min(moments, strata);
    if (least == 1.0) {
      return right;
    }
    StrataPlan plan = right.plan();
    return new TwoStageStrata(
        right.spec(),
        right.schema(),
        right.response(),
        right.strata(),
        new StrataPlan(
            TwoStageAudit.SPENT * TwoStageAudit.SPENT * plan.mu() / least,
            TwoStageAudit.less(plan.moments(), TwoStageAudit.Shares.all(moments)),
            TwoStageAudit.less(plan.strata(), strata)),
        right.expectedRows());
  }

  /** Computes the log-likelihood ratio of the sums that the mechanism itself asks for. */
  private record OwnTrial(Neighbouring<TwoStageStrata> both) implements Trial {
    @Override
    public double run(boolean inSecond, Entropy entropy) {
      RatedStrata sums = new RatedStrata(both, inSecond, entropy);
      both.mechanism().numbers(sums, Optional.empty());
      return sums.ratio();
    }
  }
}
