package io.gauze.release;

import io.gauze.privacy.Entropy;
import io.gauze.sketch.SketchSpec;
import java.io.Serializable;
import java.util.Map;

/**
 * A linear sketch to which integer Gaussian noise is added once, when it is created. What is
 * released is the sum of both and nothing else.
 *
 * <p>States and noise are in grid steps of the state, of which one is {@link #unit} in the encoded
 * scale. Implementations are immutable, serializable and listed in {@link Mechanisms}.
 */
public interface AdditiveMechanism extends Serializable {
  /** The name in config files and releases. */
  String name();

  /** The sketch. */
  SketchSpec spec();

  /** The largest l2 distance between the states of neighbours, in the encoded scale. */
  double sensitivity();

  /** What it spends: {@code sensitivity / sigma} in one unit, see {@code GaussianDp}. */
  double mu();

  /** The standard deviation of the widest noise in the state, in grid steps. */
  double sigma();

  /** What one grid step of the state is in the encoded scale; a power of two. */
  double unit();

  /**
   * The standard deviation of the noise in one entry of the state, in grid steps.
   *
   * @throws IndexOutOfBoundsException if the index is not in [0, spec().stateLength())
   */
  double noiseScale(int stateIndex);

  /**
   * Adds fresh noise to a part of the state. To be called exactly once for each entry.
   *
   * @param block entries {@code from} to {@code from + block.length - 1} of the state
   * @param from index in the state of the first entry
   * @param entropy random bits that are used for nothing else
   * @throws IndexOutOfBoundsException if the block reaches out of the state
   */
  void addNoise(long[] block, int from, Entropy entropy);

  /** What a reader must know beside the shape of a row: public numbers by name, sorted. */
  Map<String, Double> parameters();

  /** The law of the noise, in words. */
  String noiseLaw();
}
