package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import java.util.Objects;

/** A mechanism whose state is an exact sum: the noise is drawn at the release, not before. */
public interface ExactStateMechanism extends Mechanism {
  @Override
  default boolean noiseInState() {
    return false;
  }

  @Override
  default void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec().stateLength());
  }
}
