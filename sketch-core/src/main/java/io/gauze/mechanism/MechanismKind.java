package io.gauze.mechanism;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One kind of mechanism: all that configs, plans, calibrations and readers of releases know of it.
 *
 * @param name in config files and releases
 * @param options what a config may say about it
 * @param isAdditive whether its plans are {@link AdditiveMechanism}s: to their sums independent
 *     Gaussians are added and nothing else, so that these may be added twice, see {@link
 *     SecondNoise}, or be those of growing sums, see {@link Cumulative}
 * @param sizing its sizes
 * @param calibration the least noise that keeps a budget, without a stream; empty if it depends on
 *     the stream
 * @param payload what the numbers of a release are; throws IllegalArgumentException if a parameter
 *     is missing or out of range
 * @param warnings what the owner should know before it runs; texts without the sketch's name
 * @param proof what its guarantee rests on
 */
record MechanismKind(
    String name,
    List<MechanismOption> options,
    boolean isAdditive,
    Sizing sizing,
    Optional<Function<CalibrationRequest, Calibration>> calibration,
    Function<PayloadParameters, Payload> payload,
    BiFunction<StreamRequest, Mechanism, List<String>> warnings,
    Proof proof) {
  static final BiFunction<StreamRequest, Mechanism, List<String>> NO_WARNINGS =
      (stream, mechanism) -> List.of();

  /** Chooses the sizes of a mechanism. */
  @FunctionalInterface
  interface Sizing {
    /**
     * The mechanism with its sizes.
     *
     * @param mu approximate Gaussian-DP budget of this sketch; chooses sizes that are left open
     * @throws IllegalArgumentException if the sketch cannot be of these sizes, with the option to
     *     change
     */
    UncalibratedMechanism of(StreamRequest stream, SketchRequest sketch, double mu);
  }

  /**
   * What a guarantee rests on.
   *
   * @param basis why the cost is what it is, in one clause
   * @param assumptions what the proof assumes beyond the stream's assumptions
   * @param idealised whether it is over the reals, while samples are computed in doubles
   */
  record Proof(String basis, List<String> assumptions, boolean idealised) {}

  /**
   * The option of this name.
   *
   * @throws IllegalArgumentException if there is none, with the nearest
   */
  MechanismOption option(String option) {
    return MechanismOption.find(name, options, option);
  }
}
