package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.mechanism.papers.InverseWishartMoments;
import io.gauze.noise.InverseWishartSampler;
import io.gauze.noise.OutputGrid;
import io.gauze.row.RowTag;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Audits inverse Wishart matrices with scale {@code M + psi I}, where M are the moments of rows of
 * two columns and norm at most 1. The worst replaced rows are orthogonal.
 */
public final class InverseWishartAudit extends MechanismAudit {
  private static final int COLUMNS = 2;
  private static final int DEGREES = 6;
  private static final OutputGrid GRID = OutputGrid.relativeTo(1.0);

  @Override
  public String mechanism() {
    return "inverse-wishart";
  }

  @Override
  public String noiseName() {
    return "psi";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).ridge();
  }

  // V^-1 is the second moments of nu rows N(0, (M + psi I)^-1), so the ratio is that of such rows.
  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    InverseWishartMoments mechanism = scaled(planned(claim), share);
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? BOUND : 0;
    long[] first = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(old, 0));
    long[] second = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, BOUND));
    double psi = mechanism.ridge();
    double[] firstVariances = {1.0 / (psi + (old == 0 ? 0.0 : 1.0)), 1.0 / psi};
    double[] secondVariances = {1.0 / psi, 1.0 / (psi + 1.0)};
    CovarianceLoss loss = new CovarianceLoss(DEGREES, firstVariances, secondVariances);
    return AuditCase.of(
            mechanism(),
            variant,
            claim,
            () ->
                (inSecond, entropy) -> {
                  long[] payload = mechanism.release(inSecond ? second : first, entropy);
                  double[] upper =
                      LongStream.of(payload).mapToDouble(k -> k * mechanism.stepSize()).toArray();
                  double determinant = determinant(upper);
                  return loss.ratio(upper[2] / determinant, upper[0] / determinant);
                })
        .withRuns(800_000);
  }

  // The data sets are no row and a row of zeros: only the degrees of freedom differ, nu = d or
  // d + 1. The ratio of the densities at V is a power of det(V), so the determinant is sufficient.
  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    double psi = psi(claim, COLUMNS);
    InverseWishartSampler first = sampler(COLUMNS, psi, psi);
    InverseWishartSampler second = sampler(COLUMNS + 1, psi, psi);
    List<AuditCase> cases = new ArrayList<>(lattice());
    cases.add(
        AuditCase.of(
                mechanism(),
                "Sheffet: n + D degrees of freedom",
                claim,
                () ->
                    (inSecond, entropy) ->
                        -determinant((inSecond ? second : first).sample(entropy)))
            .withLearntThreshold()
            .withRuns(20_000));
    return cases;
  }

  private List<AuditCase> lattice() {
    InverseWishartMoments mechanism = planned(LatticeAudit.CLAIM);
    double unit = mechanism.stepSize();
    Function<long[], BigDecimal[][]> scale =
        moments ->
            ExactTriangles.ridged(COLUMNS, moments, mechanism.momentUnit(), mechanism.ridge());
    return LatticeAudit.cases(
        mechanism(),
        moments -> entropy -> mechanism.release(moments, entropy),
        moments -> LeakySampler.inverse(COLUMNS, DEGREES, unit, scale.apply(moments)),
        moments -> LatticeAttack.inverse(COLUMNS, DEGREES, unit, scale.apply(moments)));
  }

  private InverseWishartMoments planned(Claim claim) {
    return (InverseWishartMoments)
        Plans.mechanism(mechanism(), claim, Map.of("degreesOfFreedom", Integer.toString(DEGREES)));
  }

  private static InverseWishartMoments scaled(InverseWishartMoments right, double share) {
    return new InverseWishartMoments(
        right.spec(), right.cost(), share * right.ridge(), right.momentUnit(), right.grid());
  }

  private static double psi(Claim claim, int degrees) {
    return ProjectionPrivacy.ridge(claim.budget(), degrees);
  }

  private static InverseWishartSampler sampler(int degrees, double left, double right) {
    double[] upper = {left, 0.0, right};
    return InverseWishartSampler.of(COLUMNS, degrees, upper, GRID);
  }

  private static double determinant(long[] steps) {
    return determinant(GRID.values(steps));
  }

  private static double determinant(double[] upper) {
    return upper[0] * upper[2] - upper[1] * upper[1];
  }
}
