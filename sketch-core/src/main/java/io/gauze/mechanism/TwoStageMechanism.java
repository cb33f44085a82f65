package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import io.gauze.sketch.SketchSpec;

/**
 * A mechanism that reads the rows of an epoch twice. The first stage is the sketch of {@link
 * #spec()}; once it is complete, with its noise, a public model is made from it, from the first
 * stages of the releases of the epochs before, and from nothing else. The second stage is a sketch
 * whose shape depends on that model, over the same rows. The release holds the first stage, the
 * model and the second stage.
 *
 * <p>The first stage has its noise in it from its creation. The second one is in the memory of one
 * process until it is complete, and has its noise when it leaves.
 */
public interface TwoStageMechanism extends Mechanism {
  /** The number of longs of a model, in units of the payload. */
  int modelLength();

  /**
   * The largest number of epochs from whose first stages a model is made: its own and those before
   * it, as far as they have releases.
   */
  int modelEpochs();

  /** The number of longs of the second stage's state, whatever the model. */
  int secondLength();

  /**
   * Returns the shape of the second stage, a sketch that does not use the tags of rows.
   *
   * @param model made from a complete first stage with its noise
   * @throws IllegalArgumentException if a number of the model is out of range
   */
  SketchSpec second(long... model);

  /**
   * Adds fresh noise to a part of a new state of the second stage. Must be called exactly once for
   * each entry.
   *
   * @param block entries {@code from} to {@code from + block.length - 1} of the state
   * @param from index in the state of the first entry
   * @param entropy random bits that are used for nothing else
   * @throws IndexOutOfBoundsException if the block reaches beyond the state
   */
  void addSecondNoise(long[] block, int from, Entropy entropy);

  /** Returns the numbers of the release: the first stage, the model, the second stage. */
  default long[] joined(long[] first, long[] model, long[] second) {
    long[] all = new long[first.length + model.length + second.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(model, 0, all, first.length, model.length);
    System.arraycopy(second, 0, all, first.length + model.length, second.length);
    return all;
  }

  @Override
  default boolean noiseInState() {
    return true;
  }

  /** Returns the state itself, which must be that of {@link #joined}. */
  @Override
  default long[] release(long[] state, Entropy entropy) {
    return state;
  }
}
