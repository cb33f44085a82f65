package io.gauze.audit.stream;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.audit.moments.CountSketchAudit;
import io.gauze.mechanism.LeakProtection;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.noise.Entropy;
import java.util.Arrays;
import java.util.List;

/**
 * Audits a stolen checkpoint together with the release. The row arrives after the checkpoint, so
 * that the difference of the two would disclose it without the second noise.
 */
public final class CheckpointLeaksAudit extends MechanismAudit {
  @Override
  public String mechanism() {
    return "checkpoint-leaks";
  }

  /** The standard deviation of one of the two noises. */
  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  private static NoisyCountSketch planned(Claim claim) {
    LeakProtection mechanism =
        (LeakProtection) Plans.oneBucket(claim, stream -> stream.withCheckpointLeaks(1));
    return (NoisyCountSketch) mechanism.inner();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    NoisyCountSketch noise = CountSketchAudit.scaled(planned(claim), share);
    LeakProtection mechanism = new LeakProtection(noise);
    long[] first = afterCheckpoint(Plans.worst(claim, false));
    long[] second = afterCheckpoint(Plans.worst(claim, true));
    return AuditCase.of(
        mechanism(),
        variant,
        claim,
        () ->
            AdditiveTrial.of(
                first, second, noise.sigma(), (state, entropy) -> seen(mechanism, state, entropy)));
  }

  /** Returns the sums up to the checkpoint, followed by those of the rows after it. */
  private static long[] afterCheckpoint(long[] row) {
    long[] both = new long[2 * row.length];
    System.arraycopy(row, 0, both, row.length, row.length);
    return both;
  }

  /**
   * Computes what an adversary sees: the checkpoint, and the difference between release and
   * checkpoint.
   */
  private static void seen(LeakProtection mechanism, long[] both, Entropy entropy) {
    int length = both.length / 2;
    long[] checkpoint = Arrays.copyOf(both, length);
    mechanism.addNoise(checkpoint, 0, entropy);
    long[] last = new long[length];
    Arrays.setAll(last, k -> checkpoint[k] + both[length + k]);
    long[] release = mechanism.release(last, entropy);
    for (int k = 0; k < length; k++) {
      both[k] = checkpoint[k];
      both[length + k] = release[k] - checkpoint[k];
    }
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    NoisyCountSketch noise = planned(claim);
    return List.of(
        AuditCase.of(mechanism(), "no second noise", claim, () -> new OneNoise(noise))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  /**
   * A broken variant that releases the last state: its difference from the checkpoint is the row.
   */
  private record OneNoise(NoisyCountSketch mechanism) implements Trial {
    @Override
    public double run(boolean second, Entropy entropy) {
      long[] checkpoint = new long[mechanism.spec().stateLength()];
      mechanism.addNoise(checkpoint, 0, entropy);
      long[] last = checkpoint.clone();
      last[0] += second ? Plans.BOUND : 0;
      long[] release = mechanism.release(last, entropy);
      return release[0] - checkpoint[0] == Plans.BOUND ? 1.0 : -1.0;
    }
  }
}
