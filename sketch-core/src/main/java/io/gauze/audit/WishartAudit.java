package io.gauze.audit;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.WishartPrivacy;
import io.gauze.privacy.WishartSampler;
import io.gauze.row.Neighbours;
import io.gauze.row.RowTag;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;

/**
 * Moments of two columns with additive Wishart noise. The noise is positive definite: where the
 * release less one of the two moments is not, that one is impossible.
 */
final class WishartAudit extends MechanismAudit {
  private static final int COLUMNS = 2;
  private static final int DEGREES = 12;
  private static final SecondMomentsSpec SPEC = new SecondMomentsSpec(COLUMNS);

  @Override
  String mechanism() {
    return "wishart";
  }

  @Override
  double noise(Claim claim) {
    return WishartPrivacy.leastScale(claim.budget(), COLUMNS, DEGREES).scale();
  }

  /** For replace-one it is a bound, far above what a replaced row gives away. */
  @Override
  List<Neighbours> exact() {
    return List.of(Neighbours.ADD_REMOVE);
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    AuditCase audited = audit(variant, claim, DEGREES, share * noise(claim)).withRuns(700_000);
    boolean tight = claim.neighbours() == Neighbours.ADD_REMOVE || share < 1.0;
    return tight ? audited : audited.withLearntThreshold();
  }

  /** The ratio is exp(epsilon) where both data sets are possible, but not both always are. */
  @Override
  List<AuditCase> published() {
    Claim claim = Claims.pure(Neighbours.ADD_REMOVE);
    double scale = 0.5 / claim.epsilon();
    return List.of(
        audit("Park and Welling: D + 1 degrees of freedom", claim, COLUMNS + 1, scale)
            .withRuns(10_000));
  }

  private AuditCase audit(String variant, Claim claim, int degrees, double scale) {
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? Plans.BOUND : 0;
    long[] first = Plans.state(SPEC.zero(), new RowTag(), Plans.row(old, 0));
    long[] second = Plans.state(SPEC.zero(), new RowTag(), Plans.row(0, Plans.BOUND));
    double variance = scale * Plans.BOUND * Plans.BOUND;
    return AuditCase.of(
        mechanism(), variant, claim, () -> new Noisy(first, second, degrees, variance));
  }

  /** The log-density of the noise W is {@code (k - D - 1)/2 ln det W - tr W / (2 variance)}. */
  private static final class Noisy implements Trial {
    private final long[] first;
    private final long[] second;
    private final WishartSampler noise;
    private final double power;
    private final double variance;

    Noisy(long[] first, long[] second, int degrees, double variance) {
      this.first = first;
      this.second = second;
      this.noise = WishartSampler.of(COLUMNS, degrees, variance);
      this.power = 0.5 * (degrees - COLUMNS - 1);
      this.variance = variance;
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] release = (inSecond ? second : first).clone();
      noise.addTo(release, entropy);
      double logDensity = logDensity(release, second);
      return logDensity == Double.NEGATIVE_INFINITY
          ? logDensity
          : logDensity - logDensity(release, first);
    }

    private double logDensity(long[] release, long[] moments) {
      double left = release[0] - moments[0];
      double off = release[1] - moments[1];
      double right = release[2] - moments[2];
      double determinant = left * right - off * off;
      return left > 0.0 && determinant > 0.0
          ? power * Math.log(determinant) - 0.5 * (left + right) / variance
          : Double.NEGATIVE_INFINITY;
    }
  }
}
