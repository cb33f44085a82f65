package io.gauze.release;

import io.gauze.row.NearestName;
import java.io.Serializable;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A sketch that a stream's owner asks for.
 *
 * @param name unique in the stream, a part of a {@link ReleaseId}
 * @param mechanism one of {@link Mechanisms#names}
 * @param weight its share of the budget against the other sketches' weights; finite, above 0
 * @param options sizes by name, {@code buckets} for count-sketch; what is left out is planned
 */
public record SketchRequest(
    String name, String mechanism, double weight, Map<String, Integer> options)
    implements Serializable {
  /**
   * Checks the names and the weight.
   *
   * @throws IllegalArgumentException if one of them is out of range or unknown
   */
  public SketchRequest {
    ReleaseId.checkPart("sketch name", name);
    Set<String> known = Mechanisms.kind(mechanism).options();
    if (!(weight > 0.0 && weight < Double.POSITIVE_INFINITY)) { // NaN too
      throw new IllegalArgumentException(
          "weight must be > 0 and finite. Provided value: " + weight);
    }
    options = Collections.unmodifiableMap(new TreeMap<>(options));
    for (String option : options.keySet()) {
      if (!known.contains(option)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s has %s. Provided value: %s",
                mechanism,
                known.isEmpty() ? "no options" : "the option " + NearestName.of(option, known),
                option));
      }
    }
  }
}
