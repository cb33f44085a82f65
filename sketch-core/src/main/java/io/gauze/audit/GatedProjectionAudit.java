package io.gauze.audit;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.privacy.Entropy;
import io.gauze.release.GatedProjection;
import io.gauze.row.Neighbours;
import io.gauze.row.RowTag;
import java.util.List;
import java.util.Map;

/**
 * Projections of two columns without a ridge where the data allow it, on data where the gate opens
 * about half of the time. The ratio is that of the rows, given whether the gate is open.
 */
final class GatedProjectionAudit extends MechanismAudit {
  private static final int ROWS = 2;

  @Override
  String mechanism() {
    return "jl-unregularised";
  }

  @Override
  String noiseName() {
    return "w^2";
  }

  @Override
  double noise(Claim claim) {
    return planned(claim).ridge();
  }

  /** The test's margin covers more than a tenth. */
  @Override
  List<Neighbours> exact() {
    return List.of();
  }

  @Override
  boolean relationShows() {
    return false;
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    GatedProjection mechanism = planned(claim);
    // as many rows of full norm in each direction as open the gate about half of the time
    double margin = -mechanism.lowerBound(0.0, Plans.NO_NOISE);
    int copies = (int) Math.round(mechanism.ridge() + 1.0 + margin);
    return audit(variant, claim, mechanism, copies).withLearntThreshold();
  }

  // Das et al. publish the projection itself, rescaled: no ridge, whatever the data.
  @Override
  List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    GatedProjection right = planned(claim);
    double small = 0x1p-20 * right.ridge();
    GatedProjection bare =
        new GatedProjection(
            right.spec(),
            right.cost(),
            right.rows(),
            right.rowBound(),
            right.neighbours(),
            small,
            right.momentUnit(),
            right.grid());
    return List.of(audit("no ridge, whatever the data", claim, bare, 0).withRuns(20_000));
  }

  private AuditCase audit(String variant, Claim claim, GatedProjection mechanism, int copies) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
        mechanism(), variant, claim, () -> new GatedTrial(mechanism, copies, replaced));
  }

  private GatedProjection planned(Claim claim) {
    return (GatedProjection)
        Plans.mechanism(mechanism(), claim, Map.of("rows", Integer.toString(ROWS)));
  }

  /** Rows in common, and one more in the second column; or one in the first against it. */
  private static final class GatedTrial implements Trial {
    private final GatedProjection mechanism;
    private final long[] first;
    private final long[] second;
    private final CovarianceLoss open;
    private final CovarianceLoss closed;

    GatedTrial(GatedProjection mechanism, int copies, boolean replaced) {
      this.mechanism = mechanism;
      int old = replaced ? 1 : 0;
      this.first = state(copies + old, copies);
      this.second = state(copies, copies + 1);
      this.open = loss(copies, old, 0x1p-30);
      this.closed = loss(copies, old, mechanism.ridge());
    }

    private long[] state(int left, int right) {
      long[] sum = mechanism.spec().zero().state().clone();
      long[] one = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(BOUND, 0));
      long[] other = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, BOUND));
      for (int k = 0; k < sum.length; k++) {
        sum[k] = left * one[k] + right * other[k];
      }
      return sum;
    }

    private static CovarianceLoss loss(int copies, int old, double ridge) {
      double common = copies + ridge;
      return new CovarianceLoss(
          ROWS, new double[] {common + old, common}, new double[] {common, common + 1.0});
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] payload = mechanism.release((inSecond ? second : first).clone(), entropy);
      double[] rows = new double[payload.length - 1];
      for (int k = 0; k < rows.length; k++) {
        rows[k] = payload[k + 1] * mechanism.unit();
      }
      return (payload[0] == 0 ? closed : open).ratioOfRows(rows);
    }
  }
}
