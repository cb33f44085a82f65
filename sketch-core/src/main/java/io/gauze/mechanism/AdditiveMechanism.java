package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;

/**
 * A linear sketch whose only noise is Gaussian, independent in each entry and rounded to whole
 * steps, and added once when the sketch is created. The release is the sum of sketch and noise and
 * nothing else.
 */
public interface AdditiveMechanism extends NoisyStateMechanism {
  /** The largest l2 distance between the states of neighbours, in the encoded scale. */
  double sensitivity();

  /**
   * The mu that one release spends: {@code sensitivity / sigma}, both in the same unit; see {@code
   * GaussianDp}.
   */
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
}
