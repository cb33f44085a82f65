package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.NoisyMultilevelSketch;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import io.gauze.sketch.MultilevelSketch;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.List;
import java.util.Map;

/**
 * Audits the multilevel sketch with two copies and two sampled levels, for a hash under which a row
 * is in all of them.
 */
public final class MultilevelAudit extends MechanismAudit {
  private static final int COPIES = 2;
  private static final int LEVELS = 2;

  /**
   * The factor by which a broken variant declares a larger mu than it has, as slack for rounding.
   */
  private static final double SPENT = 1.001;

  /** The shape of a sketch of rows of two columns with four buckets per level. */
  private static final MultilevelSketchSpec WIDE = new MultilevelSketchSpec(2, 4, LEVELS, 2, 1, 0L);

  @Override
  public String mechanism() {
    return NoisyMultilevelSketch.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    NoisyMultilevelSketch mechanism = scaled(planned(claim), share);
    RowTag tag = everywhere(mechanism.spec());
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? -BOUND : 0;
    long[] first = Plans.state(mechanism.spec().zero(), tag, Plans.row(old, 0));
    long[] second = Plans.state(mechanism.spec().zero(), tag, Plans.row(BOUND, 0));
    return AuditCase.of(
        mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, mechanism));
  }

  @Override
  public List<AuditCase> published() {
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    RoundedGaussian noise = planned(removed).noise();
    String subsampled = "Das et al.: noise rows are subsampled like data";
    return List.of(
        audit(
            "Das et al.: sigma from 2 B sqrt(h), not 2 B sqrt(s + 2)",
            replaced,
            Math.sqrt((double) LEVELS / (COPIES + 2))),
        AuditCase.of(mechanism(), subsampled, removed, () -> new Subsampled(noise))
            .withThreshold(0.5)
            .withRuns(20_000));
  }

  private NoisyMultilevelSketch planned(Claim claim) {
    Map<String, String> options =
        Map.of(
            "rows",
            Integer.toString(COPIES * (LEVELS + 1)),
            "levels",
            Integer.toString(LEVELS),
            "samplingBase",
            "2",
            "level0Buckets",
            Integer.toString(COPIES));
    return (NoisyMultilevelSketch) Plans.mechanism(mechanism(), claim, options);
  }

  private static NoisyMultilevelSketch scaled(NoisyMultilevelSketch right, double share) {
    return share == 1.0
        ? right
        : new NoisyMultilevelSketch(
            right.spec(),
            right.sensitivity(),
            SPENT * right.mu() / share,
            right.stepSize(),
            RoundedGaussian.of(share * right.sigma()),
            right.expectedRows());
  }

  /** Returns the first tag under which a row touches as many buckets as possible. */
  private static RowTag everywhere(MultilevelSketchSpec spec) {
    RowTag tag = new RowTag();
    for (long second = 1; ; second++) {
      tag.set(0, second);
      long touched = 0;
      for (long entry : Plans.state(spec.zero(), tag, Plans.row(BOUND, 0))) {
        touched += entry == 0 ? 0 : 1;
      }
      if (touched == spec.bucketsTouched()) {
        return tag;
      }
    }
  }

  /** A broken variant with N ln N noise rows, each in the levels and buckets of its own tag. */
  private static final class Subsampled implements Trial {
    private final RoundedGaussian noise;
    private final MultilevelSketch sketch = WIDE.zero();
    private final RowTag tag = new RowTag();
    private final EncodedRow row = Plans.row(BOUND, 0);
    private final EncodedRow noiseRow = Plans.row(0, 0);

    Subsampled(RoundedGaussian noise) {
      this.noise = noise;
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      if (second) {
        tag.set(entropy.nextLong(), entropy.nextLong());
        sketch.add(tag, row, 1);
      }
      for (int i = 0; i < Math.ceil(WIDE.buckets() * Math.log(WIDE.buckets())); i++) {
        tag.set(entropy.nextLong(), entropy.nextLong());
        noiseRow.values()[0] = (int) noise.sample(entropy);
        noiseRow.values()[1] = (int) noise.sample(entropy);
        sketch.add(tag, noiseRow, 1);
      }
      return Plans.holds(sketch.state(), BOUND) ? 1.0 : -1.0;
    }
  }
}
