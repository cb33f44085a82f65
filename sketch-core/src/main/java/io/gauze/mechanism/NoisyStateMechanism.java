package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import java.util.Objects;

/** A mechanism whose noise is added to the state at its creation: the release is the state. */
public interface NoisyStateMechanism extends Mechanism {
  @Override
  default boolean noiseInState() {
    return true;
  }

  @Override
  default long[] release(long[] state, Entropy entropy) {
    Objects.requireNonNull(entropy, "entropy");
    return state;
  }
}
