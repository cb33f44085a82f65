package io.gauze.release;

import io.gauze.row.NearestName;
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

  static MechanismKind kind(String name) {
    for (MechanismKind kind : KINDS) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    throw NearestName.unknown("mechanism", name, names());
  }
}
