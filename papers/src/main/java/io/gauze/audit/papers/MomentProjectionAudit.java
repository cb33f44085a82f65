package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.mechanism.papers.MomentProjection;
import io.gauze.noise.GaussianRows;
import io.gauze.noise.OutputGrid;
import io.gauze.row.RowTag;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Audits Gaussian rows {@code N(0, M + w^2 I)} made from the moments M of rows of two columns and
 * norm at most 1. The worst replaced rows are orthogonal.
 */
public final class MomentProjectionAudit extends MechanismAudit {
  private static final int ROWS = 4;
  private static final OutputGrid GRID = OutputGrid.relativeTo(1.0);

  /** The smaller squared singular value of data to which the rescaling is applied. */
  private static final double SMALL = 1.0 / 16.0;

  @Override
  public String mechanism() {
    return "jl";
  }

  @Override
  public String noiseName() {
    return "w^2";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).ridge();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    MomentProjection mechanism = scaled(planned(claim), share);
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? BOUND : 0;
    long[] first = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(old, 0));
    long[] second = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, BOUND));
    double ridge = mechanism.ridge();
    CovarianceLoss loss =
        new CovarianceLoss(
            ROWS,
            new double[] {ridge + (old == 0 ? 0.0 : 1.0), ridge},
            new double[] {ridge, ridge + 1.0});
    return AuditCase.of(
            mechanism(),
            variant,
            claim,
            () ->
                (inSecond, entropy) ->
                    loss.ratioOfRows(
                        scaled(mechanism.release(inSecond ? second : first, entropy), mechanism)))
        .withRuns(800_000);
  }

  private MomentProjection planned(Claim claim) {
    return (MomentProjection)
        Plans.mechanism(mechanism(), claim, Map.of("rows", Integer.toString(ROWS)));
  }

  private static MomentProjection scaled(MomentProjection right, double share) {
    return new MomentProjection(
        right.spec(), right.cost(), share * right.ridge(), right.momentUnit(), right.grid());
  }

  private static double[] scaled(long[] payload, MomentProjection mechanism) {
    return LongStream.of(payload).mapToDouble(step -> step * mechanism.stepSize()).toArray();
  }

  // The published rescaling applies to data whose least singular value is below w: the covariance
  // is (w/sigma_min)^2 M. M = diag(1, SMALL), or diag(1, 1 + SMALL) with the row (0, 1):
  // sigma_min^2 is SMALL or 1.
  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    double ridge = noise(claim);
    double[] first = {ridge / SMALL, ridge};
    double[] second = {ridge, ridge * (1.0 + SMALL)};
    List<AuditCase> cases = new ArrayList<>(lattice());
    cases.add(
        audit("Das et al.: no ridge, scaled by w / sigma_min", claim, first, second)
            .withRuns(20_000));
    return cases;
  }

  private List<AuditCase> lattice() {
    MomentProjection mechanism = planned(LatticeAudit.CLAIM);
    double unit = mechanism.stepSize();
    Function<long[], BigDecimal[][]> covariance =
        moments -> ExactTriangles.ridged(2, moments, mechanism.momentUnit(), mechanism.ridge());
    return LatticeAudit.cases(
        mechanism(),
        moments -> entropy -> mechanism.release(moments, entropy),
        moments -> LeakySampler.rows(2, ROWS, unit, covariance.apply(moments)),
        moments -> LatticeAttack.rows(2, ROWS, unit, covariance.apply(moments)));
  }

  private AuditCase audit(String variant, Claim claim, double[] first, double[] second) {
    GaussianRows firstRows = sampler(first);
    GaussianRows secondRows = sampler(second);
    CovarianceLoss loss = new CovarianceLoss(ROWS, first, second);
    return AuditCase.of(
        mechanism(),
        variant,
        claim,
        () ->
            (inSecond, entropy) ->
                loss.ratioOfRows(
                    GRID.values((inSecond ? secondRows : firstRows).sample(ROWS, entropy))));
  }

  private static GaussianRows sampler(double[] variances) {
    double[] upper = {variances[0], 0.0, variances[1]};
    return GaussianRows.of(2, upper, GRID);
  }
}
