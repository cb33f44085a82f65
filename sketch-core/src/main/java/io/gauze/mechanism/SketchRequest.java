package io.gauze.mechanism;

import io.gauze.internal.Checks;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A sketch that the owner of a stream requests.
 *
 * @param name unique in the stream, a part of a {@link ReleaseId}
 * @param mechanism one of {@link Mechanisms#names}
 * @param weight its share of the budget, relative to the weights of the other sketches; finite,
 *     above 0
 * @param options by name, such as {@code buckets} of a count-sketch, see {@link
 *     Mechanisms#options}; options that are left out are planned
 */
public record SketchRequest(
    String name, String mechanism, double weight, Map<String, String> options)
    implements Serializable {
  /** The option that names the column that a sketch has for its response. */
  public static final String RESPONSE = "response";

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

  /** Returns an option that is a whole number; empty if it is left out. */
  public OptionalLong whole(String option) {
    String value = options.get(option);
    return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
  }

  /** Returns an option that is a number; empty if it is left out. */
  public OptionalDouble number(String option) {
    String value = options.get(option);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(value));
  }

  /** Returns an option that is a word, or {@code otherwise} if it is left out. */
  public String word(String option, String otherwise) {
    return options.getOrDefault(option, otherwise);
  }

  /**
   * Returns the first response of the config that is a column of the encoding, as categories are
   * not; or the last column.
   */
  public static String defaultResponse(RowSchema schema) {
    List<String> names = schema.encodedNames();
    return schema.responses().columns().stream()
        .filter(names::contains)
        .findFirst()
        .orElse(names.get(names.size() - 1));
  }

  /** Returns the index of the encoded column that this sketch has for its response. */
  public int response(RowSchema schema) {
    return responseIndex(schema, word(RESPONSE, defaultResponse(schema)));
  }

  /** Returns the index of the encoded column of this name, which may not be the intercept. */
  public static int responseIndex(RowSchema schema, String response) {
    int index;
    try {
      index = schema.encodedIndex(response);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(RESPONSE + ": " + e.getMessage(), e);
    }
    if (index == 0) {
      throw new IllegalArgumentException(
          "response must not be the intercept. Provided value: " + response);
    }
    return index;
  }
}
