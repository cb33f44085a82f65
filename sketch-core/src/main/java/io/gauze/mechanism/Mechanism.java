package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;
import io.gauze.noise.Entropy;
import io.gauze.sketch.SketchSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * The part of a sketch's definition that turns its state into a release: the noise, its cost, and
 * the published numbers.
 *
 * <p>States are in grid steps; payloads are whole multiples of {@link #stepSize}. Implementations
 * are immutable, serializable and listed in {@link Mechanisms}.
 */
public interface Mechanism extends Serializable {
  /**
   * The name of the parameter that holds the expected rows, which is a guess. Releases that differ
   * only in it are of the same series.
   */
  String EXPECTED_ROWS = "expectedRows";

  /** The name in config files and releases. */
  String name();

  /** The spec of the sketch that the job accumulates. */
  SketchSpec spec();

  /** The cost of one release. */
  MechanismCost cost();

  /**
   * Returns true if the noise is added to the state at its creation, so that every stored copy of
   * the sketch is private too. If false, the state is the exact sum until the release.
   */
  boolean noiseInState();

  /**
   * The size of one unit of the payload in the encoded scale (of products, its square); a power of
   * two.
   */
  double stepSize();

  /** The standard deviation of the widest noise, in units of the payload. */
  double sigma();

  /**
   * Adds fresh noise to a part of a new state. Must be called exactly once for each entry. Does
   * nothing unless {@link #noiseInState}.
   *
   * @param block entries {@code from} to {@code from + block.length - 1} of the state
   * @param from index in the state of the first entry
   * @param entropy random bits that are used for nothing else
   * @throws IndexOutOfBoundsException if the block reaches beyond the state
   */
  void addNoise(long[] block, int from, Entropy entropy);

  /**
   * Returns the payload of a complete state: the state itself if {@link #noiseInState}.
   *
   * @param state all entries, with their noise if {@link #noiseInState}; must not be used
   *     afterwards
   * @param entropy random bits that are used for nothing else
   */
  long[] release(long[] state, Entropy entropy);

  /** The public numbers, by name and sorted, that a reader needs beside the schema of the rows. */
  Map<String, Double> parameters();

  /** The parameters that are texts, such as names of columns and variants; sorted. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /**
   * The numbers that decide, beside the settings and the length of the state, which states may be
   * added up, or which law a release has. They are part of the series' fingerprint.
   */
  default List<Integer> shape() {
    return List.of();
  }

  /** Describes the law of the noise in words. */
  String noiseLaw();
}
