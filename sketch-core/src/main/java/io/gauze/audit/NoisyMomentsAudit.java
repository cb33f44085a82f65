package io.gauze.audit;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.RoundedGaussian;
import io.gauze.release.AdditiveMechanism;
import io.gauze.release.NoisyMoments;
import io.gauze.row.EncodedRow;
import io.gauze.row.Neighbours;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Noisy moments of two columns. The worst replaced rows are orthogonal. */
final class NoisyMomentsAudit implements MechanismAudit {
  /** Where the published variance is too small by far: it lacks a square on epsilon. */
  private static final Claim SMALL = new Claim(0.1, 0.001, Neighbours.REPLACE_ONE);

  @Override
  public String mechanism() {
    return NoisyMoments.NAME;
  }

  @Override
  public List<AuditCase> cases() {
    List<AuditCase> cases = new ArrayList<>();
    for (Claim claim : Claims.approximate()) {
      cases.add(AuditCase.sound(mechanism(), claim, trials(claim, planned(claim))));
    }
    for (Neighbours neighbours : Neighbours.values()) {
      Claim claim = Claims.approximate(neighbours);
      cases.add(broken(Twin.LESS_NOISE, claim, trials(claim, lessNoise(planned(claim)))));
    }
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    cases.add(
        broken(
            Twin.WRONG_RELATION + " (003: B^2 for sqrt 2 B^2)",
            replaced,
            trials(replaced, planned(removed))));
    cases.add(broken("003: variance 2 B^4 ln(2/delta)/epsilon", SMALL, published()));
    NoisyMoments noise = planned(removed);
    cases.add(
        broken("two snapshots under one noise", removed, () -> new Snapshots(noise))
            .withThreshold(0.5)
            .withRuns(10_000));
    return cases;
  }

  private AuditCase broken(String variant, Claim claim, Supplier<Trial> trials) {
    return AuditCase.broken(mechanism(), variant, claim, trials);
  }

  private NoisyMoments planned(Claim claim) {
    return (NoisyMoments) Plans.mechanism(mechanism(), claim, Map.of());
  }

  private static NoisyMoments lessNoise(NoisyMoments right) {
    return new NoisyMoments(
        right.spec(),
        right.sensitivity(),
        1.001 * Twin.LESS * right.mu(),
        right.unit(),
        RoundedGaussian.of(right.diagonal().sigma() / Twin.LESS),
        RoundedGaussian.of(right.offDiagonal().sigma() / Twin.LESS));
  }

  private static Supplier<Trial> trials(Claim claim, AdditiveMechanism mechanism) {
    long[] first = state(mechanism, claim.neighbours() == Neighbours.REPLACE_ONE ? BOUND : 0);
    long[] second = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, BOUND));
    return () -> AdditiveTrial.of(first, second, mechanism);
  }

  private static long[] state(AdditiveMechanism mechanism, int length) {
    return Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(length, 0));
  }

  /** Noise of one size in all entries, as in the paper. */
  private Supplier<Trial> published() {
    AdditiveMechanism right = planned(SMALL);
    long[] first = state(right, BOUND);
    long[] second = Plans.state(right.spec().zero(), new RowTag(), Plans.row(0, BOUND));
    double square = (double) BOUND * BOUND;
    double sigma = square * Math.sqrt(2.0 * Math.log(2.0 / SMALL.delta()) / SMALL.epsilon());
    RoundedGaussian noise = RoundedGaussian.of(sigma);
    return () -> AdditiveTrial.of(first, second, noise);
  }

  /**
   * A sketch born with its noise, published before and after a row may have come. The difference is
   * the row's moments, or nothing.
   */
  private static final class Snapshots implements Trial {
    private final NoisyMoments mechanism;
    private final EncodedRow row = Plans.row(BOUND, 0);
    private final RowTag tag = new RowTag();
    private final LinearSketch<?> sketch;
    private final long[] raw;

    Snapshots(NoisyMoments mechanism) {
      this.mechanism = mechanism;
      this.sketch = mechanism.spec().zero();
      this.raw = Plans.state(mechanism.spec().zero(), tag, row);
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      mechanism.addNoise(sketch.state(), 0, entropy);
      long[] before = sketch.state().clone();
      if (second) {
        sketch.add(tag, row, 1);
      }
      long[] difference = sketch.state().clone();
      Arrays.setAll(difference, k -> difference[k] - before[k]);
      return Arrays.equals(difference, raw) ? 1.0 : -1.0;
    }
  }
}
