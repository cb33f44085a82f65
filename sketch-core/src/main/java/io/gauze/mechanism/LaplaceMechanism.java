package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;

/** A linear sketch whose only noise is Laplace, independent and of one scale in each entry. */
public interface LaplaceMechanism extends NoisyStateMechanism {
  /** The epsilon that one release spends. */
  double epsilon();

  /** The noise in each entry, in units of the payload. */
  RoundedLaplace noise();

  @Override
  default MechanismCost cost() {
    return new MechanismCost.Laplace(epsilon());
  }

  /** The standard deviation of the noise before it is rounded. */
  @Override
  default double sigma() {
    return Math.sqrt(2.0) * noise().scale();
  }

  @Override
  default void addNoise(long[] block, int from, Entropy entropy) {
    Noise.addLaplace(block, from, spec().stateLength(), noise(), entropy);
  }
}
