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
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.ShortenedMomentsSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Audits noisy moments and the lost weight of rows of two columns. The worst row lost nearly all of
 * its weight; the worst replaced one moves to another group.
 */
public final class NoisyMomentsAudit extends MechanismAudit {
  /**
   * The claim for which the published variance is far too small: its formula lacks a square on
   * epsilon.
   */
  private static final Claim SMALL = new Claim(0.1, 0.001, Neighbours.REPLACE_ONE);

  /**
   * The factor by which a broken variant declares a larger mu than it has, as slack for rounding.
   */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return NoisyMoments.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    NoisyMoments mechanism = scaled(planned(claim), share);
    return audit(variant, claim, mechanism);
  }

  private AuditCase audit(String variant, Claim claim, NoisyMoments mechanism) {
    long[] none = mechanism.spec().zero().state();
    long[] one = Plans.state(mechanism.spec().zero(), new RowTag(), Plans.row(0, BOUND));
    if (claim.neighbours() == Neighbours.ADD_REMOVE) {
      return AuditCase.of(
          mechanism(), variant, claim, () -> AdditiveTrial.of(none, one, mechanism));
    }
    return AuditCase.of(
        mechanism(),
        variant,
        claim,
        () ->
            AdditiveTrial.of(
                joined(one, none),
                joined(none, one),
                scales(mechanism),
                (state, entropy) -> addNoise(mechanism, state, entropy)));
  }

  /** Returns the states of two groups. */
  private static long[] joined(long[] first, long[] second) {
    return LongStream.concat(LongStream.of(first), LongStream.of(second)).toArray();
  }

  private static double[] scales(NoisyMoments mechanism) {
    int length = mechanism.spec().stateLength();
    return IntStream.range(0, 2 * length)
        .mapToDouble(k -> mechanism.noiseScale(k % length))
        .toArray();
  }

  private static void addNoise(NoisyMoments mechanism, long[] both, Entropy entropy) {
    long[] group = new long[mechanism.spec().stateLength()];
    for (int from = 0; from < both.length; from += group.length) {
      System.arraycopy(both, from, group, 0, group.length);
      mechanism.addNoise(group, 0, entropy);
      System.arraycopy(group, 0, both, from, group.length);
    }
  }

  @Override
  public List<AuditCase> published() {
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    NoisyMoments noise = planned(removed);
    double square = (double) BOUND * BOUND;
    double sigma = square * Math.sqrt(2.0 * Math.log(2.0 / SMALL.delta()) / SMALL.epsilon());
    return List.of(
        audit("Sheffet: sensitivity B^2, not sqrt 2 B^2", replaced, Math.sqrt(0.5)),
        audit("Sheffet: variance 2 B^4 ln(2/delta)/epsilon", SMALL, sigma / noise(SMALL)),
        audit("lost weight that is not charged", removed, uncharged(noise)),
        AuditCase.of(
                mechanism(), "two snapshots under one noise", removed, () -> new Snapshots(noise))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  /** A broken variant: a row loses the squared bound, and the noise is as before. */
  private static NoisyMoments uncharged(NoisyMoments right) {
    ShortenedMomentsSpec spec = (ShortenedMomentsSpec) right.spec();
    return new NoisyMoments(
        new ShortenedMomentsSpec(
            spec.dimension(), spec.grid(), spec.constant(), (long) BOUND * BOUND, spec.responses()),
        right.sensitivity(),
        right.mu(),
        right.stepSize(),
        right.noise());
  }

  private NoisyMoments planned(Claim claim) {
    return (NoisyMoments) Plans.mechanism(mechanism(), claim, Map.of());
  }

  private static NoisyMoments scaled(NoisyMoments right, double share) {
    return share == 1.0
        ? right
        : new NoisyMoments(
            right.spec(),
            right.sensitivity(),
            SPENT * right.mu() / share,
            right.stepSize(),
            new SymmetricNoise(
                right.noise().dimension(),
                RoundedGaussian.of(share * right.noise().diagonal().sigma()),
                RoundedGaussian.of(share * right.noise().offDiagonal().sigma())));
  }

  /**
   * A broken use: a sketch with noise in its state is published before and after a row may arrive.
   * The difference is the row's moments, or nothing.
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
