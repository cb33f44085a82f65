package io.gauze.mechanism;

import io.gauze.message.Message;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.plan.StreamCalibration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of mechanism: everything that configs, plans, calibrations and readers of releases know
 * about it.
 *
 * @param name in config files and releases
 * @param options the options that a config may set
 * @param isAdditive whether its plans are {@link AdditiveMechanism}s, which add independent
 *     Gaussians to the sums and nothing else. Only such noise may be added twice, see {@link
 *     LeakProtection}, or be correlated across cumulative sums, see {@link Cumulative}
 * @param sizing chooses its sizes
 * @param calibration finds the least noise that keeps a budget, without a stream; empty if the
 *     noise depends on the stream, see {@link StreamCalibration}
 * @param payload decides the kind of the payload; throws IllegalArgumentException if a parameter is
 *     missing or out of range
 * @param warnings finds what the owner should know before the stream runs
 * @param proof the basis of its guarantee
 */
public record MechanismKind(
    String name,
    List<MechanismOption> options,
    boolean isAdditive,
    Sizing sizing,
    Optional<Function<CalibrationRequest, Calibration>> calibration,
    Function<PayloadParameters, Payload> payload,
    Warnings warnings,
    Proof proof) {
  public static final Warnings NO_WARNINGS = (stream, sketch, mechanism) -> List.of();

  /** Finds what the owner should know before the stream runs. */
  @FunctionalInterface
  public interface Warnings {
    /**
     * Returns the messages; may be empty.
     *
     * @param stream the request for the whole stream
     * @param sketch the sketch's name
     * @param mechanism its calibrated mechanism
     */
    List<Message> of(StreamRequest stream, String sketch, Mechanism mechanism);
  }

  /** Chooses the sizes of a mechanism. */
  @FunctionalInterface
  public interface Sizing {
    /**
     * Returns the mechanism with its sizes.
     *
     * @param stream the request for the whole stream
     * @param sketch the request for this sketch
     * @param mu approximate Gaussian-DP budget of this sketch; chooses sizes that are left open
     * @throws IllegalArgumentException if the sketch cannot have these sizes; the message names the
     *     option to change
     */
    UncalibratedMechanism of(StreamRequest stream, SketchRequest sketch, double mu);
  }

  /**
   * The basis of a guarantee.
   *
   * @param basis the reason for the cost, as one clause
   * @param assumptions the assumptions of the proof beyond those of the stream
   * @param idealised whether the proof is over the reals, while samples are computed in doubles
   */
  public record Proof(String basis, List<String> assumptions, boolean idealised) {}

  /**
   * Returns the option of this name.
   *
   * @throws IllegalArgumentException if there is none; the message names the nearest
   */
  MechanismOption option(String option) {
    return MechanismOption.find(name, options, option);
  }
}
