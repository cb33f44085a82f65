package io.gauze.pipeline;

import io.gauze.privacy.CumulativeNoise;
import io.gauze.privacy.Entropy;
import io.gauze.privacy.Randomness;
import io.gauze.release.Cumulative;
import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.release.SketchPlan;
import io.gauze.release.StreamPlan;
import java.util.Optional;

/**
 * The moments at which noise comes in: when a block is born, when a state is released, and in a
 * cumulative series when a block is sealed.
 */
final class NoiseStep {
  private NoiseStep() {}

  /** A new block, its noise in it; to be called once for each block of a release. */
  static byte[] newBlock(SketchPlan plan, int block, ReleaseId release, Randomness randomness) {
    long[] entries = new long[Block.length(block, plan.mechanism().spec().stateLength())];
    if (!randomness.noiseFree()) {
      // A source of its own for each block: nothing that is left of it in memory is of use for
      // another.
      Entropy entropy = randomness.entropy("noise of " + release + " block " + block);
      plan.mechanism().addNoise(entries, Block.from(block), entropy);
    }
    return Block.of(entries, 0, entries.length);
  }

  /** A turn of a cumulative series. */
  static final class Turn {
    private final byte[] block;
    private final byte[] noise;

    private Turn(byte[] block, byte[] noise) {
      this.block = block;
      this.noise = noise;
    }

    /** The sums so far, with their noise. */
    byte[] block() {
      return block;
    }

    /** What the turns to come need: a secret. */
    byte[] noise() {
      return noise;
    }
  }

  /**
   * Draws what an epoch's cumulative release adds, to be called once for each, in their order.
   *
   * @param total the exact sums so far; empty: there were no rows
   * @param noise what the turn before left; empty before the first
   */
  static Turn turn(
      SketchJobSettings settings,
      Cell cell,
      long epoch,
      Optional<byte[]> total,
      Optional<byte[]> noise) {
    Cumulative series = (Cumulative) settings.plan().sketch(cell.sketch()).mechanism();
    int length = Block.length(cell.block(), series.spec().stateLength());
    CumulativeNoise draws =
        noise
            .map(CumulativeNoise::fromBytes)
            .orElseGet(() -> series.noise(Block.from(cell.block()), length));
    long[] entries = total.map(Block::longs).orElseGet(() -> new long[length]);
    Entropy entropy =
        settings
            .randomness()
            .entropy("turn of " + settings.releaseId(cell, epoch) + " block " + cell.block());
    draws.addTo(settings.turn(epoch), entries, entropy);
    return new Turn(Block.of(entries, 0, length), draws.toBytes());
  }

  /** The release of a complete state, whose noise is in it if that is of a series. */
  static Release release(SketchJobSettings settings, Cell cell, long epoch, long... state) {
    ReleaseId id = settings.releaseId(cell, epoch);
    if (!settings.isCumulative()) {
      return release(settings.plan(), id, settings.randomness(), state);
    }
    String first = settings.schedule().label(settings.schedule().firstEpoch());
    return Release.cumulative(
        settings.plan(), id, settings.randomness(), settings.turn(epoch), first, state);
  }

  /** The release of a complete state, with the noise that was not in it from the start. */
  static Release release(StreamPlan plan, ReleaseId id, Randomness randomness, long... state) {
    Entropy entropy = randomness.entropy("release of " + id);
    long[] payload = plan.sketch(id.sketch()).mechanism().release(state, entropy);
    return Release.of(plan, id, randomness, payload);
  }
}
