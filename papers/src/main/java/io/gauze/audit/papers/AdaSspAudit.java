package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.papers.AdaSsp;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.RowTag;
import java.util.List;
import java.util.Map;

/**
 * Audits AdaSSP for two features and a response. The worst neighbours change the features' moments
 * and their least eigenvalue, but not the products: no pair attains all three bounds at once, so
 * that the audit cannot detect a tenth less noise.
 */
public final class AdaSspAudit extends MechanismAudit {
  private static final double SQUARE = (double) BOUND * BOUND;

  @Override
  public String mechanism() {
    return "ada-ssp";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).moments().diagonal().sigma();
  }

  @Override
  public List<Neighbours> exact() {
    return List.of();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    AdaSsp right = planned(claim);
    return audit(variant, claim, scaled(right, share, share * right.eigenvalue().sigma()));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    AdaSsp bare = scaled(planned(claim), 1.0, RoundedGaussian.SMALLEST_SIGMA);
    return List.of(
        audit("the least eigenvalue all but without noise", claim, bare).withRuns(20_000));
  }

  // The row (0, 1, 0) is in both data sets. With (1, 0, 0) added the moments are I, of least
  // eigenvalue 1; with a second (0, 1, 0) they are diag(0, 2), without any further row diag(0, 1),
  // both of least eigenvalue 0.
  private AuditCase audit(String variant, Claim claim, AdaSsp mechanism) {
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
        mechanism(), variant, claim, () -> new PartsTrial(mechanism, replaced ? 2.0 : 1.0));
  }

  private AdaSsp planned(Claim claim) {
    return (AdaSsp) Plans.ofThree(mechanism(), claim, Map.of("response", "y"));
  }

  private static AdaSsp scaled(AdaSsp right, double share, double eigenvalueSigma) {
    return new AdaSsp(
        right.spec(),
        right.response(),
        right.responseName(),
        right.mu(),
        right.momentUnit(),
        new SymmetricNoise(
            right.moments().dimension(),
            RoundedGaussian.of(share * right.moments().diagonal().sigma()),
            RoundedGaussian.of(share * right.moments().offDiagonal().sigma())),
        RoundedGaussian.of(share * right.products().sigma()),
        RoundedGaussian.of(eigenvalueSigma));
  }

  /** Computes the log-likelihood ratio of the parts that differ: two moments and the eigenvalue. */
  private static final class PartsTrial implements Trial {
    private static final int EIGENVALUE = 5;

    private final AdaSsp mechanism;
    private final long[] first;
    private final long[] second;
    private final double copies; // how often the row (0, 1, 0) is in the first data set

    PartsTrial(AdaSsp mechanism, double copies) {
      this.mechanism = mechanism;
      this.copies = copies;
      RowTag tag = new RowTag();
      this.first =
          Plans.state(
              mechanism.spec().zero(),
              tag,
              Plans.row(0, BOUND, 0),
              Plans.row(0, copies > 1.0 ? BOUND : 0, 0));
      this.second =
          Plans.state(mechanism.spec().zero(), tag, Plans.row(0, BOUND, 0), Plans.row(BOUND, 0, 0));
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] payload = mechanism.release((inSecond ? second : first).clone(), entropy);
      double sigma = mechanism.moments().diagonal().sigma();
      return part((double) payload[0], 0.0, 1.0, sigma)
          + part((double) payload[2], copies, 1.0, sigma)
          + part((double) payload[EIGENVALUE], 0.0, 1.0, mechanism.eigenvalue().sigma());
    }

    private static double part(double value, double before, double after, double sigma) {
      double middle = 0.5 * (before + after) * SQUARE;
      return (after - before) * SQUARE * (value - middle) / (sigma * sigma);
    }
  }
}
