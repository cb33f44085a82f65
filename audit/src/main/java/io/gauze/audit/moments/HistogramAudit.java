package io.gauze.audit.moments;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.LaplaceTrial;
import io.gauze.audit.Plans;
import io.gauze.audit.PureAudit;
import io.gauze.mechanism.moments.NoisyHistogram;
import io.gauze.noise.RoundedLaplace;
import io.gauze.row.RowTag;
import java.util.List;
import java.util.Map;

/** Audits counts of two cells with Laplace noise. The worst replaced row changes its cell. */
public final class HistogramAudit extends PureAudit {
  /**
   * The factor by which a broken variant declares a larger epsilon than it has, as slack for
   * rounding.
   */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return NoisyHistogram.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).noise().scale();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    NoisyHistogram mechanism = scaled(planned(claim), share);
    long[] first =
        claim.neighbours() == Neighbours.REPLACE_ONE
            ? state(mechanism, -BOUND)
            : mechanism.spec().zero().state();
    long[] second = state(mechanism, BOUND);
    double scale = mechanism.noise().scale();
    return AuditCase.of(
            mechanism(), variant, claim, () -> LaplaceTrial.of(first, second, mechanism, scale))
        .withThreshold(LaplaceTrial.threshold(first, second, scale))
        .withRuns(1_000_000);
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.pure(Neighbours.ADD_REMOVE);
    NoisyHistogram mechanism = planned(claim);
    long[] row = state(mechanism, BOUND);
    return List.of(
        AuditCase.of(
                mechanism(),
                "no noise in empty cells",
                claim,
                () -> new BareWhereEmpty(mechanism, row, 1))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  private static long[] state(NoisyHistogram mechanism, int x) {
    return Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, x));
  }

  private NoisyHistogram planned(Claim claim) {
    return (NoisyHistogram) Plans.mechanism(mechanism(), claim, Map.of("bins", "2"));
  }

  private static NoisyHistogram scaled(NoisyHistogram right, double share) {
    return share == 1.0
        ? right
        : new NoisyHistogram(
            right.spec(),
            right.bins(),
            right.sensitivity(),
            SPENT * right.epsilon() / share,
            RoundedLaplace.of(share * right.noise().scale()),
            right.expectedRows());
  }
}
