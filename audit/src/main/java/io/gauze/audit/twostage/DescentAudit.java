package io.gauze.audit.twostage;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.descent.DescentPlan;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Audits gradient descent on whitened rows. The proof holds for any transform, number of rounds,
 * unit of gradients, threshold and models that noisy sums lead to, so the audit takes those of an
 * adversary, see {@link DescentTrial}, and those of the mechanism beside them.
 */
public class DescentAudit extends MechanismAudit {
  private static final double[][] NO_ROW = {};
  private static final double[][] ROW = {{Plans.ORTHOGONAL, Plans.ORTHOGONAL}};
  private static final double[][] OTHER_ROW = {{Plans.ORTHOGONAL, -Plans.ORTHOGONAL}};

  private final String mechanism;
  private final Map<String, String> options;

  /** Of least squares. */
  public DescentAudit() {
    this(DescentModel.NAME, Map.of("response", "x"));
  }

  private DescentAudit(String mechanism, Map<String, String> options) {
    this.mechanism = mechanism;
    this.options = options;
  }

  /** Of the median. */
  public static final class OfHuber extends DescentAudit {
    public OfHuber() {
      super(DescentModel.HUBER, Map.of("response", "x"));
    }
  }

  /** Of a quantile. */
  public static final class OfQuantile extends DescentAudit {
    public OfQuantile() {
      super(DescentModel.QUANTILE, Map.of("response", "x", "quantile", "0.9"));
    }
  }

  @Override
  public String mechanism() {
    return mechanism;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    return audit(variant, claim, less(planned(claim), share, share, share));
  }

  private AuditCase audit(String variant, Claim claim, DescentModel mechanism) {
    Neighbouring<DescentModel> both = neighbours(claim, mechanism);
    return AuditCase.of(
        mechanism(), variant, claim, () -> new DescentTrial(both, DescentTrial.Exact.NOTHING));
  }

  @Override
  public List<AuditCase> published() {
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    DescentModel right = planned(removed);
    Neighbouring<DescentModel> both = neighbours(removed, right);
    DescentPlan plan = right.plan();
    double ofStep = plan.gradientSensitivity() / plan.stepDeviation(1) / plan.mu();
    double ofCount = plan.rowSensitivity() / plan.countDeviation() / plan.mu();
    return List.of(
        AuditCase.of(mechanism(), "the transforms and models of the mechanism", removed, own(both))
            .asSound(),
        audit("each step with the whole budget", removed, less(right, 1.0, 1.0, ofStep)),
        audit("counts with the whole budget", removed, less(right, 1.0, ofCount, 1.0)),
        audit(
            "a replaced gradient that moves as one count less and one more",
            replaced,
            less(planned(replaced), 1.0, 1.0, Math.sqrt(0.5))),
        exact("a transform from the rows without noise", DescentTrial.Exact.TRANSFORM),
        exact(
            right.loss().isSquared()
                ? "a bound from gradients without noise"
                : "a threshold from residuals without noise",
            DescentTrial.Exact.UNIT),
        exact("a model from a step without noise", DescentTrial.Exact.MODEL));
  }

  private static Supplier<Trial> own(Neighbouring<DescentModel> both) {
    return () -> new OwnTrial(both);
  }

  private AuditCase exact(String variant, DescentTrial.Exact exact) {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    Neighbouring<DescentModel> both = neighbours(claim, planned(claim));
    return AuditCase.of(mechanism(), variant, claim, () -> new DescentTrial(both, exact))
        .withThreshold(0.5)
        .withRuns(10_000);
  }

  private DescentModel planned(Claim claim) {
    return (DescentModel) Plans.ofOrthogonal(mechanism(), claim, options);
  }

  private static Neighbouring<DescentModel> neighbours(Claim claim, DescentModel mechanism) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return Neighbouring.of(mechanism, replaced ? OTHER_ROW : NO_ROW, ROW);
  }

  /** Returns a mechanism whose parts have these shares of the noise that they need. */
  private static DescentModel less(
      DescentModel right, double moments, double counts, double steps) {
    double least = Math.min(moments, Math.min(counts, steps));
    if (least == 1.0) {
      return right;
    }
    DescentPlan plan = right.plan();
    return new DescentModel(
        right.name(),
        right.loss(),
        right.spec(),
        right.columns(),
        right.rowBound(),
        right.intercept(),
        new DescentPlan(
            TwoStageAudit.SPENT * plan.mu() / least,
            TwoStageAudit.less(plan.first(), moments),
            TwoStageAudit.less(plan.second(), moments),
            less(plan.norms(), counts),
            plan.countings(),
            plan.steps().stream().map(noise -> less(noise, steps)).toList(),
            plan.rowSensitivity(),
            plan.gradientSensitivity()),
        right.expectedRows());
  }

  private static RoundedGaussian less(RoundedGaussian noise, double share) {
    return RoundedGaussian.of(share * noise.sigma());
  }

  /** Computes the log-likelihood ratio of the sums that the mechanism itself asks for. */
  private record OwnTrial(Neighbouring<DescentModel> both) implements Trial {
    @Override
    public double run(boolean inSecond, Entropy entropy) {
      RatedDescent sums = new RatedDescent(both, inSecond, entropy);
      both.mechanism().numbers(sums);
      return sums.ratio();
    }
  }
}
