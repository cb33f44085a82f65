package io.gauze.mechanism;

import io.gauze.row.NearestName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The least noise with which a mechanism keeps a promise, rounded towards more.
 *
 * @param mechanism its name
 * @param parameters the sizes that the noise depends on, by name
 * @param noise the noise in the unit of the bound (its square for sums of products), by name
 * @param achievedDelta the delta that this noise achieves at the epsilon asked for; at most the one
 *     asked for, but for {@code gaussian-classic}, which may miss it
 * @param basis the theorem or argument that it rests on, in one clause
 */
public record Calibration(
    String mechanism,
    Map<String, Double> parameters,
    Map<String, Double> noise,
    double achievedDelta,
    String basis) {
  /** Copies the maps. */
  public Calibration {
    parameters = Map.copyOf(new TreeMap<>(parameters));
    noise = Map.copyOf(new TreeMap<>(noise));
  }

  /** The mechanisms that can be calibrated. */
  public static List<String> mechanisms() {
    return List.copyOf(Calibrations.ALL.keySet());
  }

  /**
   * Calibrates. Takes up to some milliseconds.
   *
   * @param mechanism one of {@link #mechanisms}
   * @throws IllegalArgumentException if there is no such mechanism, with the nearest one, or the
   *     request lacks something that it needs
   * @throws ArithmeticException if the noise would be too large to compute with
   */
  public static Calibration of(String mechanism, CalibrationRequest request) {
    if (!Calibrations.ALL.containsKey(mechanism)) {
      throw NearestName.unknown("mechanism", mechanism, mechanisms());
    }
    return Calibrations.ALL.get(mechanism).apply(request);
  }
}
