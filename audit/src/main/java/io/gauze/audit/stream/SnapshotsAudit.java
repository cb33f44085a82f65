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
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.NoiseAtRelease;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.noise.Entropy;
import java.util.Arrays;
import java.util.List;

/** Audits snapshots of a table in which a key has one row all the time. */
public final class SnapshotsAudit extends MechanismAudit {
  private static final int SNAPSHOTS = 4;
  private static final BudgetScope KEY = BudgetScope.keys(SNAPSHOTS);

  @Override
  public String mechanism() {
    return "snapshots";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  private static NoisyCountSketch planned(Claim claim) {
    NoiseAtRelease mechanism =
        (NoiseAtRelease) Plans.oneBucket(claim, stream -> stream.withScope(KEY));
    return (NoisyCountSketch) mechanism.inner();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    NoisyCountSketch noise = CountSketchAudit.scaled(planned(claim), share);
    NoiseAtRelease mechanism = new NoiseAtRelease(noise);
    long[] first = all(Plans.worst(claim, false));
    long[] second = all(Plans.worst(claim, true));
    return AuditCase.of(
        mechanism(),
        variant,
        claim,
        () ->
            AdditiveTrial.of(
                first,
                second,
                noise.sigma(),
                (state, entropy) -> release(mechanism, state, entropy)));
  }

  /** Returns the table at each snapshot. */
  private static long[] all(long[] row) {
    long[] all = new long[SNAPSHOTS * row.length];
    Arrays.setAll(all, i -> row[i % row.length]);
    return all;
  }

  private static void release(NoiseAtRelease mechanism, long[] tables, Entropy entropy) {
    int length = mechanism.spec().stateLength();
    for (int from = 0; from < tables.length; from += length) {
      long[] table = Arrays.copyOfRange(tables, from, from + length);
      System.arraycopy(mechanism.release(table, entropy), 0, tables, from, length);
    }
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    NoisyCountSketch noise = planned(claim);
    return List.of(
        audit("each snapshot with the whole budget", claim, 1.0 / Math.sqrt(SNAPSHOTS)),
        AuditCase.of(mechanism(), "one noise in all snapshots", claim, () -> new OneNoise(noise))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  /**
   * A broken variant with one noise: a key that arrives between two snapshots is their difference.
   */
  private record OneNoise(NoisyCountSketch mechanism) implements Trial {
    @Override
    public double run(boolean second, Entropy entropy) {
      long[] before = new long[mechanism.spec().stateLength()];
      mechanism.addNoise(before, 0, entropy);
      long[] after = before.clone();
      after[0] += second ? Plans.BOUND : 0;
      return after[0] - before[0] == Plans.BOUND ? 1.0 : -1.0;
    }
  }
}
