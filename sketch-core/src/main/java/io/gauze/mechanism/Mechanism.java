package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;
import io.gauze.noise.Entropy;
import io.gauze.sketch.SketchSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * How the state of a sketch becomes a release: its noise, what that costs, and what is published.
 *
 * <p>States are in grid steps; payloads are whole multiples of {@link #stepSize}. Implementations
 * are immutable, serializable and listed in {@link Mechanisms}.
 */
public interface Mechanism extends Serializable {
  /** The parameter that is a guess: releases under another guess are of the same series. */
  String EXPECTED_ROWS = "expectedRows";

  /** The name in config files and releases. */
  String name();

  /** The sketch whose state is kept. */
  SketchSpec spec();

  /** What one release costs. */
  MechanismCost cost();

  /**
   * Whether the noise is in the state from its creation, so that whatever is stored of the sketch
   * is private too; else the state is the exact sum until it is released.
   */
  boolean noiseInState();

  /** What 1 in the payload is in the encoded scale (of products, its square); a power of two. */
  double stepSize();

  /** The standard deviation of the widest noise, in units of the payload. */
  double sigma();

  /**
   * Adds fresh noise to a part of a new state, to be called exactly once for each entry; nothing
   * unless {@link #noiseInState}.
   *
   * @param block entries {@code from} to {@code from + block.length - 1} of the state
   * @param from index in the state of the first entry
   * @param entropy random bits that are used for nothing else
   * @throws IndexOutOfBoundsException if the block reaches out of the state
   */
  void addNoise(long[] block, int from, Entropy entropy);

  /**
   * The payload of a complete state: the state itself if it {@link #noiseInState}.
   *
   * @param state all entries, with their noise if they have some; not to be used afterwards
   * @param entropy random bits that are used for nothing else
   */
  long[] release(long[] state, Entropy entropy);

  /** What a reader must know beside the shape of a row: public numbers by name, sorted. */
  Map<String, Double> parameters();

  /** Parameters that are texts: names of columns and variants; sorted. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /**
   * What decides, beside the settings and the length of the state, which states may be added up, or
   * what law a release has: parts of the series' fingerprint.
   */
  default List<Integer> shape() {
    return List.of();
  }

  /** The law of the noise, in words. */
  String noiseLaw();
}
