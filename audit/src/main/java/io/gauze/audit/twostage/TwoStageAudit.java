package io.gauze.audit.twostage;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Audits moments of transformed rows. The proof holds for any transform, any bound and any number
 * of rounds that noisy sums lead to, so the audit takes those of an adversary, see {@link
 * ChosenTrial}, and those of the mechanism beside them.
 */
public final class TwoStageAudit extends MechanismAudit {
  /**
   * The factor by which a broken variant declares a larger mu than it has, as slack for rounding.
   */
  static final double SPENT = 1.001;

  private static final int EARLIER_ROWS = 200_000;

  private static final double[][] NO_ROW = {};
  private static final double[][] ROW = {{Plans.ORTHOGONAL, Plans.ORTHOGONAL}};
  private static final double[][] OTHER_ROW = {{Plans.ORTHOGONAL, -Plans.ORTHOGONAL}};

  @Override
  public String mechanism() {
    return TwoStageMoments.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    TwoStageMoments right = planned(claim);
    return audit(variant, claim, with(right, less(right.plan(), Shares.all(share))));
  }

  private AuditCase audit(String variant, Claim claim, TwoStageMoments mechanism) {
    Neighbouring<TwoStageMoments> both = neighbours(claim, mechanism);
    return AuditCase.of(
        mechanism(), variant, claim, () -> new ChosenTrial(both, ChosenTrial.Exact.NOTHING));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    TwoStageMoments right = planned(claim);
    Neighbouring<TwoStageMoments> both = neighbours(claim, right);
    PreviousRelease earlier = earlier(right);
    return List.of(
        AuditCase.of(
                mechanism(),
                "the transforms of the mechanism",
                claim,
                () -> new OwnTrial(both, Optional.empty()))
            .asSound(),
        AuditCase.of(
                mechanism(),
                "after an earlier release of the mechanism",
                claim,
                () -> new OwnTrial(both, Optional.of(earlier)))
            .asSound(),
        AuditCase.of(
                mechanism(), "after an earlier release", claim, () -> new LaterTrial(both, false))
            .asSound(),
        AuditCase.of(
            mechanism(),
            "an earlier release of the same rows that nobody paid for",
            claim,
            () -> new LaterTrial(both, true)),
        audit("each part with the whole budget", claim, with(right, whole(right))),
        audit("a second noise on the same rows, after a restore", claim, right).times(restored()),
        exact("a transform from the rows without noise", ChosenTrial.Exact.TRANSFORM),
        exact("a bound from norms without noise", ChosenTrial.Exact.BOUND),
        exact("a number of rounds from sums without noise", ChosenTrial.Exact.ROUNDS));
  }

  private AuditCase exact(String variant, ChosenTrial.Exact exact) {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    Neighbouring<TwoStageMoments> both = neighbours(claim, planned(claim));
    return AuditCase.of(mechanism(), variant, claim, () -> new ChosenTrial(both, exact))
        .withThreshold(0.5)
        .withRuns(10_000);
  }

  private TwoStageMoments planned(Claim claim) {
    return (TwoStageMoments) Plans.ofOrthogonal(mechanism(), claim, Map.of());
  }

  private static Neighbouring<TwoStageMoments> neighbours(Claim claim, TwoStageMoments mechanism) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return Neighbouring.of(mechanism, replaced ? OTHER_ROW : NO_ROW, ROW);
  }

  /** Returns the sums of one release of one of the data sets. */
  static RatedSums sums(Neighbouring<TwoStageMoments> both, boolean inSecond, Entropy entropy) {
    TwoStageMoments mechanism = both.mechanism();
    return new RatedSums(both, mechanism.plan(), mechanism.sums(both.rows(inSecond), entropy));
  }

  private static TwoStageMoments with(TwoStageMoments right, TwoStagePlan plan) {
    return new TwoStageMoments(right.spec(), right.schema(), right.response(), plan);
  }

  /** Returns a plan of which each part spends the whole budget. */
  private static TwoStagePlan whole(TwoStageMoments right) {
    TwoStagePlan plan = right.plan();
    return less(
        plan,
        new Shares(
            of(plan, plan.first()),
            of(plan, plan.second()),
            of(plan, plan.part(1, true)),
            plan.rowSensitivity() / plan.countDeviation() / plan.mu()));
  }

  private static double of(TwoStagePlan plan, TwoStagePlan.Part part) {
    return part.sensitivity() / part.deviation() / plan.mu();
  }

  /** Returns a plan whose parts have these shares of the noise that they need. */
  static TwoStagePlan less(TwoStagePlan plan, Shares shares) {
    double least = shares.least();
    if (least == 1.0) {
      return plan;
    }
    return new TwoStagePlan(
        SPENT * plan.mu() / least,
        less(plan.first(), shares.first()),
        less(plan.second(), shares.second()),
        plan.last().stream().map(part -> less(part, shares.last())).toList(),
        RoundedGaussian.of(shares.norms() * plan.norms().sigma()),
        plan.rowSensitivity());
  }

  /** Returns a part with this share of its noise. */
  static TwoStagePlan.Part less(TwoStagePlan.Part part, double share) {
    SymmetricNoise noise = part.noise();
    return new TwoStagePlan.Part(
        part.sensitivity(),
        part.unit(),
        new SymmetricNoise(
            noise.dimension(),
            RoundedGaussian.of(share * noise.diagonal().sigma()),
            RoundedGaussian.of(share * noise.offDiagonal().sigma())));
  }

  /** By part, how much of the noise that it needs a variant adds. */
  record Shares(double first, double second, double last, double norms) {
    static Shares all(double share) {
      return new Shares(share, share, share, share);
    }

    double least() {
      return Math.min(Math.min(first, second), Math.min(last, norms));
    }
  }

  /**
   * Computes the log-likelihood ratio of the sums under a transform of an earlier release.
   *
   * @param isLeaked whether that is one of the same rows, which this one publishes without a charge
   */
  private record LaterTrial(Neighbouring<TwoStageMoments> both, boolean isLeaked) implements Trial {
    private static final RowTransform EARLIER = RowTransform.of(2, 1, 4.0, 3.0, 5.0);

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      RatedSums sums = sums(both, inSecond, entropy);
      if (isLeaked) {
        sums.norms(EARLIER, 0);
        sums.moments(EARLIER, 0, true);
      }
      sums.norms(EARLIER, 0);
      sums.moments(EARLIER, 0, true);
      return sums.ratio();
    }
  }

  /** Computes the log-likelihood ratio of the sums that the mechanism itself asks for. */
  private record OwnTrial(Neighbouring<TwoStageMoments> both, Optional<PreviousRelease> before)
      implements Trial {
    @Override
    public double run(boolean inSecond, Entropy entropy) {
      RatedSums sums = sums(both, inSecond, entropy);
      long[] numbers = both.mechanism().numbers(sums, before);
      if (before.isPresent() && numbers[0] >= 0) {
        throw new IllegalStateException("the earlier release must be of use");
      }
      return sums.ratio();
    }
  }

  /** A release of many made-up rows that says where they lie. */
  private static PreviousRelease earlier(TwoStageMoments mechanism) {
    ModelRows rows = mechanism.rows();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < EARLIER_ROWS; i++) {
      mechanism.add(rows, Plans.ORTHOGONAL, Plans.ORTHOGONAL * random.nextDouble(-1.0, 1.0));
    }
    return PreviousRelease.of(
        mechanism.fit(rows, Randomness.SYSTEM.entropy("an earlier release")), 1);
  }
}
