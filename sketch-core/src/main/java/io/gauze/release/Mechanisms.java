package io.gauze.release;

import io.gauze.privacy.GaussianDp;
import io.gauze.row.NearestName;
import java.util.List;

/** The mechanisms that there are. A new one is a new file and a line here. */
public final class Mechanisms {
  private static final List<MechanismKind> KINDS =
      List.of(
          NoisyMoments.KIND,
          StratifiedMomentsNoise.KIND,
          NoisyCountSketch.KIND,
          NoisyMultilevelSketch.KIND,
          JlProjection.KIND,
          GatedProjection.KIND,
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
  public static List<Option> options(String mechanism) {
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
    kind(sketch.mechanism()).draft(stream, sketch, mu);
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
