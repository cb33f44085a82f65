package io.gauze.audit.moments;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import io.gauze.sketch.CountSketch;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Audits CountSketch of rows of two columns. Given the hash, the worst replaced rows are opposite
 * ones. The hash is secret: a missing row shifts the positions of all later rows, and the law of
 * the release must not disclose that.
 */
public final class CountSketchAudit extends MechanismAudit {
  private static final int BUCKETS = 4;

  /**
   * The factor by which a broken variant declares a larger mu than it has, as slack for rounding.
   */
  private static final double SPENT = 1.001;

  /**
   * The claim for which the remaining difference under a secret hash is large enough to be
   * detected.
   */
  private static final Claim LOOSE = new Claim(3.0, 0.02, Neighbours.ADD_REMOVE);

  /** The number of rows before the first of them is removed. */
  private static final int ROWS = 2;

  private static final EncodedRow[] ALTERNATING = {Plans.row(BOUND, 0), Plans.row(-BOUND, 0)};

  @Override
  public String mechanism() {
    return NoisyCountSketch.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim, 1).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    NoisyCountSketch mechanism = scaled(planned(claim, 1), share);
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? -BOUND : 0;
    RowTag tag = new RowTag();
    long[] first = Plans.state(mechanism.spec().zero(), tag, Plans.row(old, 0));
    long[] second = Plans.state(mechanism.spec().zero(), tag, Plans.row(BOUND, 0));
    return AuditCase.of(
        mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, mechanism));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    NoisyCountSketch sketch = planned(claim, BUCKETS);
    NoisyCountSketch loose = planned(LOOSE, 2);
    return List.of(
        AuditCase.of(
                mechanism(),
                "as shipped: secret hash, all places shifted",
                LOOSE,
                () -> new Shifted(loose))
            .withLearntThreshold()
            .withRuns(200_000)
            .asSound(),
        AuditCase.of(mechanism(), "public hash, all places shifted", claim, publicHash(sketch)),
        AuditCase.of(
                mechanism(),
                "Das et al.: r ln r noise rows at random",
                claim,
                () -> new RandomNoiseRows(sketch))
            .withThreshold(0.5)
            .withRuns(20_000));
  }

  private NoisyCountSketch planned(Claim claim, int buckets) {
    return (NoisyCountSketch)
        Plans.mechanism(mechanism(), claim, Map.of("buckets", Integer.toString(buckets)));
  }

  public static NoisyCountSketch scaled(NoisyCountSketch right, double share) {
    return share == 1.0
        ? right
        : new NoisyCountSketch(
            right.spec(),
            right.sensitivity(),
            SPENT * right.mu() / share,
            right.stepSize(),
            RoundedGaussian.of(share * right.sigma()),
            right.expectedRows());
  }

  /**
   * Adds rows that alternate between two opposite ones, under their positions in the log. If the
   * first row is missing, every position has the opposite row.
   */
  private static void fill(CountSketch sketch, RowHasher hasher, boolean withFirst) {
    RowTag tag = new RowTag();
    int missing = withFirst ? 0 : 1;
    for (int place = 0; place < ROWS - missing; place++) {
      hasher.tag(0, place, tag);
      sketch.add(tag, ALTERNATING[(place + missing) % 2], 1);
    }
  }

  /** Returns trials in which the reader knows the hash, and therefore both states. */
  private static Supplier<Trial> publicHash(NoisyCountSketch mechanism) {
    RowHasher hasher = RowHasher.create(Randomness.insecureForTests(1).entropy("hash")::nextLong);
    CountSketch first = mechanism.spec().zero();
    CountSketch second = mechanism.spec().zero();
    fill(first, hasher, false);
    fill(second, hasher, true);
    return () -> AdditiveTrial.of(first.state(), second.state(), mechanism);
  }

  /**
   * Runs the mechanism with a fresh secret hash each time. The statistic is the squared norm of the
   * release.
   */
  private static final class Shifted implements Trial {
    private final NoisyCountSketch mechanism;
    private final CountSketch sketch;

    Shifted(NoisyCountSketch mechanism) {
      this.mechanism = mechanism;
      this.sketch = mechanism.spec().zero();
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      fill(sketch, RowHasher.create(entropy::nextLong), second);
      mechanism.addNoise(sketch.state(), 0, entropy);
      double square = 0.0;
      for (long entry : sketch.state()) {
        square += (double) entry * entry;
      }
      return square;
    }
  }

  /**
   * A broken variant whose noise rows are thrown into buckets like data: one bucket of four
   * sometimes has no noise.
   */
  private static final class RandomNoiseRows implements Trial {
    private final RoundedGaussian noise;
    private final CountSketch sketch;
    private final RowTag tag = new RowTag();
    private final EncodedRow row = Plans.row(BOUND, 0);
    private final EncodedRow noiseRow = Plans.row(0, 0);

    RandomNoiseRows(NoisyCountSketch mechanism) {
      this.noise = mechanism.noise();
      this.sketch = mechanism.spec().zero();
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      if (second) {
        tag.set(entropy.nextLong(), entropy.nextLong());
        sketch.add(tag, row, 1);
      }
      for (int i = 0; i < Math.ceil(BUCKETS * Math.log(BUCKETS)); i++) {
        tag.set(entropy.nextLong(), entropy.nextLong());
        noiseRow.values()[0] = (int) noise.sample(entropy);
        noiseRow.values()[1] = (int) noise.sample(entropy);
        sketch.add(tag, noiseRow, 1);
      }
      return Plans.holds(sketch.state(), BOUND) ? 1.0 : -1.0;
    }
  }
}
