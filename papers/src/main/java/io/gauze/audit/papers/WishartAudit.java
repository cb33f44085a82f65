package io.gauze.audit.papers;

import io.gauze.accounting.Neighbours;
import io.gauze.accounting.WishartNoise;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.WishartMoments;
import io.gauze.noise.Entropy;
import io.gauze.noise.WishartSampler;
import io.gauze.row.RowTag;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Audits moments of two columns with additive Wishart noise. The noise is positive definite: if the
 * release less one of the two moments is not, that data set is impossible.
 */
public final class WishartAudit extends MechanismAudit {
  private static final int COLUMNS = 2;
  private static final int DEGREES = 12;
  private static final SecondMomentsSpec SPEC = new SecondMomentsSpec(COLUMNS);

  /**
   * The factor by which a broken variant declares a smaller noise scale than it has, as slack for
   * rounding.
   */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return WishartMoments.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).scale();
  }

  /** Add-remove only: for replace-one the calibration is a bound, far above the actual loss. */
  @Override
  public List<Neighbours> exact() {
    return List.of(Neighbours.ADD_REMOVE);
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    WishartMoments mechanism = scaled(planned(claim), share);
    AuditCase audited =
        audit(
                variant,
                claim,
                new Law(
                    DEGREES,
                    mechanism.scale(),
                    (state, entropy) -> mechanism.addNoise(state, 0, entropy)))
            .withRuns(700_000);
    boolean tight = claim.neighbours() == Neighbours.ADD_REMOVE || share < 1.0;
    return tight ? audited : audited.withLearntThreshold();
  }

  /** The ratio is exp(epsilon) if both data sets are possible, but sometimes only one is. */
  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.pure(Neighbours.ADD_REMOVE);
    int degrees = COLUMNS + 1;
    double variance = 0.5 / claim.epsilon() * Plans.BOUND * Plans.BOUND;
    WishartSampler sampler = WishartSampler.of(COLUMNS, degrees, variance);
    List<AuditCase> cases = new ArrayList<>(lattice());
    cases.add(
        audit(
                "Park and Welling: D + 1 degrees of freedom",
                claim,
                new Law(degrees, variance, sampler::addTo))
            .withRuns(10_000));
    return cases;
  }

  /** Uses the least degrees of freedom, which need the widest noise. */
  private List<AuditCase> lattice() {
    int degrees = COLUMNS + 2;
    WishartMoments mechanism = planned(LatticeAudit.CLAIM, degrees);
    double scale = mechanism.scale();
    return LatticeAudit.cases(
        mechanism(),
        moments ->
            entropy -> {
              long[] state = moments.clone();
              mechanism.addNoise(state, 0, entropy);
              return state;
            },
        moments -> LeakySampler.wishart(COLUMNS, degrees, scale, moments),
        moments -> LatticeAttack.wishart(COLUMNS, degrees, scale, moments));
  }

  private AuditCase audit(String variant, Claim claim, Law law) {
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? Plans.BOUND : 0;
    long[] first = Plans.state(SPEC.zero(), new RowTag(), Plans.row(old, 0));
    long[] second = Plans.state(SPEC.zero(), new RowTag(), Plans.row(0, Plans.BOUND));
    return AuditCase.of(mechanism(), variant, claim, () -> new Noisy(first, second, law));
  }

  private WishartMoments planned(Claim claim) {
    return planned(claim, DEGREES);
  }

  private WishartMoments planned(Claim claim, int degrees) {
    return (WishartMoments)
        Plans.mechanism(mechanism(), claim, Map.of("degreesOfFreedom", Integer.toString(degrees)));
  }

  private static WishartMoments scaled(WishartMoments right, double share) {
    if (share == 1.0) {
      return right;
    }
    double spent = share * right.noise().scale() / SPENT;
    return new WishartMoments(
        right.spec(),
        new WishartNoise(COLUMNS, DEGREES, spent),
        right.squaredBound(),
        right.stepSize(),
        share * right.scale());
  }

  /**
   * The noise: its degrees of freedom, the variance of an entry of a noise row, and the sampler.
   */
  private record Law(int degrees, double variance, AdditiveTrial.Noise noise) {}

  /**
   * Runs the mechanism. The log-density of the noise W is {@code (k - D - 1)/2 ln det W - tr W / (2
   * variance)}.
   */
  private static final class Noisy implements Trial {
    private final long[] first;
    private final long[] second;
    private final Law law;
    private final double power;

    Noisy(long[] first, long[] second, Law law) {
      this.first = first;
      this.second = second;
      this.law = law;
      this.power = 0.5 * (law.degrees() - COLUMNS - 1);
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] release = (inSecond ? second : first).clone();
      law.noise().add(release, entropy);
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
          ? power * Math.log(determinant) - 0.5 * (left + right) / law.variance()
          : Double.NEGATIVE_INFINITY;
    }
  }
}
