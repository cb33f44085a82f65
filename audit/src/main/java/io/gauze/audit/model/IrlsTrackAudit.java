package io.gauze.audit.model;

import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Trial;
import io.gauze.mechanism.model.IrlsTrack;
import io.gauze.model.ResidualStatistics;
import io.gauze.model.ResidualStatisticsSpec;
import io.gauze.model.track.PreviousModel;
import io.gauze.model.track.ResidualFilter;
import io.gauze.model.track.ResidualTrack;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import java.util.List;
import java.util.Optional;

/**
 * Audits statistics of residuals of one feature and at most one row. An added row has a residual of
 * the threshold, where clip and weight are both 1. A replaced row has that, or a far residual on
 * the other side: the gradient turns round, and the weight is gone.
 */
public final class IrlsTrackAudit extends MechanismAudit {
  private static final double[] NEAR = {1.0}; // the first threshold
  private static final double[] FAR = {-256.0};
  private static final double[] NONE = {};
  private static final int RUNS_OF_TWO = 100_000;
  private static final long COARSE = 1L << 14;
  private static final Entropy EXACT = Randomness.noiseFreeForTests(0).entropy("exact statistics");

  @Override
  public String mechanism() {
    return IrlsTrack.NAME;
  }

  /** Of the Hessian, which relations differ least in. */
  @Override
  public double noise(Claim claim) {
    return spec(claim, 1.0).noise().hessian();
  }

  private static ResidualStatisticsSpec spec(Claim claim, double share) {
    double mu = GaussianDp.mu(claim.epsilon(), claim.delta()) / share;
    return new ResidualStatisticsSpec(1, 1.0, mu, claim.neighbours());
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    double[] first = claim.neighbours() == Neighbours.REPLACE_ONE ? FAR : NONE;
    ResidualStatisticsSpec spec = spec(claim, share);
    ResidualFilter filter = ResidualFilter.of(spec, Optional.empty());
    Epoch epoch = new Epoch(first, NEAR, spec.sigmas());
    return AuditCase.of(mechanism(), variant, claim, () -> epoch.at(filter));
  }

  @Override
  public List<AuditCase> published() {
    Claim added = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    return List.of(
        twice("a row that moves to the next epoch", replaced, NONE, NEAR).asSound(),
        twice("a centre of the same row", added, NEAR, NONE),
        gradientOfAddedRows(replaced),
        roundedProducts(replaced));
  }

  /** Two epochs, of which the second begins with the first, which the row leaves. */
  private AuditCase twice(String variant, Claim claim, double[] first, double[] second) {
    ResidualStatisticsSpec spec = spec(claim, 1.0);
    Epoch before = new Epoch(NEAR, NONE, spec.sigmas());
    Epoch after = new Epoch(first, second, spec.sigmas());
    return AuditCase.of(
            mechanism(),
            variant,
            claim,
            () ->
                (inSecond, entropy) -> {
                  ResidualFilter start = ResidualFilter.of(spec, Optional.empty());
                  long[] release = before.release(start, inSecond, entropy);
                  ResidualTrack track = start.next(release);
                  ResidualFilter next =
                      ResidualFilter.of(spec, Optional.of(new PreviousModel<>(track, 1)));
                  return before.ratio(start, release)
                      + after.ratio(next, after.release(next, inSecond, entropy));
                })
        .withRuns(RUNS_OF_TWO);
  }

  /** A replaced row may turn the gradient round: half of the noise is for a row that is added. */
  private AuditCase gradientOfAddedRows(Claim claim) {
    ResidualStatisticsSpec spec = spec(claim, 1.0);
    Epoch epoch = new Epoch(FAR, NEAR, spec.sigmas());
    ResidualFilter filter = ResidualFilter.of(spec, Optional.empty());
    int gradient = spec.entries() - 2; // one feature: gradient and Hessian are the last two
    double[] scales = spec.sigmas();
    scales[gradient] *= 0.5;
    return additive(
        "a gradient of added rows",
        claim,
        scales,
        epoch.release(filter, false, EXACT),
        epoch.release(filter, true, EXACT));
  }

  /**
   * Products of two rows of squared norm 5.8 whose entries are rounded to a coarse grid: [5 2; 2 0]
   * and [0 -2; -2 5] are no products of rows, and are further apart than those.
   */
  private AuditCase roundedProducts(Claim claim) {
    double sigma = COARSE * Math.sqrt(2.0) * 5.8 / GaussianDp.mu(claim.epsilon(), claim.delta());
    double off = sigma * Math.sqrt(0.5);
    return additive(
        "products rounded entry by entry",
        claim,
        new double[] {sigma, off, sigma},
        new long[] {5 * COARSE, 2 * COARSE, 0},
        new long[] {0, -2 * COARSE, 5 * COARSE});
  }

  private AuditCase additive(String variant, Claim claim, double[] scales, long[]... statistics) {
    return AuditCase.of(
        mechanism(),
        variant,
        claim,
        () ->
            AdditiveTrial.of(
                statistics[0],
                statistics[1],
                scales,
                (state, entropy) -> {
                  for (int k = 0; k < state.length; k++) {
                    state[k] += RoundedGaussian.of(scales[k]).sample(entropy);
                  }
                }));
  }

  /** One epoch under two data sets. */
  private static final class Epoch {
    private final double[] first;
    private final double[] second;
    private final double[] sigmas;

    /**
     * Creates an epoch.
     *
     * @param first the responses of the rows of the first data set, whose feature is 1
     * @param second those of the second
     * @param sigmas of the noise
     */
    Epoch(double[] first, double[] second, double... sigmas) {
      this.first = first;
      this.second = second;
      this.sigmas = sigmas;
    }

    long[] release(ResidualFilter filter, boolean inSecond, Entropy entropy) {
      ResidualStatistics statistics = filter.statistics(entropy);
      for (double response : inSecond ? second : first) {
        statistics.add(new double[] {1.0}, response);
      }
      return statistics.numbers();
    }

    double ratio(ResidualFilter filter, long... release) {
      return ratio(release, release(filter, false, EXACT), release(filter, true, EXACT));
    }

    private double ratio(long[] release, long[] without, long[] with) {
      double ratio = 0.0;
      for (int k = 0; k < release.length; k++) {
        double apart = with[k] - without[k];
        ratio += apart * (release[k] - 0.5 * (with[k] + without[k])) / (sigmas[k] * sigmas[k]);
      }
      return ratio;
    }

    /** Returns a trial of an epoch that begins with nothing that depends on chance. */
    Trial at(ResidualFilter filter) {
      long[] without = release(filter, false, EXACT);
      long[] with = release(filter, true, EXACT);
      return (inSecond, entropy) -> ratio(release(filter, inSecond, entropy), without, with);
    }
  }
}
