package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import java.util.Objects;

/**
 * A mechanism whose noise would be in the state from its creation, over an exact state: each
 * release of it gets fresh noise. For snapshots of a table, of which there are many while the state
 * stays.
 *
 * @param inner the mechanism
 */
public record NoiseAtRelease(Mechanism inner) implements DerivedMechanism, ExactStateMechanism {
  /** Nothing is missing. */
  public NoiseAtRelease {
    Objects.requireNonNull(inner, "inner");
  }

  // x + round(Z) is the same whenever Z is drawn, as long as it is drawn once a release.
  @Override
  public long[] release(long[] state, Entropy entropy) {
    long[] noisy = state.clone();
    inner.addNoise(noisy, 0, entropy);
    return inner.release(noisy, entropy);
  }
}
