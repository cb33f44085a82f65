package io.gauze.audit;

import io.gauze.privacy.InverseWishartSampler;
import io.gauze.privacy.OutputGrid;
import io.gauze.privacy.ProjectionPrivacy;
import io.gauze.row.Neighbours;
import java.util.List;

/**
 * Inverse Wishart matrices with scale {@code M + psi I}, M the moments of rows of two columns and
 * norm at most 1. The worst replaced rows are orthogonal.
 */
final class InverseWishartAudit extends MechanismAudit {
  private static final int COLUMNS = 2;
  private static final int DEGREES = 4;

  @Override
  String mechanism() {
    return "inverse-wishart";
  }

  @Override
  String noiseName() {
    return "psi";
  }

  @Override
  double noise(Claim claim) {
    return psi(claim, DEGREES);
  }

  // V^-1 is the moments of nu rows N(0, (M + psi I)^-1): the ratio is that of such rows.
  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    double psi = share * noise(claim);
    double old = claim.neighbours() == Neighbours.REPLACE_ONE ? 1.0 : 0.0;
    InverseWishartSampler first = sampler(DEGREES, psi + old, psi);
    InverseWishartSampler second = sampler(DEGREES, psi, psi + 1.0);
    double[] firstVariances = {1.0 / (psi + old), 1.0 / psi};
    double[] secondVariances = {1.0 / psi, 1.0 / (psi + 1.0)};
    CovarianceLoss loss = new CovarianceLoss(DEGREES, firstVariances, secondVariances);
    return AuditCase.of(
            mechanism(),
            variant,
            claim,
            () ->
                (inSecond, entropy) -> {
                  double[] upper = (inSecond ? second : first).sample(entropy);
                  double determinant = determinant(upper);
                  return loss.ratio(upper[2] / determinant, upper[0] / determinant);
                })
        .withRuns(800_000);
  }

  // No row at all, or a row of zeros: only the degrees of freedom differ, nu = d or d + 1. The
  // ratio of the densities at V is a power of det(V), so the determinant is all that tells.
  @Override
  List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    double psi = psi(claim, COLUMNS);
    InverseWishartSampler first = sampler(COLUMNS, psi, psi);
    InverseWishartSampler second = sampler(COLUMNS + 1, psi, psi);
    return List.of(
        AuditCase.of(
                mechanism(),
                "Sheffet: n + D degrees of freedom",
                claim,
                () ->
                    (inSecond, entropy) ->
                        -determinant((inSecond ? second : first).sample(entropy)))
            .withLearntThreshold()
            .withRuns(20_000));
  }

  private static double psi(Claim claim, int degrees) {
    return ProjectionPrivacy.ridge(claim.budget(), degrees);
  }

  private static InverseWishartSampler sampler(int degrees, double left, double right) {
    double[] upper = {left, 0.0, right};
    return InverseWishartSampler.of(COLUMNS, degrees, upper, OutputGrid.relativeTo(1.0));
  }

  private static double determinant(double[] upper) {
    return upper[0] * upper[2] - upper[1] * upper[1];
  }
}
