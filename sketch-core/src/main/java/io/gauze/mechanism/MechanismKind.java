package io.gauze.mechanism;

import io.gauze.internal.Checks;
import java.util.List;
import java.util.Map;

/** How one kind of mechanism is sized, calibrated and read back. */
interface MechanismKind {
  /** The name in config files and releases. */
  String name();

  /** What a config may say about it. */
  List<MechanismOption> options();

  /**
   * Its sizes.
   *
   * @param size about the mu of the Gaussian noise that its share of the budget buys, for sizes
   *     that are left to us
   * @throws IllegalArgumentException if the sketch cannot be of these sizes, with the option to
   *     change
   */
  UncalibratedMechanism draft(StreamRequest stream, SketchRequest sketch, double size);

  /**
   * What the payload of a release is.
   *
   * @throws IllegalArgumentException if a parameter is missing or out of range
   */
  Payload payload(ReleaseHeader header);

  /** Whether its proof is over the reals, while samples are computed in doubles. */
  default boolean idealised() {
    return false;
  }

  /**
   * Whether its plans are {@link AdditiveMechanism}s: to their sums independent Gaussians are added
   * and nothing else, so that these may be added twice, see {@link SecondNoise}, or be those of
   * growing sums, see {@link Cumulative}.
   */
  default boolean isAdditive() {
    return false;
  }

  /** What its proof assumes beyond the stream's assumptions. */
  List<String> assumptions();

  /** Why its cost is what it is, in one clause. */
  String basis();

  /** What the owner should know before it runs; texts without the sketch's name. */
  List<String> warnings(StreamRequest stream, Mechanism mechanism);

  /**
   * The option of this name.
   *
   * @throws IllegalArgumentException if there is none, with the nearest
   */
  default MechanismOption option(String option) {
    return MechanismOption.find(name(), options(), option);
  }

  /** A whole number among the parameters of a release, within bounds. */
  static int whole(Map<String, Double> parameters, String name, int least, int most) {
    double value = parameters.getOrDefault(name, Double.NaN);
    if (!(value >= least && value <= most && value == Math.rint(value))) { // NaN too
      throw new IllegalArgumentException(
          name
              + " must be a whole number in ["
              + least
              + ", "
              + most
              + "]. Provided value: "
              + value);
    }
    return (int) value;
  }

  /** A positive number among the parameters of a release. */
  static double positive(Map<String, Double> parameters, String name) {
    double value = parameters.getOrDefault(name, Double.NaN);
    Checks.positiveFinite(name, value);
    return value;
  }
}
