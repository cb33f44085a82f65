package io.gauze.audit;

import io.gauze.privacy.GaussianRows;
import io.gauze.privacy.OutputGrid;
import io.gauze.privacy.ProjectionPrivacy;
import io.gauze.row.Neighbours;
import java.util.List;

/**
 * Gaussian rows {@code N(0, M + w^2 I)} made from the moments M of rows of two columns and norm at
 * most 1. The worst replaced rows are orthogonal.
 */
final class JlAudit extends MechanismAudit {
  private static final int ROWS = 4;

  /** The smaller squared singular value of data to which the rescaling is applied. */
  private static final double SMALL = 1.0 / 16.0;

  @Override
  String mechanism() {
    return "jl";
  }

  @Override
  String noiseName() {
    return "w^2";
  }

  @Override
  double noise(Claim claim) {
    return ProjectionPrivacy.ridge(claim.budget(), ROWS);
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    double ridge = share * noise(claim);
    double old = claim.neighbours() == Neighbours.REPLACE_ONE ? 1.0 : 0.0;
    double[] first = {ridge + old, ridge};
    double[] second = {ridge, ridge + 1.0};
    return audit(variant, claim, first, second).withRuns(800_000);
  }

  // As published for data whose least singular value is below w: the covariance is (w/sigma_min)^2
  // M. M = diag(1, SMALL), or diag(1, 1 + SMALL) with the row (0, 1): sigma_min^2 is SMALL or 1.
  @Override
  List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    double ridge = noise(claim);
    double[] first = {ridge / SMALL, ridge};
    double[] second = {ridge, ridge * (1.0 + SMALL)};
    return List.of(
        audit("Das et al.: no ridge, scaled by w / sigma_min", claim, first, second)
            .withRuns(20_000));
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
                loss.ratioOfRows((inSecond ? secondRows : firstRows).sample(ROWS, entropy)));
  }

  private static GaussianRows sampler(double[] variances) {
    double[] upper = {variances[0], 0.0, variances[1]};
    return GaussianRows.of(2, upper, OutputGrid.relativeTo(1.0));
  }
}
