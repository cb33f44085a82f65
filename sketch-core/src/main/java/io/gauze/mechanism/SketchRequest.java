package io.gauze.mechanism;

import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A sketch that a stream's owner asks for.
 *
 * @param name unique in the stream, a part of a {@link ReleaseId}
 * @param mechanism one of {@link Mechanisms#names}
 * @param weight its share of the budget against the other sketches' weights; finite, above 0
 * @param options by name, such as {@code buckets} of a count-sketch, see {@link
 *     Mechanisms#options}; what is left out is planned
 */
public record SketchRequest(
    String name, String mechanism, double weight, Map<String, String> options)
    implements Serializable {
  /**
   * Checks the names and the weight.
   *
   * @throws IllegalArgumentException if one of them is out of range or unknown
   */
  public SketchRequest {
    ReleaseId.checkPart("sketch name", name);
    MechanismKind kind = Mechanisms.kind(mechanism);
    Checks.positiveFinite("weight", weight);
    options = Collections.unmodifiableMap(new TreeMap<>(options));
    options.forEach((option, value) -> kind.option(option).check(value));
  }

  /** A whole number among the options. */
  OptionalLong whole(String option) {
    String value = options.get(option);
    return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
  }

  /** A word among the options. */
  String word(String option, String otherwise) {
    return options.getOrDefault(option, otherwise);
  }
}
