package io.gauze.release;

import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How one kind of additive mechanism is sized, calibrated and read back. */
interface MechanismKind {
  /** The name in config files and releases. */
  String name();

  /** The names of the sizes that a config may give. */
  Set<String> options();

  /**
   * The shape of the sketch.
   *
   * @param mu its share of the budget, for sizes that are left to us
   */
  SketchSpec size(StreamRequest stream, SketchRequest sketch, double mu);

  /**
   * The mechanism that spends {@code mu}.
   *
   * @throws IllegalArgumentException if the noise is outside of the sampler's range
   */
  AdditiveMechanism calibrate(StreamRequest stream, SketchSpec spec, double mu);

  /**
   * The shape of a release's payload.
   *
   * @throws IllegalArgumentException if a parameter is missing or out of range
   */
  SketchSpec shape(int dimension, Map<String, Double> parameters);

  /** What its proof assumes beyond the stream's assumptions. */
  List<String> assumptions();

  /** Why the sensitivity is what it is, in one clause. */
  String basis();

  /** What the owner should know before it runs; texts without the sketch's name. */
  List<String> warnings(StreamRequest stream, AdditiveMechanism mechanism);
}
