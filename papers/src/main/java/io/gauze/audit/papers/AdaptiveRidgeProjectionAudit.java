package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.AdaptiveRidgeProjection;
import io.gauze.noise.Entropy;
import io.gauze.row.RowTag;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Audits projections of two columns, without a ridge if the data permit it. The data of this audit
 * do not permit it, so the gate is closed unless the test errs, and the budget that is left for the
 * rows is tight. The ratio is that of the rows, given the gate.
 */
public final class AdaptiveRidgeProjectionAudit extends MechanismAudit {
  private static final int ROWS = 2;

  @Override
  public String mechanism() {
    return "jl-unregularised";
  }

  @Override
  public String noiseName() {
    return "w^2";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).ridge();
  }

  /** No relation: the test's margin covers more than a tenth of the noise. */
  @Override
  public List<Neighbours> exact() {
    return List.of();
  }

  @Override
  public boolean relationShows() {
    return false;
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    // The rows have three quarters of epsilon; the threshold is where their own delta is reached.
    return audit(variant, claim, planned(claim)).withThreshold(0.6 * claim.epsilon());
  }

  // Das et al. publish the projection itself, rescaled: it has no ridge, whatever the data.
  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    AdaptiveRidgeProjection right = planned(claim);
    double small = 0x1p-20 * right.ridge();
    AdaptiveRidgeProjection bare =
        new AdaptiveRidgeProjection(
            right.spec(),
            right.cost(),
            right.rows(),
            right.test(),
            right.margin(),
            small,
            right.gates(),
            right.momentUnit(),
            right.grid());
    List<AuditCase> cases = new ArrayList<>(lattice());
    cases.add(audit("no ridge, whatever the data", claim, bare).withRuns(20_000));
    return cases;
  }

  /** Returns cases in which the gate is open, so that rows have no ridge. */
  private List<AuditCase> lattice() {
    AdaptiveRidgeProjection mechanism = planned(LatticeAudit.CLAIM);
    double unit = mechanism.stepSize();
    Function<long[], BigDecimal[][]> covariance =
        moments -> ExactTriangles.ridged(2, moments, mechanism.momentUnit(), 0.0);
    return LatticeAudit.cases(
        mechanism(),
        moments ->
            entropy -> {
              long[] payload = mechanism.release(moments, entropy);
              return Arrays.copyOfRange(payload, 1, payload.length);
            },
        moments -> LeakySampler.rows(2, ROWS, unit, covariance.apply(moments)),
        moments -> LatticeAttack.rows(2, ROWS, unit, covariance.apply(moments)));
  }

  private AuditCase audit(String variant, Claim claim, AdaptiveRidgeProjection mechanism) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(mechanism(), variant, claim, () -> new GatedTrial(mechanism, replaced));
  }

  private AdaptiveRidgeProjection planned(Claim claim) {
    return (AdaptiveRidgeProjection)
        Plans.mechanism(mechanism(), claim, Map.of("rows", Integer.toString(ROWS)));
  }

  /**
   * Runs the mechanism on data sets without common rows. The second has a row in the second column;
   * the first has a row in the first column for replace-one, and none for add-remove.
   */
  private static final class GatedTrial implements Trial {
    private static final double NONE = 0x1p-30;

    private final AdaptiveRidgeProjection mechanism;
    private final long[] first;
    private final long[] second;
    private final CovarianceLoss open;
    private final CovarianceLoss closed;

    GatedTrial(AdaptiveRidgeProjection mechanism, boolean replaced) {
      this.mechanism = mechanism;
      RowTag tag = new RowTag();
      int old = replaced ? BOUND : 0;
      this.first = Plans.state(mechanism.spec().zero(), tag, Plans.row(old, 0));
      this.second = Plans.state(mechanism.spec().zero(), tag, Plans.row(0, BOUND));
      this.open = loss(replaced ? 1.0 : 0.0, NONE);
      this.closed = loss(replaced ? 1.0 : 0.0, mechanism.ridge());
    }

    private static CovarianceLoss loss(double old, double ridge) {
      return new CovarianceLoss(
          ROWS, new double[] {ridge + old, ridge}, new double[] {ridge, ridge + 1.0});
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] payload = mechanism.release((inSecond ? second : first).clone(), entropy);
      double[] rows = new double[payload.length - 1];
      for (int k = 0; k < rows.length; k++) {
        rows[k] = payload[k + 1] * mechanism.stepSize();
      }
      return (payload[0] == 0 ? closed : open).ratioOfRows(rows);
    }
  }
}
