package io.gauze.stream;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;

/**
 * Adds noise to sums: when a block is created, or when a complete state is released, as the
 * mechanism requires. In a cumulative series noise is added when a block is sealed: see {@code
 * CumulativeReleases} of the pipeline.
 */
public final class NoiseInjection {
  private NoiseInjection() {}

  /** Returns a new block with its noise; must be called only once for each block of a release. */
  public static byte[] newBlock(
      SketchPlan plan, int block, ReleaseId release, Randomness randomness) {
    Mechanism mechanism = plan.mechanism();
    long[] entries = new long[Block.length(block, mechanism.spec().stateLength())];
    if (!randomness.noiseFree()) {
      // Each block has its own source, so that what is left of a source in memory tells nothing
      // about the noise of other blocks.
      Entropy entropy = randomness.entropy("noise of " + release + " block " + block);
      mechanism.addNoise(entries, Block.from(block), entropy);
    }
    return Block.of(entries, 0, entries.length);
  }

  /**
   * Returns the release of a complete state. In a cumulative series, the state has its noise
   * already.
   */
  public static Release release(SketchJobSettings settings, Cell cell, long epoch, long... state) {
    ReleaseId id = settings.releaseId(cell, epoch);
    if (!settings.isCumulative()) {
      return release(settings.plan(), id, settings.randomness(), state);
    }
    String first = settings.schedule().label(settings.schedule().firstEpoch());
    return Release.cumulative(
        settings.plan(), id, settings.randomness(), settings.releaseIndex(epoch), first, state);
  }

  /**
   * Returns the release of a complete state, and adds the noise of mechanisms that add it at
   * release.
   */
  public static Release release(
      StreamPlan plan, ReleaseId id, Randomness randomness, long... state) {
    Entropy entropy = randomness.entropy("release of " + id);
    long[] payload = plan.sketch(id.sketch()).mechanism().release(state, entropy);
    return Release.of(plan, id, randomness, payload);
  }
}
