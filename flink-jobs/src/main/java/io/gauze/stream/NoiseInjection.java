package io.gauze.stream;

import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchPlan;
import io.gauze.mechanism.StreamPlan;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.CumulativeReleases;
import io.gauze.release.Release;

/**
 * The moments at which noise comes in: when a block is born, and when a state is released. In a
 * cumulative series it is when a block is sealed: {@link CumulativeReleases}.
 */
public final class NoiseInjection {
  private NoiseInjection() {}

  /** A new block, its noise in it; to be called once for each block of a release. */
  public static byte[] newBlock(
      SketchPlan plan, int block, ReleaseId release, Randomness randomness) {
    long[] entries = new long[Block.length(block, plan.mechanism().spec().stateLength())];
    if (!randomness.noiseFree()) {
      // A source of its own for each block: nothing that is left of it in memory is of use for
      // another.
      Entropy entropy = randomness.entropy("noise of " + release + " block " + block);
      plan.mechanism().addNoise(entries, Block.from(block), entropy);
    }
    return Block.of(entries, 0, entries.length);
  }

  /** The release of a complete state, whose noise is in it if that is of a series. */
  public static Release release(SketchJobSettings settings, Cell cell, long epoch, long... state) {
    ReleaseId id = settings.releaseId(cell, epoch);
    if (!settings.isCumulative()) {
      return release(settings.plan(), id, settings.randomness(), state);
    }
    String first = settings.schedule().label(settings.schedule().firstEpoch());
    return Release.cumulative(
        settings.plan(), id, settings.randomness(), settings.releaseIndex(epoch), first, state);
  }

  /** The release of a complete state, with the noise that was not in it from the start. */
  public static Release release(
      StreamPlan plan, ReleaseId id, Randomness randomness, long... state) {
    Entropy entropy = randomness.entropy("release of " + id);
    long[] payload = plan.sketch(id.sketch()).mechanism().release(state, entropy);
    return Release.of(plan, id, randomness, payload);
  }
}
