package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import java.util.Objects;

/** An additive mechanism with the same noise in every entry of the state. */
public interface UniformScaleNoise extends AdditiveMechanism {
  /** The noise in each entry, in grid steps. */
  RoundedGaussian noise();

  @Override
  default double sigma() {
    return noise().sigma();
  }

  @Override
  default double noiseScale(int stateIndex) {
    Objects.checkIndex(stateIndex, spec().stateLength());
    return noise().sigma();
  }

  @Override
  default void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec().stateLength());
    for (int i = 0; i < block.length; i++) {
      block[i] += noise().sample(entropy);
    }
  }
}
