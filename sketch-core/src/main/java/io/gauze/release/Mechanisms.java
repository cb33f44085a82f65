package io.gauze.release;

import io.gauze.row.NearestName;
import io.gauze.row.Neighbours;
import java.util.List;

/** The additive mechanisms that there are. A new one is a new file and a line here. */
public final class Mechanisms {
  private static final List<MechanismKind> KINDS =
      List.of(
          NoisyMoments.KIND, //
          NoisyCountSketch.KIND);

  private Mechanisms() {}

  /** Their names. */
  public static List<String> names() {
    return KINDS.stream().map(MechanismKind::name).toList();
  }

  /**
   * The largest l2 distance between the sketches of neighbours, in the encoded scale.
   *
   * @param mechanism one of {@link #names}
   * @param rowBound the bound B on a row's l2 norm; finite, above 0
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double sensitivity(String mechanism, double rowBound, Neighbours neighbours) {
    if (!(rowBound > 0.0 && rowBound < Double.POSITIVE_INFINITY)) { // NaN too
      throw new IllegalArgumentException(
          "rowBound must be > 0 and finite. Provided value: " + rowBound);
    }
    return kind(mechanism).sensitivity(rowBound, neighbours);
  }

  static MechanismKind kind(String name) {
    for (MechanismKind kind : KINDS) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "mechanism must be one of "
            + String.join(", ", names())
            + "; the nearest is "
            + NearestName.of(name, names())
            + ". Provided value: "
            + name);
  }
}
