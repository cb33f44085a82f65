package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import java.util.Objects;

/**
 * A mechanism over an exact state that adds the inner mechanism's noise at the release, fresh for
 * each release. Snapshots of a table use it: one state is released many times.
 *
 * @param inner a mechanism that would add its noise to the state at its creation
 */
public record NoiseAtRelease(Mechanism inner) implements DerivedMechanism, ExactStateMechanism {
  public NoiseAtRelease {
    Objects.requireNonNull(inner, "inner");
  }

  // x + round(Z) has the same law whenever Z is drawn, as long as it is drawn once per release.
  @Override
  public long[] release(long[] state, Entropy entropy) {
    long[] noisy = state.clone();
    inner.addNoise(noisy, 0, entropy);
    return inner.release(noisy, entropy);
  }
}
