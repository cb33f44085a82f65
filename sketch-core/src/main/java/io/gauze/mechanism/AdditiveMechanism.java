package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;
import io.gauze.noise.Entropy;
import java.util.Objects;

/**
 * A linear sketch to which whole Gaussian noise is added once, when it is created: independent
 * entries. What is released is the sum of both and nothing else.
 */
public interface AdditiveMechanism extends Mechanism {
  /** The largest l2 distance between the states of neighbours, in the encoded scale. */
  double sensitivity();

  /** What it spends: {@code sensitivity / sigma} in one unit, see {@code GaussianDp}. */
  double mu();

  /**
   * The standard deviation of the noise in one entry of the state, in grid steps.
   *
   * @throws IndexOutOfBoundsException if the index is not in [0, spec().stateLength())
   */
  double noiseScale(int stateIndex);

  @Override
  default MechanismCost cost() {
    return new MechanismCost.Gaussian(mu());
  }

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
