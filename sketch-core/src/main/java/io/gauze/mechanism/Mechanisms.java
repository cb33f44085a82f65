package io.gauze.mechanism;

import io.gauze.accounting.GaussianDp;
import io.gauze.row.NearestName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The mechanisms that there are. A new one is a new file and a line here. */
public final class Mechanisms {
  private static final List<MechanismKind> KINDS =
      List.of(
          NoisyMoments.KIND,
          StratifiedMomentsNoise.KIND,
          NoisyCountSketch.KIND,
          NoisyMultilevelSketch.KIND,
          MomentProjection.KIND,
          AdaptiveRidgeProjection.KIND,
          WishartMoments.KIND,
          InverseWishartMoments.KIND,
          FunctionalMoments.KIND,
          NoisyHistogram.KIND,
          AdaSsp.KIND);

  private Mechanisms() {}

  /** Their names. */
  public static List<String> names() {
    return KINDS.stream().map(MechanismKind::name).toList();
  }

  /**
   * What a config may say about sketches of a mechanism, beside name, mechanism and weight.
   *
   * @throws IllegalArgumentException if there is no such mechanism, with the nearest
   */
  public static List<MechanismOption> options(String mechanism) {
    return kind(mechanism).options();
  }

  /**
   * Checks that a sketch can have the sizes that are asked for.
   *
   * @throws IllegalArgumentException if it cannot; the message begins with the option to change, if
   *     it is one
   */
  public static void checkSizes(StreamRequest stream, SketchRequest sketch) {
    double mu = GaussianDp.mu(stream.budget().epsilon(), stream.budget().delta());
    sized(stream, sketch, mu);
  }

  /**
   * The sizes of a sketch.
   *
   * @param mu its share of the budget, about
   * @throws IllegalArgumentException if it cannot have these, or no second noise
   */
  static UncalibratedMechanism sized(StreamRequest stream, SketchRequest sketch, double mu) {
    MechanismKind kind = kind(sketch.mechanism());
    if (stream.checkpointLeaks() > 0) {
      checkCheckpointLeaks(stream, kind);
    }
    if (stream.releases().isCumulative() && !kind.isAdditive()) {
      throw new IllegalArgumentException(
          "cumulative releases must be of sums to which Gaussian noise is added, those of "
              + additive()
              + ". Provided value: "
              + kind.name()
              + "; give this sketch a stream of its own, without cumulative");
    }
    return kind.sizing().of(stream, sketch, stream.muPerRelease(mu));
  }

  private static void checkCheckpointLeaks(StreamRequest stream, MechanismKind kind) {
    if (!kind.isAdditive()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "checkpointLeaks must be 0 for %s, since a second noise is for sums that have Gaussian noise"
                  + " from the beginning: those of %s. Provided value: %d",
              kind.name(),
              additive(),
              stream.checkpointLeaks()));
    }
    Optional<String> exact = stream.releases().exactSums();
    if (exact.isPresent()) {
      throw new IllegalArgumentException(
          "checkpointLeaks must be 0 "
              + exact.get()
              + ", whose sums have no noise until they are released. Provided value: "
              + stream.checkpointLeaks());
    }
  }

  private static String additive() {
    return KINDS.stream()
        .filter(MechanismKind::isAdditive)
        .map(MechanismKind::name)
        .collect(Collectors.joining(", "));
  }

  /** How those of them are calibrated that can be without a stream, by name. */
  static Map<String, Function<CalibrationRequest, Calibration>> calibrations() {
    Map<String, Function<CalibrationRequest, Calibration>> calibrations = new LinkedHashMap<>();
    for (MechanismKind kind : KINDS) {
      kind.calibration().ifPresent(calibration -> calibrations.put(kind.name(), calibration));
    }
    return calibrations;
  }

  static MechanismKind kind(String name) {
    for (MechanismKind kind : KINDS) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    throw NearestName.unknown("mechanism", name, names());
  }
}
