package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import io.gauze.sketch.EmptySketchSpec;

/**
 * A mechanism that makes the payload of an epoch from its rows, which are read again once the epoch
 * is sealed. No sum of them is ever in the state of a job.
 *
 * <p>A fit whose result has not left the job may be repeated with new noise; a second fit of rows
 * whose release was published spends the budget again.
 */
public interface SecondReadingMechanism extends Mechanism {
  @Override
  EmptySketchSpec spec();

  /**
   * Begins the fit of one epoch and group.
   *
   * @param entropy random bits that are used for nothing else
   */
  EpochFitter begin(Entropy entropy);

  /** The number of numbers of the payload. */
  int payloadLength();

  /** Returns true: the state holds nothing of the rows. */
  @Override
  default boolean noiseInState() {
    return true;
  }

  @Override
  default void addNoise(long[] block, int from, Entropy entropy) {}

  /** Returns the state itself, which must be the payload. */
  @Override
  default long[] release(long[] state, Entropy entropy) {
    return state;
  }
}
