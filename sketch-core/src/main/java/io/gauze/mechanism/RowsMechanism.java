package io.gauze.mechanism;

import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.sketch.EmptySketchSpec;

/**
 * A mechanism that needs the rows of an epoch themselves, several times. They are read again once
 * the epoch is sealed, into memory. No sum of them is ever in the state of a job.
 *
 * <p>Noise is drawn when the model is fitted. A fit whose result has not left the job may be
 * repeated with new noise; a second fit of rows whose release was published spends the budget
 * again.
 */
public interface RowsMechanism extends Mechanism {
  @Override
  EmptySketchSpec spec();

  /** Returns an empty list for the rows of one epoch and group. */
  ModelRows rows();

  /**
   * Adds a row to such a list.
   *
   * @param scaled D entries in the encoded scale, before they are clipped, as {@link
   *     io.gauze.row.RowEncoder#scale} gives them
   */
  void add(ModelRows rows, double... scaled);

  /** The number of numbers of the payload. */
  int payloadLength();

  /**
   * Returns the payload of an epoch.
   *
   * @param rows all of them; not changed
   * @param entropy random bits that are used for nothing else
   * @throws IllegalArgumentException if the rows are too many; the message names the limit, and not
   *     their number
   */
  long[] fit(ModelRows rows, Entropy entropy);

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
